"""Source diversity: how many sources an answer rests on, counted by how evenly it does.

    D = exp(-sum_i p_i ln p_i),  p_i = share of the citations that cite source i

the Hill number of order 1: as many as there are sources if each is cited alike, nearer 1 the more one of them
carries. Jost, "Entropy and diversity", Oikos 113(2), 2006. 0 for an answer without citations; undefined for
a refusal.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from eval.case import Case, Run
from eval.metrics.metric import Metric


def source_diversity(cited: Iterable[str]) -> float:
    """Return the Hill number of order 1 over the source ids, one a citation."""
    counts = Counter(cited).values()
    total = sum(counts)
    return math.exp(-sum(n / total * math.log(n / total) for n in counts)) if total else 0.0


def _score(case: Case, _: Run) -> float | None:
    if not case.answered or case.answer is None:
        return None
    return source_diversity(citation.source_id for citation in case.answer.citations)


METRICS: tuple[Metric, ...] = (
    Metric(
        name="source_diversity",
        meaning="effective number of sources that an answer cites",
        source="Jost 2006: Hill number of order 1",
        applies=lambda _: True,
        score=_score,
        unit="sources",
    ),
)
