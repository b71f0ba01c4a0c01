"""Resolved: whether a follow-up was understood, judged by what it led to.

1 if the answer cites one of `must_cite` and states every vital nugget in full, as far as the question names
them; 1 if what no source answers is refused; else 0. One number a dialogue, because each half alone can be
had without following: the right source was often cited a turn before, and a fact without its source may be
another paper's.
"""

from __future__ import annotations

from eval.case import Case, Run
from eval.metrics.metric import Metric
from eval.metrics.must_cite import must_cite
from eval.metrics.nuggets import matches
from eval.metrics.phrasing import SUPPORT


def _score(case: Case, _: Run) -> float:
    question = case.question
    if not question.answerable or not case.answered:
        return float(question.answerable == case.answered)
    if question.must_cite and not must_cite(question.must_cite, case.cited):
        return 0.0
    return float(all(found.support == SUPPORT for found in matches(case, vital=True)))


METRICS: tuple[Metric, ...] = (
    Metric(
        name="resolved",
        meaning="share of follow-ups that led to the right source and fact, or were rightly refused",
        source="own definition",
        applies=lambda question: bool(question.history),
        score=_score,
    ),
)
