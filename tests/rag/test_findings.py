"""Telling findings from aims by form."""

from __future__ import annotations

import pytest

from rag.findings import amounts, finding_score, fit_of_amounts, holds_measure, units_asked

FINDINGS = [
    "Experiments show that the method outperforms all baselines on eight tasks.",
    "We find that larger critics reduce overestimation by 30%.",
    "PERL agents survived 201.69 steps longer than NERL agents.",
    "The results demonstrate that offline pretraining significantly improves sample efficiency.",
]
AIMS = [
    "We propose a framework for learning hierarchies of skills.",
    "This paper studies exploration in sparse-reward environments.",
    "However, existing methods often rely on dense rewards.",
    "Reward design remains a central challenge.",
]


@pytest.mark.parametrize("finding", FINDINGS)
@pytest.mark.parametrize("aim", AIMS)
def test_a_finding_scores_above_an_aim(finding: str, aim: str) -> None:
    assert finding_score(finding) > finding_score(aim)


def test_scores_stay_within_bounds() -> None:
    extreme = "Results show that we outperform, surpass and improve by 40% and 3 times. " * 5
    assert finding_score(extreme) == 1.0
    assert finding_score("We propose to study existing methods; however, this has been difficult.") == 0.0


@pytest.mark.parametrize(
    "text", ["drag fell by 38%", "a 4.3 point gain", "over 10,000 episodes", "3\\times faster, 2x"]
)
def test_a_number_that_measures_is_seen(text: str) -> None:
    assert holds_measure(text)


@pytest.mark.parametrize("text", ["A3C and TD3 were used", "a 2D maze", "the DQN agent"])
def test_a_number_within_a_name_measures_nothing(text: str) -> None:
    assert not holds_measure(text)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("drag fell by 38%", [("38", "percent")]),
        ("85\\% accuracy", [("85", "percent")]),
        ("a 4.3 point gain", [("4.3", "points")]),
        ("3\\times faster, then 2x", [("3", "factor"), ("2", "factor")]),
        ("two orders of magnitude fewer", [("two", "magnitude")]),
        ("a five-fold reduction", [("five", "factor")]),
        ("10,000 games in 5 hours", [("10000", "count"), ("5", "time")]),
        ("A3C and TD3 in a 2D maze", []),
    ],
)
def test_amounts_are_read_with_their_units(text: str, stated: list[tuple[str, str]]) -> None:
    assert [(amount.value, amount.unit) for amount in amounts(text)] == stated


@pytest.mark.parametrize(
    ("question", "fitting", "other"),
    [
        ("How much faster is it?", "It is 3 times faster.", "It plays 57 games."),
        ("How long does training take?", "Training takes 40 hours.", "Training saves 40%."),
        ("How many games were played?", "It plays 57 games.", "It is 3% better."),
        ("What success rate does it reach?", "It succeeds in 80% of cases.", "It runs for 3 hours."),
        ("How much does it help?", "It lowers cost by 9%.", "It has 9 parts."),
    ],
)
def test_an_amount_of_the_kind_asked_for_fits_best(question: str, fitting: str, other: str) -> None:
    units = units_asked(question)
    assert fit_of_amounts(fitting, units) > fit_of_amounts(other, units) > fit_of_amounts("None.", units)
