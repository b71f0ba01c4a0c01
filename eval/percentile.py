"""Figures of repeated timings."""

from __future__ import annotations

import math
from collections.abc import Sequence


def percentile(values: Sequence[float], share: float) -> float:
    """Return the nearest-rank percentile: the smallest value that `share` of all do not exceed.

    `share` lies in (0, 1]. The result is always a value that was measured, never one between two.
    Raises `ValueError` for no values or another share.
    """
    if not values:
        raise ValueError("a percentile of no values is undefined")
    if not 0 < share <= 1:
        raise ValueError(f"share must lie in (0, 1], got {share}")
    # The tolerance keeps 0.07 * 100 = 7.000000000000001 from becoming rank 8.
    return sorted(values)[max(math.ceil(share * len(values) - 1e-9), 1) - 1]


def median(values: Sequence[float]) -> float:
    """Return the nearest-rank median."""
    return percentile(values, 0.5)
