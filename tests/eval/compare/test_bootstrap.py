"""Bootstrap intervals: against scipy, and whether they cover what they claim."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from eval.compare.bootstrap import bootstrap_interval, draws
from eval.compare.clusters import cluster_sums


def alone(values: np.ndarray) -> tuple[float, float]:
    return bootstrap_interval(cluster_sums(values, [f"{n:04}" for n in range(len(values))]))


def test_the_interval_is_that_of_scipy() -> None:
    values = np.random.default_rng(5).exponential(size=80)
    reference = stats.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=10_000, rng=np.random.default_rng(1)
    ).confidence_interval
    # Bounds of 10,000 draws vary by about 1.5% of the width.
    assert alone(values) == pytest.approx(tuple(reference), abs=0.06 * (reference.high - reference.low))


def test_values_that_do_not_vary_have_a_point() -> None:
    assert alone(np.zeros(50)) == (0.0, 0.0)


def test_a_draw_weighs_clusters_by_their_questions() -> None:
    # One cluster of one 1, one of three 0s: a draw has mean 1, 1/4 or 0, and never the 1/2 of equal weights.
    low, high = bootstrap_interval(cluster_sums(np.array([1.0, 0.0, 0.0, 0.0]), ["a", "b", "b", "b"]))
    assert (low, high) == (0.0, 1.0)
    values = np.array([1.0] * 10 + [0.0] * 30)
    clusters = [f"a{n}" for n in range(10)] + [f"b{n // 3}" for n in range(30)]
    low, high = bootstrap_interval(cluster_sums(values, clusters))
    assert low < 0.25 < high < 0.5


def test_questions_that_stand_and_fall_together_widen_the_interval() -> None:
    rng = np.random.default_rng(2)
    values = np.repeat(rng.normal(size=25), 8)
    low, high = bootstrap_interval(cluster_sums(values, [f"c{n // 8}" for n in range(200)]))
    narrow_low, narrow_high = alone(values)
    # The variance of the mean is that of 25 values, not of 200: a width larger by the root of 8.
    assert (high - low) / (narrow_high - narrow_low) == pytest.approx(np.sqrt(8), rel=0.1)


def test_the_interval_covers_the_true_mean_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    names = [f"{n:02}" for n in range(60)]
    covered = 0
    for n in range(600):
        low, high = bootstrap_interval(cluster_sums(rng.normal(0.3, 1, 60), names), seed=n, resamples=1000)
        covered += low <= 0.3 <= high
    # 600 draws: a standard error of 0.009; the percentile interval of 60 values covers about 94%.
    assert covered / 600 == pytest.approx(0.945, abs=0.028)


def test_the_interval_covers_where_questions_come_in_unequal_clusters() -> None:
    rng = np.random.default_rng(0)
    sizes = np.tile([1, 2, 6], 20)
    names = np.repeat([f"{n:02}" for n in range(60)], sizes).tolist()
    covered = 0
    for n in range(400):
        values = np.repeat(rng.normal(0.3, 1, 60), sizes) + rng.normal(0, 0.5, sizes.sum())
        low, high = bootstrap_interval(cluster_sums(values, names), seed=n, resamples=1000)
        covered += low <= 0.3 <= high
    assert covered / 400 == pytest.approx(0.94, abs=0.04)


def test_draws_come_in_blocks_that_make_up_all_resamples() -> None:
    blocks = list(draws(300_000, seed=0, resamples=3))
    assert [block.shape for block in blocks] == [(1, 300_000)] * 3
    assert sum(len(block) for block in draws(7, seed=0, resamples=1001)) == 1001


def test_a_value_without_a_cluster_is_refused() -> None:
    with pytest.raises(ValueError, match="one cluster for each value"):
        cluster_sums(np.ones(2), ["a"])
    with pytest.raises(ValueError, match="one cluster for each value"):
        cluster_sums(np.ones(0), [])
