"""Average precision, by hand."""

from __future__ import annotations

import pytest

from eval.metrics.average_precision import average_precision


def test_precision_at_each_relevant_source_is_averaged_over_all_of_them() -> None:
    # a at rank 1 (1/1), b at rank 3 (2/3), c never found.
    judgements = {"a": 1, "b": 2, "c": 1, "x": 0}
    assert average_precision(["a", "x", "b"], judgements, 100) == pytest.approx((1 + 2 / 3) / 3)


def test_the_divisor_is_not_cut_at_k() -> None:
    assert average_precision(["a", "b"], {"a": 1, "b": 1, "c": 1, "d": 1}, 2) == 0.5


def test_below_k_nothing_counts() -> None:
    assert average_precision(["a", "b"], {"a": 1, "b": 1}, 1) == 0.5


@pytest.mark.parametrize(("ranked", "judgements"), [([], {"a": 1}), (["a"], {}), (["a"], {"a": 0})])
def test_nothing_found_or_nothing_to_find_is_zero(ranked: list[str], judgements: dict[str, int]) -> None:
    assert average_precision(ranked, judgements, 100) == 0.0
