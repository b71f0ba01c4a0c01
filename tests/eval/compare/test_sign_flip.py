"""The sign-flip test, against enumeration by hand, scipy, and what it promises under the null."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from eval.compare.clusters import cluster_sums
from eval.compare.sign_flip import sign_flip


def test_all_of_three_on_one_side_is_two_patterns_of_eight() -> None:
    assert sign_flip(np.array([1.0, 1.0, 1.0])) == 2 / 8


def test_where_nothing_differs_p_is_exactly_one() -> None:
    assert sign_flip(np.zeros(1000)) == 1.0
    assert sign_flip(np.zeros(3)) == 1.0


def test_clusters_without_a_difference_change_nothing() -> None:
    assert sign_flip(np.array([1.0, 0.0, 1.0, 1.0] + [0.0] * 500)) == 2 / 8


def test_totals_equal_on_paper_count_as_extreme_despite_rounding() -> None:
    # Sums of tenths in binary: several of the 32 totals miss the observed -0.9 by 1e-16.
    tenths = np.array([7, -6, -8, 7, -9])
    assert sign_flip(tenths.astype(float)) == 20 / 32
    assert sign_flip(tenths / 10) == 20 / 32


@pytest.mark.parametrize("count", [2, 5, 9, 14])
def test_exact_p_is_that_of_scipy(count: int) -> None:
    differences = np.random.default_rng(count).normal(0.4, 1, count)
    reference = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=np.inf
    )
    assert sign_flip(differences) == pytest.approx(reference.pvalue, abs=1e-12)


def test_random_patterns_come_near_the_exact_p() -> None:
    differences = np.random.default_rng(3).normal(0.4, 1, 16)
    exact = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=np.inf, vectorized=True
    ).pvalue
    error = np.sqrt(exact * (1 - exact) / 20_000)
    assert 0.01 < exact < 0.9
    assert sign_flip(differences, resamples=20_000) == pytest.approx(exact, abs=4 * error)


def test_a_random_p_is_never_zero() -> None:
    assert sign_flip(np.ones(60), resamples=999) == 1 / 1000


def test_the_sign_of_the_difference_does_not_matter() -> None:
    differences = np.random.default_rng(1).normal(0.2, 1, 40)
    assert sign_flip(differences) == sign_flip(-differences)


def test_another_seed_draws_other_patterns() -> None:
    differences = np.random.default_rng(1).normal(0.2, 1, 40)
    assert len({sign_flip(differences, seed=seed) for seed in range(5)}) > 1
    assert sign_flip(differences, seed=3) == sign_flip(differences, seed=3)


def test_under_the_null_p_is_uniform() -> None:
    rng = np.random.default_rng(0)
    ps = np.array([sign_flip(rng.normal(size=30), seed=n, resamples=499) for n in range(800)])
    # Three standard errors of 800 draws: 0.023 at 0.05, 0.053 at 0.5.
    assert np.mean(ps <= 0.05) == pytest.approx(0.05, abs=0.023)
    assert np.mean(ps <= 0.5) == pytest.approx(0.5, abs=0.053)


def test_flipping_whole_clusters_keeps_the_level_where_questions_depend_on_each_other() -> None:
    rng = np.random.default_rng(0)
    clusters = [f"c{n // 6}" for n in range(120)]
    alone, together = [], []
    for n in range(300):
        differences = np.repeat(rng.normal(size=20), 6) + rng.normal(0, 0.5, 120)
        alone.append(sign_flip(differences, seed=n, resamples=499) <= 0.05)
        together.append(sign_flip(cluster_sums(differences, clusters).sums, seed=n, resamples=499) <= 0.05)
    assert np.mean(alone) > 0.2
    assert np.mean(together) == pytest.approx(0.05, abs=0.038)
