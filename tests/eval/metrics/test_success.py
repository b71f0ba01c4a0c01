"""Success, by hand."""

from __future__ import annotations

import pytest

from eval.metrics.success import success


def test_one_relevant_source_among_the_first_k_is_success() -> None:
    assert success(["x", "y", "a"], {"a": 1, "x": 0}, 3) == 1.0
    assert success(["x", "y", "a"], {"a": 1, "x": 0}, 2) == 0.0


def test_more_than_one_is_no_more_of_a_success() -> None:
    assert success(["a", "b"], {"a": 1, "b": 2}, 5) == 1.0


@pytest.mark.parametrize(("ranked", "judgements"), [([], {"a": 1}), (["a"], {}), (["a"], {"a": 0})])
def test_nothing_found_or_nothing_to_find_is_zero(ranked: list[str], judgements: dict[str, int]) -> None:
    assert success(ranked, judgements, 5) == 0.0
