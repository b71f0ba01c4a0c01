"""Normalised discounted cumulative gain, with linear and with exponential gain.

The two are often both called nDCG. They agree where every grade is 0 or 1, and on no other judgements, so
each has its own name here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from eval.metrics.metric import Metric
from eval.metrics.ranking import ranking_metric


def ndcg(ranked: Sequence[str], judgements: Mapping[str, int], k: int) -> float:
    """Return nDCG at k with linear gain, in [0, 1].

        DCG@k  = sum over ranks r = 1..k of grade(r) / log2(r + 1)
        nDCG@k = DCG@k of the ranking / DCG@k of all judged sources by falling grade

    Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20(4), 2002, with
    the discount log2(r + 1) of trec_eval's `ndcg_cut_k`; the paper leaves the first b ranks undiscounted.
    Unjudged sources gain nothing, and keep their rank.
    """
    return _ndcg(ranked, judgements, k)


def ndcg_exp(ranked: Sequence[str], judgements: Mapping[str, int], k: int) -> float:
    """Return nDCG at k with exponential gain, in [0, 1]: as `ndcg`, with 2^grade - 1 for the grade.

    Burges et al., "Learning to rank using gradient descent", ICML 2005. High grades weigh far more: grade
    3 counts seven times as much as grade 1, not three times.
    """
    return _ndcg(ranked, {source: 2**grade - 1 for source, grade in judgements.items()}, k)


def _ndcg(ranked: Sequence[str], gains: Mapping[str, int], k: int) -> float:
    ideal = _dcg(sorted(gains.values(), reverse=True)[:k])
    return _dcg(gains.get(source, 0) for source in ranked[:k]) / ideal if ideal else 0.0


def _dcg(gains: Iterable[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


METRICS: tuple[Metric, ...] = (
    ranking_metric(
        "ndcg@10",
        partial(ndcg, k=10),
        meaning="how near the first 10 come to the best order, by grade and rank (linear gain)",
        source="Järvelin and Kekäläinen 2002; trec_eval, ndcg_cut",
    ),
    ranking_metric(
        "ndcg_exp@10",
        partial(ndcg_exp, k=10),
        meaning="how near the first 10 come to the best order, high grades weighing more (exponential gain)",
        source="Burges et al. 2005",
    ),
)
