"""Judged: how much of a ranking anyone has judged, and so how far the other metrics can be believed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from eval.metrics.metric import Metric
from eval.metrics.ranking import ranking_metric


def judged(ranked: Sequence[str], judgements: Mapping[str, int], k: int) -> float:
    """Return the share of the first k that is judged, relevant or not, in [0, 1].

        judged@k = |judged among the first k| / min(k, length of the ranking)

    As ir_measures' `Judged@k`. It is no goal in itself: where it is low, unjudged sources may be good ones
    that the other metrics count as bad, and a system unlike those that were judged is measured unfairly.
    """
    first = ranked[:k]
    return sum(source in judgements for source in first) / len(first) if first else 0.0


METRICS: tuple[Metric, ...] = (
    ranking_metric(
        "judged@10",
        partial(judged, k=10),
        meaning="share of the first 10 that anyone has judged; where it is low, distrust the ranking metrics",
        source="ir_measures, Judged",
    ),
)
