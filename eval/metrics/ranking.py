"""What ranking metrics have in common.

A kernel is a function of a ranking and of judgements. `ranked` are ids of sources, best first, each once.
`judgements` maps ids to grades: 0 is judged and not relevant, 1 and more are relevant; an id it does not
name is unjudged. A kernel is total: an empty ranking, and judgements without a relevant source, score 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from eval.case import Case, Run
from eval.metrics.metric import Metric
from eval.questions.question import EvalQuestion

Kernel = Callable[[Sequence[str], Mapping[str, int]], float]


def relevant(judgements: Mapping[str, int]) -> frozenset[str]:
    """Return the ids judged relevant, whatever their grade."""
    return frozenset(source for source, grade in judgements.items() if grade > 0)


def ranking_metric(name: str, kernel: Kernel, *, meaning: str, source: str) -> Metric:
    """Return the metric that a kernel makes. It applies to questions with at least one relevant source."""

    def score(case: Case, run: Run) -> float:
        del run  # a ranking is judged by its question alone
        return kernel(case.ranking, case.question.relevant)

    return Metric(name=name, meaning=meaning, source=source, applies=_has_relevant, score=score)


def _has_relevant(question: EvalQuestion) -> bool:
    return bool(question.positives)
