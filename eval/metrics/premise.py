"""Premise: whether a question that presumes what the sources contradict is set right.

1 if it is refused, or if a statement of the answer supports the question's `correction` in full; else 0. A
quotation that says the opposite of what was presumed sets a reader right, whether it is called a refusal or
not; `refusal_recall` beside it counts refusals alone.
"""

from __future__ import annotations

from eval.case import Case, Run
from eval.metrics.metric import Metric
from eval.metrics.nuggets import match
from eval.metrics.phrasing import SUPPORT


def _score(case: Case, _: Run) -> float | None:
    correction = case.question.correction
    if correction is None:
        return None
    if case.answer is None:
        return 0.0
    if not case.answered:
        return 1.0
    return float(match(correction, [statement.text for statement in case.statements]).support == SUPPORT)


METRICS: tuple[Metric, ...] = (
    Metric(
        name="premise_corrected",
        meaning="share of false premises that are refused, or answered with what the sources say instead",
        source="own definition",
        applies=lambda question: question.correction is not None,
        score=_score,
    ),
)
