"""An interval for a rate."""

from __future__ import annotations

import math

# The 97.5% quantile of the standard normal distribution: a two-sided interval of 95%.
Z = 1.959963984540054


def wilson(successes: float, n: float) -> tuple[float, float]:
    """Return the 95% score interval of a rate (Wilson 1927), without continuity correction.

    Unlike the interval of the normal approximation it stays in [0, 1] and has a width at 0 and at n
    successes. Raises `ValueError` unless 0 <= successes <= n and n > 0.
    """
    if not (n > 0 and 0 <= successes <= n):
        raise ValueError(f"{successes} successes of {n} are not a rate")
    rate = successes / n
    centre = rate + Z**2 / (2 * n)
    reach = Z * math.sqrt(rate * (1 - rate) / n + Z**2 / (4 * n**2))
    scale = 1 + Z**2 / n
    # At the ends the bound is the rate itself; rounding would put it 1e-17 off.
    low = 0.0 if successes == 0 else (centre - reach) / scale
    high = 1.0 if successes == n else (centre + reach) / scale
    return low, high
