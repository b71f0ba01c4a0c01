"""Recall: how much of what is relevant was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from eval.metrics.metric import Metric
from eval.metrics.ranking import ranking_metric, relevant


def recall(ranked: Sequence[str], judgements: Mapping[str, int], k: int) -> float:
    """Return recall at k, in [0, 1].

        recall@k = |relevant among the first k| / |relevant|

    trec_eval's `recall_k`. Every relevant source is in the denominator, so with more than k of them it
    cannot reach 1.
    """
    wanted = relevant(judgements)
    return len(wanted.intersection(ranked[:k])) / len(wanted) if wanted else 0.0


METRICS: tuple[Metric, ...] = tuple(
    ranking_metric(
        f"recall@{k}",
        partial(recall, k=k),
        meaning=f"share of the relevant sources that are among the first {k}",
        source="trec_eval, recall",
    )
    for k in (10, 100)
)
