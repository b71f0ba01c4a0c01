"""Risk and coverage, against all orders of equally sure answers."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

from eval.metrics.risk import DERIVED, METRICS, RiskPoint, aurc, is_wrong, risk_coverage
from eval.questions.question import Nugget


def by_every_order(confidence: list[float], wrong: list[float]) -> float:
    """The mean, over all orders that fall in confidence, of the mean selective risk."""
    areas = []
    for order in itertools.permutations(range(len(wrong))):
        sure = [confidence[n] for n in order]
        if sure == sorted(sure, reverse=True):
            errors = np.cumsum([wrong[n] for n in order])
            areas.append(np.mean(errors / np.arange(1, len(order) + 1)))
    return float(np.mean(areas))


@pytest.mark.parametrize("seed", range(60))
def test_the_area_is_the_mean_over_all_orders_of_ties(seed: int) -> None:
    draw = random.Random(seed)
    size = draw.randrange(1, 7)
    confidence = [draw.choice([0.2, 0.5, 0.9]) for _ in range(size)]
    wrong = [float(draw.random() < 0.4) for _ in range(size)]
    assert aurc(confidence, wrong) == pytest.approx(by_every_order(confidence, wrong), abs=1e-12)


def test_the_order_of_questions_does_not_matter() -> None:
    assert aurc([0.5, 0.5, 0.5], [1, 0, 0]) == pytest.approx(aurc([0.5, 0.5, 0.5], [0, 0, 1]))


def test_being_sure_where_right_is_better_than_where_wrong() -> None:
    assert aurc([0.9, 0.1], [0, 1]) == 0.25
    assert aurc([0.9, 0.1], [1, 0]) == 0.75
    assert aurc([0.9, 0.1], [0, 0]) == 0.0


def test_the_curve_has_a_point_a_confidence_and_covers_all_questions_asked() -> None:
    assert risk_coverage([0.5, 0.9, 0.5, 0.1], [1, 0, 0, 1], total=8) == [
        RiskPoint(0.9, 1 / 8, 0.0),
        RiskPoint(0.5, 3 / 8, 1 / 3),
        RiskPoint(0.1, 4 / 8, 0.5),
    ]
    assert risk_coverage([], [], total=8) == []


def test_figures_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="2 answers to 1 questions"):
        risk_coverage([0.1, 0.2], [0, 0], total=1)
    with pytest.raises(ValueError, match="no answers"):
        aurc([], [])
    with pytest.raises(ValueError, match="2 confidences for 1 answers"):
        aurc([0.1, 0.2], [0])


FACT = Nugget(text="fasting lowers blood pressure")


@pytest.mark.parametrize(
    ("known", "says", "cites", "expected"),
    [
        ({"answerable": False}, "So it is.", "a", True),
        ({"must_cite": ("a",)}, "So it is.", "ab", False),
        ({"must_cite": ("a",)}, "So it is.", "b", True),
        ({"nuggets": (FACT,)}, "Fasting lowers pressure.", "b", False),
        ({"nuggets": (Nugget(text="sleep improves memory"), FACT)}, "Fasting lowers pressure.", "b", False),
        ({"nuggets": (FACT,)}, "Fasting does not lower blood pressure.", "b", True),
        ({"nuggets": (FACT,), "must_cite": ("a",)}, "Fasting lowers blood pressure.", "b", True),
        ({"nuggets": (FACT,), "must_cite": ("a",)}, "So it is.", "a", True),
        ({"nuggets": (FACT,), "relevant": {"a": 1}}, "Fasting lowers blood pressure.", "b", False),
        ({"relevant": {"a": 1, "b": 0}}, "So it is.", "b", True),
        ({"relevant": {"a": 1, "b": 0}}, "So it is.", "a", False),
        ({"relevant": {"b": 0}}, "So it is.", "a", None),
        ({}, "So it is.", "a", None),
    ],
)
def test_an_answer_is_wrong_as_far_as_the_question_knows(
    known: dict[str, Any], says: str, cites: str, expected: bool | None, desk: Any, ask: Any
) -> None:
    table = desk()
    answer = table.answer((says, [table.cite(source, "x") for source in cites]))
    assert is_wrong(table.case(ask(**known), answer)) is expected


def test_only_answers_have_rows(desk: Any, ask: Any) -> None:
    table = desk()
    confidence, wrong = METRICS
    question = ask(answerable=False)
    answered = table.run((question, table.answer(("So it is.", []), confidence=0.7)))
    assert (confidence.score(answered.cases[0], answered), wrong.score(answered.cases[0], answered)) == (
        0.7,
        1,
    )
    refused = table.run((question, table.refusal(confidence=0.3)))
    assert confidence.score(refused.cases[0], refused) is wrong.score(refused.cases[0], refused) is None
    assert confidence.crashed is wrong.crashed is None


def test_the_derived_area_reads_its_columns() -> None:
    (derived,) = DERIVED
    columns = {"confidence": np.array([0.9, 0.1]), "wrong": np.array([1.0, 0.0])}
    assert derived.value({name: columns[name] for name in derived.needs}) == 0.75
