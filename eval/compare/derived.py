"""Intervals and p-values of derived figures: an F1, an area, a percentile have no value for one question."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product

import numpy as np

from eval.compare.bootstrap import draws, percentile_interval
from eval.compare.clusters import Floats, Ints
from eval.compare.sign_flip import SLACK
from eval.metrics.metric import Column, Derived

# Each resample calls a Python function, up to 0.1 ms on 1,000 questions, where a mean takes a microsecond.
# A thousand place a bound of the interval within about one percentile, and p to 0.007 at 0.05.
MOST_RESAMPLES = 1_000


@dataclass(frozen=True, slots=True)
class Groups:
    """Rows in groups that can be taken together, again and again, in any selection.

    `columns` maps a metric to values of shape (rows,), sorted by group; a group, possibly empty, is
    `sizes[g]` rows from `starts[g]` on.
    """

    columns: Mapping[str, Column]
    starts: Ints
    sizes: Ints

    def take(self, groups: Ints) -> Mapping[str, Column]:
        """Return the rows of these groups, shape (groups,), in this order; a group may come twice."""
        sizes = self.sizes[groups]
        ends = np.cumsum(sizes)
        # Row i of the result is row i - (rows before its group) of its group.
        rows = np.arange(sizes.sum()) + np.repeat(self.starts[groups] - (ends - sizes), sizes)
        return {name: column[rows] for name, column in self.columns.items()}


def groups_of(members: Sequence[Sequence[str]], values: Mapping[str, Mapping[str, float]]) -> Groups:
    """Return groups of the questions that have a value in every column.

    `members[g]` are the questions of group g; `values` maps metric to question to value.
    """
    kept = [[q for q in group if all(q in column for column in values.values())] for group in members]
    sizes = np.array([len(group) for group in kept], np.int64)
    columns = {
        name: np.array([column[question] for group in kept for question in group], np.float64)
        for name, column in values.items()
    }
    return Groups(columns, np.cumsum(sizes) - sizes, sizes)


def figure(derived: Derived, columns: Mapping[str, Column]) -> float:
    """Return the derived figure; NaN where it is undefined, as it is for no rows."""
    return derived.value(columns) if len(columns[derived.needs[0]]) else math.nan


def derived_interval(
    derived: Derived, groups: Groups, *, seed: int, resamples: int
) -> tuple[float, float] | None:
    """Return the 95% bootstrap interval of a figure, each group a cluster; None if no draw defines it."""
    found = _drawn(lambda drawn: figure(derived, groups.take(drawn)), len(groups.sizes), seed, resamples)
    return percentile_interval(found) if len(found) else None


@dataclass(frozen=True, slots=True)
class DerivedDifference:
    """A difference of a derived figure. `standard_error` is that of the bootstrap; NaN for one draw."""

    baseline: float
    candidate: float
    low: float
    high: float
    p: float
    standard_error: float


def derived_difference(
    derived: Derived, baseline: Groups, candidate: Groups, *, seed: int, resamples: int
) -> DerivedDifference | None:
    """Compare a figure of two runs; None where it is undefined for either.

    Group g of either run is the same cluster. The interval draws clusters and recomputes the figure of both
    runs; a draw that leaves it undefined is left out. The test swaps the two runs' rows cluster by cluster:
    all ways where there are at most `resamples`, else so many at random, as `sign_flip` does; a swap that
    leaves the figure undefined counts as extreme, which can only raise p. Both use at most `MOST_RESAMPLES`.
    """
    resamples = min(resamples, MOST_RESAMPLES)
    count = len(baseline.sizes)
    own = np.arange(count)
    pool = _pooled(baseline, candidate)

    def difference(first: Ints, second: Ints) -> float:
        return figure(derived, pool.take(second)) - figure(derived, pool.take(first))

    before, after = (figure(derived, pool.take(own + offset)) for offset in (0, count))
    if math.isnan(before) or math.isnan(after):
        return None
    found = _drawn(lambda drawn: difference(drawn, drawn + count), count, seed, resamples)
    low, high = percentile_interval(found) if len(found) else (after - before, after - before)
    threshold = abs(after - before) - SLACK * (abs(after) + abs(before))
    swaps, all_ways = _swaps(count, seed, resamples)
    extreme = total = 0
    for swap in swaps:
        swapped = difference(own + count * swap, own + count * (1 - swap))
        extreme += math.isnan(swapped) or abs(swapped) >= threshold
        total += 1
    p = extreme / total if all_ways else (1 + extreme) / (1 + total)
    error = float(np.std(found, ddof=1)) if len(found) > 1 else math.nan
    return DerivedDifference(before, after, low, high, p, error)


def _pooled(first: Groups, second: Groups) -> Groups:
    """Return the groups of the first, then those of the second, as groups of one table."""
    rows = int(first.sizes.sum())
    return Groups(
        {name: np.concatenate((column, second.columns[name])) for name, column in first.columns.items()},
        np.concatenate((first.starts, second.starts + rows)),
        np.concatenate((first.sizes, second.sizes)),
    )


def _drawn(statistic: Callable[[Ints], float], clusters: int, seed: int, resamples: int) -> Floats:
    """Return the statistic of each bootstrap draw that defines it."""
    blocks = draws(clusters, seed=seed, resamples=min(resamples, MOST_RESAMPLES))
    found = np.array([statistic(drawn) for drawn in chain.from_iterable(blocks)], np.float64)
    return found[~np.isnan(found)]


def _swaps(clusters: int, seed: int, resamples: int) -> tuple[Iterable[Ints], bool]:
    """Return patterns of 0 and 1, shape (clusters,), and whether they are all there are."""
    if 2**clusters <= resamples:
        return (np.array(pattern) for pattern in product((0, 1), repeat=clusters)), True
    return _random_swaps(clusters, seed, resamples), False


def _random_swaps(clusters: int, seed: int, resamples: int) -> Iterator[Ints]:
    rng = np.random.default_rng(seed)
    for _ in range(resamples):
        yield rng.integers(0, 2, clusters)
