"""Reciprocal rank, by hand."""

from __future__ import annotations

import pytest

from eval.metrics.reciprocal_rank import reciprocal_rank


def test_it_is_one_over_the_rank_of_the_first_relevant_source() -> None:
    assert reciprocal_rank(["x", "u", "a", "b"], {"x": 0, "a": 1, "b": 3}, 10) == pytest.approx(1 / 3)


def test_below_k_it_is_zero() -> None:
    assert reciprocal_rank(["u"] * 9 + ["a"], {"a": 1}, 10) == pytest.approx(1 / 10)
    assert reciprocal_rank(["u"] * 10 + ["a"], {"a": 1}, 10) == 0.0


@pytest.mark.parametrize(("ranked", "judgements"), [([], {"a": 1}), (["a"], {}), (["a"], {"a": 0})])
def test_nothing_found_or_nothing_to_find_is_zero(ranked: list[str], judgements: dict[str, int]) -> None:
    assert reciprocal_rank(ranked, judgements, 10) == 0.0
