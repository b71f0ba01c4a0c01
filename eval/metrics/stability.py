"""Stability: whether the same question, asked otherwise, gets an answer from the same sources.

The mean over the other questions of the cluster of

    J = |A ∩ B| / |A ∪ B|,  A and B the cited sources of the two answers

(Jaccard 1901); 1 if both are refused, 0 if one is, or if the other crashed. Two answers without citations
cite alike: 1. A cluster also holds questions that ought to be answered otherwise, such as a near miss whose
gold paper was taken away: only those with the same answerability, topic, filters and date are compared.
Undefined for a question with no such other. A question that names no cluster has no row, though others of the
cluster that is named after it are compared with it: most such questions stand alone, and a crash on one must
not score 0.
"""

from __future__ import annotations

from collections.abc import Set

from eval.case import Case, Run
from eval.metrics.metric import Metric
from eval.questions.question import EvalQuestion

Cited = Set[str] | None
"""Ids of cited sources; None for a refusal."""


def agreement(first: Cited, second: Cited) -> float:
    """Return the Jaccard index of the sources that two answers cite."""
    if first is None or second is None:
        return float(first is second)
    union = first | second
    return len(first & second) / len(union) if union else 1.0


def _asks_alike(first: EvalQuestion, second: EvalQuestion) -> bool:
    return (first.answerable, first.topic, first.filters, first.as_of) == (
        second.answerable,
        second.topic,
        second.filters,
        second.as_of,
    )


def _score(case: Case, run: Run) -> float | None:
    others = [
        other
        for other in run.clusters[case.question.group]
        if other.question.id != case.question.id and _asks_alike(case.question, other.question)
    ]
    if not others:
        return None
    mine = case.cited if case.answered else None
    return sum(
        0.0 if other.crashed else agreement(mine, other.cited if other.answered else None) for other in others
    ) / len(others)


METRICS: tuple[Metric, ...] = (
    Metric(
        name="stability",
        meaning="how alike the cited sources are when the same is asked in other words",
        source="mean Jaccard index over the question's cluster",
        applies=lambda question: bool(question.cluster),
        score=_score,
    ),
)
