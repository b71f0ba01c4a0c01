"""Latency: wall time of asking and of searching, in milliseconds, as the caller saw it.

Percentiles are nearest-rank (`eval.percentile`): values that were measured. A crash has no latency.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from eval.case import Case, Run
from eval.metrics.metric import Column, Derived, Metric
from eval.percentile import percentile


def _ask_ms(case: Case, _: Run) -> float | None:
    return case.outcome.ask_ms


def _search_ms(case: Case, _: Run) -> float | None:
    return case.outcome.search_ms


def _percentile_of(share: float) -> Callable[[Mapping[str, Column]], float]:
    return lambda columns: percentile(columns["latency_ms"].tolist(), share)


METRICS: tuple[Metric, ...] = (
    Metric(
        name="latency_ms",
        meaning="wall time of an answer",
        source="measured around the call",
        applies=lambda _: True,
        score=_ask_ms,
        higher_is_better=False,
        crashed=None,
        unit="ms",
    ),
    Metric(
        name="search_ms",
        meaning="wall time of retrieval alone",
        source="measured around the call",
        applies=lambda _: True,
        score=_search_ms,
        higher_is_better=False,
        crashed=None,
        unit="ms",
    ),
)
DERIVED: tuple[Derived, ...] = tuple(
    Derived(
        name=f"latency_p{percent}",
        meaning=f"wall time that {percent}% of the answers do not exceed",
        source="nearest-rank percentile",
        needs=("latency_ms",),
        value=_percentile_of(percent / 100),
        higher_is_better=False,
        unit="ms",
    )
    for percent in (50, 95, 99)
)
