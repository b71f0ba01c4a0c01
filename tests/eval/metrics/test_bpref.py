"""bpref, by hand."""

from __future__ import annotations

import pytest

from eval.metrics.bpref import bpref

# R = 3 relevant, N = 2 judged not relevant.
JUDGEMENTS = {"a": 1, "b": 1, "c": 2, "x": 0, "y": 0}


def test_each_relevant_source_loses_by_the_non_relevant_above_it() -> None:
    # a: none above, 1. b: x above, 1 - 1/2. c: x and y above, 1 - 2/2.
    assert bpref(["a", "x", "b", "y", "c"], JUDGEMENTS) == pytest.approx((1 + 1 / 2 + 0) / 3)


def test_unjudged_sources_change_nothing() -> None:
    with_unjudged = ["u", "a", "v", "x", "w", "b"]
    assert bpref(with_unjudged, JUDGEMENTS) == bpref(["a", "x", "b"], JUDGEMENTS) == pytest.approx(1.5 / 3)


def test_more_non_relevant_above_than_relevant_sources_cost_no_more_than_all() -> None:
    # R = 1, N = 3: the penalty is bounded by min(3, 1) / min(1, 3).
    assert bpref(["x", "y", "z", "a"], {"a": 1, "x": 0, "y": 0, "z": 0}) == 0.0


def test_without_judged_non_relevant_sources_it_is_the_recall_of_the_whole_ranking() -> None:
    assert bpref(["u", "a", "v"], {"a": 1, "b": 1}) == 0.5


@pytest.mark.parametrize(("ranked", "judgements"), [([], {"a": 1}), (["a"], {}), (["a"], {"a": 0})])
def test_nothing_found_or_nothing_to_find_is_zero(ranked: list[str], judgements: dict[str, int]) -> None:
    assert bpref(ranked, judgements) == 0.0
