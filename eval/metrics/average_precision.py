"""Average precision: precision at every relevant source, averaged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from eval.metrics.metric import Metric
from eval.metrics.ranking import ranking_metric, relevant


def average_precision(ranked: Sequence[str], judgements: Mapping[str, int], k: int) -> float:
    """Return average precision at k, in [0, 1]; its mean over questions is MAP@k.

        ap@k = sum over the ranks r <= k that hold a relevant source of (relevant among the first r) / r,
               divided by |relevant|

    trec_eval's `map_cut_k`: the divisor counts every relevant source, found or not, and not at most k of
    them as some libraries have it. Buckley and Voorhees, "Evaluating evaluation measure stability", SIGIR
    2000.
    """
    wanted = relevant(judgements)
    found, total = 0, 0.0
    for rank, source in enumerate(ranked[:k], start=1):
        if source in wanted:
            found += 1
            total += found / rank
    return total / len(wanted) if wanted else 0.0


METRICS: tuple[Metric, ...] = (
    ranking_metric(
        "ap@100",
        partial(average_precision, k=100),
        meaning="precision at each relevant source among the first 100, averaged over all relevant ones "
        "(its mean is MAP@100)",
        source="trec_eval, map_cut",
    ),
)
