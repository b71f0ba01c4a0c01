"""Success: whether anything relevant was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from eval.metrics.metric import Metric
from eval.metrics.ranking import ranking_metric, relevant


def success(ranked: Sequence[str], judgements: Mapping[str, int], k: int) -> float:
    """Return success at k, 0 or 1.

        success@k = 1 if any of the first k is relevant, else 0

    trec_eval's `success_k`; also called hit rate.
    """
    return float(not relevant(judgements).isdisjoint(ranked[:k]))


METRICS: tuple[Metric, ...] = tuple(
    ranking_metric(
        f"success@{k}",
        partial(success, k=k),
        meaning=meaning,
        source="trec_eval, success",
    )
    for k, meaning in (
        (1, "whether the first source is relevant"),
        (5, "whether any of the first 5 sources is relevant"),
    )
)
