"""nDCG with both gains, by hand."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from eval.metrics.ndcg import ndcg, ndcg_exp

Kernel = Callable[[list[str], dict[str, int], int], float]

GRADED = {"a": 3, "b": 1, "x": 0}
RANKED = ["b", "u", "a"]  # u is unjudged


def test_linear_gain_counts_the_grade_discounted_by_rank() -> None:
    # Discounts of ranks 1 to 3: 1, 1/log2(3), 1/2. Ideal: 3 at rank 1, 1 at rank 2.
    assert ndcg(RANKED, GRADED, 10) == pytest.approx((1 + 3 / 2) / (3 + 1 / math.log2(3)))


def test_exponential_gain_counts_two_to_the_grade_less_one() -> None:
    assert ndcg_exp(RANKED, GRADED, 10) == pytest.approx((1 + 7 / 2) / (7 + 1 / math.log2(3)))


def test_the_gains_agree_on_binary_grades_and_differ_on_others() -> None:
    binary = {"a": 1, "b": 1, "x": 0}
    assert ndcg(RANKED, binary, 10) == ndcg_exp(RANKED, binary, 10)
    assert ndcg(RANKED, GRADED, 10) != pytest.approx(ndcg_exp(RANKED, GRADED, 10))


@pytest.mark.parametrize("measure", [ndcg, ndcg_exp])
def test_the_best_order_scores_one_even_with_more_relevant_sources_than_k(measure: Kernel) -> None:
    assert measure(["a", "b"], {"a": 2, "b": 2, "c": 1}, 2) == 1.0


@pytest.mark.parametrize("measure", [ndcg, ndcg_exp])
def test_below_k_there_is_no_gain(measure: Kernel) -> None:
    assert measure(["u"] * 10 + ["a"], {"a": 1}, 10) == 0.0


@pytest.mark.parametrize("measure", [ndcg, ndcg_exp])
@pytest.mark.parametrize(("ranked", "judgements"), [([], {"a": 1}), (["a"], {}), (["a"], {"a": 0})])
def test_nothing_found_or_nothing_to_find_is_zero(
    measure: Kernel, ranked: list[str], judgements: dict[str, int]
) -> None:
    assert measure(ranked, judgements, 10) == 0.0
