"""Bootstrap intervals of a mean, resampling clusters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eval.compare.clusters import ClusterSums, Floats, Ints

# The percentiles of a two-sided interval of 95%, the habit of the field.
PERCENTILES = (2.5, 97.5)

# Clusters drawn at once: 500,000 indices and their values take 8 MiB.
_DRAWS_AT_ONCE = 500_000


def bootstrap_interval(
    clusters: ClusterSums, *, seed: int = 0, resamples: int = 10_000
) -> tuple[float, float]:
    """Return the 95% percentile interval of the mean over questions (Efron and Tibshirani 1993, chapter 13).

    Clusters are drawn with replacement, as many as there are, and the mean of a draw is the ratio of its sum
    to its number of questions. For a paired comparison the values are the differences of the pairs. One
    cluster alone has no spread: its interval is a point, and says nothing of other questions.

    The same arguments give the same interval in every process.
    """
    count = len(clusters.sums)
    means = np.concatenate(
        [
            clusters.sums[drawn].sum(axis=1) / clusters.sizes[drawn].sum(axis=1)
            for drawn in draws(count, seed=seed, resamples=resamples)
        ]
    )
    return percentile_interval(means)


def draws(clusters: int, *, seed: int, resamples: int) -> Iterator[Ints]:
    """Yield indices of drawn clusters in blocks of shape (some, clusters), `resamples` rows in all."""
    rng = np.random.default_rng(seed)
    at_once = max(_DRAWS_AT_ONCE // clusters, 1)
    for start in range(0, resamples, at_once):
        yield rng.integers(0, clusters, (min(at_once, resamples - start), clusters))


def percentile_interval(figures: Floats) -> tuple[float, float]:
    """Return the 95% interval of resampled figures, shape (resamples,), none of them NaN."""
    low, high = np.percentile(figures, PERCENTILES)
    return float(low), float(high)
