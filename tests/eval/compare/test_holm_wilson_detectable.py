"""Holm's adjustment, Wilson's interval and the detectable difference, by hand and against scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from eval.compare.clusters import cluster_sums
from eval.compare.detectable import detectable_difference, standard_error
from eval.compare.holm import holm
from eval.compare.sign_flip import sign_flip
from eval.compare.wilson import wilson


def test_holm_multiplies_by_the_number_of_hypotheses_left() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_never_passes_one_nor_reverses_an_order() -> None:
    assert holm([0.6, 0.9, 0.02]) == pytest.approx([1.0, 1.0, 0.06])
    assert holm([0.02, 0.021]) == pytest.approx([0.04, 0.04])


def test_holm_of_one_or_none_is_as_given() -> None:
    assert holm([0.03]) == [0.03]
    assert holm([]) == []


@pytest.mark.parametrize(("successes", "n"), [(0, 10), (10, 10), (1, 3), (47, 120), (999, 1000), (1, 1)])
def test_wilson_is_that_of_scipy(successes: int, n: int) -> None:
    reference = stats.binomtest(successes, n).proportion_ci(method="wilson")
    assert wilson(successes, n) == pytest.approx((reference.low, reference.high), abs=1e-12)


def test_wilson_reaches_its_ends_exactly() -> None:
    assert wilson(0, 7)[0] == 0.0
    assert wilson(7, 7)[1] == 1.0


@pytest.mark.parametrize(("successes", "n"), [(1, 0), (-1, 5), (6, 5)])
def test_what_is_no_rate_is_refused(successes: int, n: int) -> None:
    with pytest.raises(ValueError, match="not a rate"):
        wilson(successes, n)


def test_the_standard_error_of_single_questions_is_the_textbook_one() -> None:
    values = np.random.default_rng(0).normal(size=40)
    found = standard_error(cluster_sums(values, [str(n) for n in range(40)]))
    assert found == pytest.approx(values.std(ddof=1) / math.sqrt(40))


def test_the_standard_error_counts_repeated_questions_once() -> None:
    values = np.random.default_rng(0).normal(size=40)
    tripled = standard_error(cluster_sums(np.repeat(values, 3), [str(n // 3) for n in range(120)]))
    assert tripled == pytest.approx(values.std(ddof=1) / math.sqrt(40))


def test_the_detectable_difference_is_2_8_standard_errors() -> None:
    factor = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert detectable_difference(0.1) == pytest.approx(0.1 * factor)


def test_without_spread_no_difference_can_be_named() -> None:
    assert detectable_difference(standard_error(cluster_sums(np.full(3, 0.1), ["a", "b", "c"]))) is None
    assert detectable_difference(standard_error(cluster_sums(np.ones(3), ["a", "a", "a"]))) is None


def test_a_detectable_difference_is_detected_four_times_in_five() -> None:
    rng = np.random.default_rng(0)
    true = detectable_difference(1 / math.sqrt(60))
    assert true is not None
    found = [sign_flip(rng.normal(true, 1, 60), seed=n, resamples=499) < 0.05 for n in range(400)]
    assert np.mean(found) == pytest.approx(0.8, abs=0.06)
