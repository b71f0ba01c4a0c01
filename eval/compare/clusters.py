"""Sums by cluster: the unit that is flipped or drawn, since questions of one cluster are not independent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ClusterSums:
    """Values summed by cluster, clusters in the order of their names.

    `sums` and `sizes` have shape (clusters,); `sizes` counts the questions. The order by name makes a seeded
    test independent of the order of the questions.
    """

    sums: Floats
    sizes: Ints

    @property
    def mean(self) -> float:
        """The mean over questions, not over clusters."""
        return float(self.sums.sum() / self.sizes.sum())


def cluster_sums(values: Floats, clusters: Sequence[str]) -> ClusterSums:
    """Sum `values`, shape (questions,), by the cluster of each question.

    Raises `ValueError` for no values or unequal lengths.
    """
    if not len(values) or len(values) != len(clusters):
        raise ValueError(f"expected one cluster for each value, got {len(clusters)} for {len(values)}")
    _, place = np.unique(np.asarray(clusters), return_inverse=True)
    sums = np.bincount(place, weights=values).astype(np.float64)
    return ClusterSums(sums, np.bincount(place))
