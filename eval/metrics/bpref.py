"""Binary preference: a measure that unjudged sources do not touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eval.metrics.metric import Metric
from eval.metrics.ranking import ranking_metric, relevant


def bpref(ranked: Sequence[str], judgements: Mapping[str, int]) -> float:
    """Return bpref of the whole ranking, in [0, 1].

        bpref = 1/R * sum over the relevant sources found of (1 - min(n, R) / min(R, N))

    where R and N count the sources judged relevant and not relevant, found or not, and n those judged not
    relevant that stand above the relevant one; where n is 0 the term is 1.

    Buckley and Voorhees, "Retrieval evaluation with incomplete information", SIGIR 2004, in the variant
    that trec_eval computes: the paper's own divides by R even where N is smaller, and so never falls to 0
    with few judged non-relevant sources. Without any of those it is the recall of the whole ranking.
    """
    wanted = relevant(judgements)
    bound = min(len(wanted), len(judgements) - len(wanted))
    above, total = 0, 0.0
    for source in ranked:
        if source in wanted:
            total += 1 - min(above, len(wanted)) / bound if above else 1.0
        elif source in judgements:
            above += 1
    return total / len(wanted) if wanted else 0.0


METRICS: tuple[Metric, ...] = (
    ranking_metric(
        "bpref",
        bpref,
        meaning="how seldom sources judged not relevant stand above relevant ones, unjudged ones ignored",
        source="Buckley and Voorhees 2004; trec_eval, bpref",
    ),
)
