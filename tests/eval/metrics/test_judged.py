"""Judged, by hand."""

from __future__ import annotations

from eval.metrics.judged import judged


def test_judged_non_relevant_sources_count_as_judged() -> None:
    assert judged(["a", "x", "u", "v"], {"a": 1, "x": 0, "b": 1}, 4) == 0.5


def test_a_short_ranking_is_measured_by_its_own_length() -> None:
    assert judged(["a", "u"], {"a": 1}, 10) == 0.5


def test_only_the_first_k_count() -> None:
    assert judged(["u", "a"], {"a": 1}, 1) == 0.0


def test_an_empty_ranking_is_zero() -> None:
    assert judged([], {"a": 1}, 10) == 0.0
