"""Adjusting p-values for the number of questions asked of the same data."""

from __future__ import annotations

from collections.abc import Sequence


def holm(ps: Sequence[float]) -> list[float]:
    """Return p-values adjusted by Holm's step-down procedure (Holm 1979), in the given order.

    The smallest of m is multiplied by m, the next by m - 1, and so on, none below the one before it, none
    above 1. Calling significant what stays at or below alpha keeps the chance of even one false call at or
    below alpha, however the tests depend on each other.
    """
    adjusted = [0.0] * len(ps)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        largest = max(largest, min((len(ps) - rank) * ps[place], 1.0))
        adjusted[place] = largest
    return adjusted
