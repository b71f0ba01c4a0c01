"""Telling findings from aims by form."""

from __future__ import annotations

import pytest

from rag.findings import finding_score, holds_measure

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
