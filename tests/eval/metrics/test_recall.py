"""Recall, by hand."""

from __future__ import annotations

import pytest

from eval.metrics.recall import recall


def test_recall_is_the_share_of_all_that_is_relevant() -> None:
    assert recall(["a", "x", "b"], {"a": 1, "b": 3, "c": 1, "x": 0}, 3) == pytest.approx(2 / 3)


def test_what_lies_below_k_is_not_found() -> None:
    assert recall(["a", "x", "b"], {"a": 1, "b": 1}, 2) == 0.5


def test_more_relevant_sources_than_k_keep_recall_below_one() -> None:
    assert recall(["a", "b", "c"], {"a": 1, "b": 1, "c": 1, "d": 1}, 2) == 0.5


@pytest.mark.parametrize(("ranked", "judgements"), [([], {"a": 1}), (["a"], {}), (["a"], {"a": 0})])
def test_nothing_found_or_nothing_to_find_is_zero(ranked: list[str], judgements: dict[str, int]) -> None:
    assert recall(ranked, judgements, 10) == 0.0
