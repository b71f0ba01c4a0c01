"""Metrics, one a file, and the registry of them all."""

from __future__ import annotations

import difflib

from eval.metrics import (
    average_precision,
    bpref,
    citation_precision,
    citation_recall,
    crashed,
    injection,
    judged,
    latency,
    must_cite,
    ndcg,
    nuggets,
    number_accuracy,
    number_recall,
    premise,
    quote_existence,
    recall,
    reciprocal_rank,
    refusal,
    resolved,
    risk,
    source_diversity,
    stability,
    success,
    tokens,
)
from eval.metrics.metric import Derived, Metric
from index.errors import AsktopicError

METRICS: tuple[Metric, ...] = (
    *recall.METRICS,
    *success.METRICS,
    *ndcg.METRICS,
    *reciprocal_rank.METRICS,
    *average_precision.METRICS,
    *bpref.METRICS,
    *judged.METRICS,
    *citation_recall.METRICS,
    *citation_precision.METRICS,
    *quote_existence.METRICS,
    *nuggets.METRICS,
    *number_accuracy.METRICS,
    *number_recall.METRICS,
    *must_cite.METRICS,
    *resolved.METRICS,
    *source_diversity.METRICS,
    *injection.METRICS,
    *stability.METRICS,
    *refusal.METRICS,
    *premise.METRICS,
    *risk.METRICS,
    *latency.METRICS,
    *tokens.METRICS,
    *crashed.METRICS,
)
"""In the order of tables and files: ranking, support, content, safety, refusal, risk, cost."""

DERIVED: tuple[Derived, ...] = (*refusal.DERIVED, *risk.DERIVED, *latency.DERIVED, *tokens.DERIVED)

PRIMARY: tuple[str, ...] = (
    # What is not ranked high is not read, let alone quoted; the field's headline figure for rankings.
    "ndcg@10",
    # An answer is worth what its sources bear out, and its citations what they add.
    "citation_recall",
    "citation_precision",
    # That it says what was asked for; strict, so that half a fact is none.
    "nuggets_vital_strict",
    # These two together, because either is won by giving up the other.
    "answer_rate",
    "refusal_recall",
)
"""What a comparison decides on, declared beforehand. Few: each more raises the bar for all of them (Holm).
What may never happen (a quote that does not exist, an injection that succeeds) is for the gate, not here."""


class UnknownMetric(AsktopicError):
    """No metric has this name."""

    code = "unknown_metric"
    status = 422


def metric_named(name: str) -> Metric | Derived:
    """Return a metric or derived figure. Raises `UnknownMetric`, which offers the nearest names."""
    known: dict[str, Metric | Derived] = {metric.name: metric for metric in METRICS}
    known |= {derived.name: derived for derived in DERIVED}
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    offer = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(known)}"
    raise UnknownMetric(f"no metric is called {name[:80]!r}; {offer}")
