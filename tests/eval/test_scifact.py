"""The metrics of the SciFact measurement."""

from __future__ import annotations

import math

import pytest

from eval.scifact import is_same, ndcg, recall


def test_ndcg_discounts_by_rank_and_normalises_by_the_ideal_order() -> None:
    assert ndcg(["a", "b"], {"a": 1, "b": 1}, 10) == 1.0
    assert ndcg(["x", "a"], {"a": 1}, 10) == pytest.approx(1 / math.log2(3))
    assert ndcg(["b", "a"], {"a": 2, "b": 1}, 10) == pytest.approx(
        (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3))
    )
    assert ndcg(["x"] * 10 + ["a"], {"a": 1}, 10) == 0.0


def test_recall_is_of_all_that_is_relevant() -> None:
    assert recall(["a", "x", "b"], {"a": 1, "b": 1, "c": 1}, 3) == pytest.approx(2 / 3)
    assert recall(["a", "x", "b"], {"a": 1, "b": 1}, 1) == 0.5


def test_a_sentence_is_the_same_whatever_its_boundaries() -> None:
    assert is_same("Mice lived longer.", "RESULTS: Mice lived longer.")
    assert is_same("the mice that were fed less lived longer", "mice that were fed less lived much longer")
    assert not is_same("Rats lived shorter lives.", "Mice lived longer.")
