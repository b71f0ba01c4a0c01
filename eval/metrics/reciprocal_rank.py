"""Reciprocal rank: how far down the first relevant source stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from eval.metrics.metric import Metric
from eval.metrics.ranking import ranking_metric, relevant


def reciprocal_rank(ranked: Sequence[str], judgements: Mapping[str, int], k: int) -> float:
    """Return the reciprocal rank at k, in [0, 1]; its mean over questions is MRR@k.

        rr@k = 1 / rank of the first relevant source, 0 if none is among the first k

    Voorhees, "The TREC-8 question answering track report", 1999; the cutoff is that of MS MARCO, trec_eval
    has none.
    """
    wanted = relevant(judgements)
    return next((1 / rank for rank, source in enumerate(ranked[:k], start=1) if source in wanted), 0.0)


METRICS: tuple[Metric, ...] = (
    ranking_metric(
        "rr@10",
        partial(reciprocal_rank, k=10),
        meaning="one over the rank of the first relevant source, 0 below rank 10 (its mean is MRR@10)",
        source="Voorhees 1999",
    ),
)
