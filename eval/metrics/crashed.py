"""Crashed: 1 if asking failed, else 0. A row for every question, so that none is ever dropped."""

from __future__ import annotations

from eval.case import Case, Run
from eval.metrics.metric import Metric


def _score(case: Case, _: Run) -> float:
    return float(case.crashed)


METRICS: tuple[Metric, ...] = (
    Metric(
        name="crashed",
        meaning="share of the questions on which asking failed",
        source="own definition",
        applies=lambda _: True,
        score=_score,
        higher_is_better=False,
        crashed=1.0,
    ),
)
