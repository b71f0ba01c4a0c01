"""How small a difference the questions at hand could have shown."""

from __future__ import annotations

import math

import numpy as np

from eval.compare.clusters import ClusterSums

# Quantiles of the standard normal distribution: 97.5% for a two-sided level of 0.05, 80% for a power of 0.8,
# the customary pair (Cohen 1988).
Z_LEVEL = 1.959963984540054
Z_POWER = 0.8416212335729143


def detectable_difference(standard_error: float) -> float | None:
    """Return the smallest true difference found at p < 0.05 in four of five such experiments.

    It is (z(0.975) + z(0.8)) * standard error, about 2.8 standard errors, by the normal approximation: for
    fewer than some twenty clusters it is too hopeful. None where the standard error is zero or NaN: values
    that do not vary do not tell what could have been seen.
    """
    return (Z_LEVEL + Z_POWER) * standard_error if standard_error > 0 else None


def standard_error(differences: ClusterSums) -> float:
    """Return the standard error of the mean difference over n questions in k clusters; NaN for one cluster.

    The linearised error of a ratio (Cochran 1977, section 6.4): sqrt(k / (k - 1) * sum((d_c - m_c d)^2)) / n
    with d_c the sum and m_c the size of a cluster and d the mean. With one question a cluster it is the
    sample's standard deviation divided by sqrt(n).
    """
    count = len(differences.sums)
    if count < 2:
        return math.nan
    residuals = differences.sums - differences.sizes * differences.mean
    # Equal differences leave rounding errors here, which are no spread.
    residuals[np.abs(residuals) <= 1e-12 * np.abs(differences.sums)] = 0.0
    return math.sqrt(count / (count - 1) * float((residuals**2).sum())) / float(differences.sizes.sum())
