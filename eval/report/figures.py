"""The points of the risk–coverage curve and the bars of the latency histogram."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence

from eval.metrics.risk import risk_coverage
from eval.report.view import Histogram, RiskPoint
from eval.scores import Scores

BARS = 24
"""Bars aimed at: fewer hide a second peak, more leave single questions standing about."""

PER_DECADE = (5, 10, 20, 40, 80)
"""Bars to a power of ten; each halves the last, so that two reports cut alike or evenly."""

FASTEST_MS = 0.01
"""Latencies below count as this: a logarithmic axis has no zero, and clocks are no finer."""


def risk_points(scores: Scores) -> tuple[RiskPoint, ...]:
    """Return the points of a run's risk–coverage curve; none where no answer is judged right or wrong."""
    questions = scores.questions(["confidence", "wrong"])
    confidence, wrong = (
        [scores.by_metric[name][question] for question in questions] for name in ("confidence", "wrong")
    )
    return tuple(
        RiskPoint(confidence=point.confidence, coverage=point.coverage, risk=point.risk)
        for point in risk_coverage(confidence, wrong, total=len(scores.cluster_of))
    )


def latency_histogram(scores: Scores, baseline: Scores | None = None) -> Histogram | None:
    """Count questions by latency, in bars that are equally wide on a logarithmic scale, both runs alike."""
    values = _latencies(scores)
    before = _latencies(baseline) if baseline else []
    if not values:
        return None
    low, high = (math.log10(edge) for edge in (min(*values, *before, math.inf), max(*values, *before, 0)))
    step = next((n for n in PER_DECADE if (high - low) * n >= BARS / 2), PER_DECADE[-1])
    first, last = math.floor(low * step), math.floor(high * step) + 1
    edges = tuple(10 ** (n / step) for n in range(first, last + 1))
    return Histogram(
        edges=edges,
        counts=_counts(values, edges),
        baseline_counts=_counts(before, edges) if before else (),
    )


def _latencies(scores: Scores) -> list[float]:
    return [max(value, FASTEST_MS) for value in scores.by_metric.get("latency_ms", {}).values()]


def _counts(values: Sequence[float], edges: Sequence[float]) -> tuple[int, ...]:
    counts = [0] * (len(edges) - 1)
    for value in values:
        # An edge computed as a power may lie a rounding beside the value that it stands for.
        counts[min(max(bisect_right(edges, value) - 1, 0), len(counts) - 1)] += 1
    return tuple(counts)
