"""Must cite: whether an answer cites one of the sources it has to rest on.

1 if at least one of `must_cite` is cited, else 0; a refusal cites none.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from eval.case import Case, Run
from eval.metrics.metric import Metric


def must_cite(wanted: Iterable[str], cited: Set[str]) -> float:
    """Return 1 if any of the wanted ids is cited, else 0."""
    return float(not cited.isdisjoint(wanted))


def _score(case: Case, _: Run) -> float:
    return must_cite(case.question.must_cite, case.cited)


METRICS: tuple[Metric, ...] = (
    Metric(
        name="must_cite",
        meaning="whether the answer cites a source that it has to rest on",
        source="own definition",
        applies=lambda question: bool(question.must_cite),
        score=_score,
    ),
)
