"""Two runs compared: what is paired, which way is better, and that it always comes out the same."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Mapping

import numpy as np
import pytest

from eval.compare.comparison import Comparison, MetricComparison, compare
from eval.metrics.metric import Column, Derived, Metric
from eval.scores import Row, Scores


def metric(name: str, *, higher_is_better: bool = True) -> Metric:
    return Metric(name, "", "", lambda _: True, lambda *_: None, higher_is_better=higher_is_better)


def scores(columns: Mapping[str, Mapping[str, float]], clusters: Mapping[str, str] | None = None) -> Scores:
    clusters = clusters or {}
    return Scores(
        [
            Row(question, clusters.get(question, question), "", name, value)
            for name, column in columns.items()
            for question, value in column.items()
        ]
    )


def numbered(values: np.ndarray) -> dict[str, float]:
    return {f"q{n:04}": float(value) for n, value in enumerate(values)}


def compared(baseline: Scores, candidate: Scores, *metrics: Metric, **options: object) -> Comparison:
    options = {"derived": (), "primary": (), "resamples": 500, **options}
    return compare(baseline, candidate, metrics=metrics, **options)  # type: ignore[arg-type]


def only(comparison: Comparison) -> MetricComparison:
    (found,) = comparison.metrics
    return found


def f1(columns: Mapping[str, Column]) -> float:
    precision, recall = columns["p"].mean(), columns["r"].mean()
    return float(2 * precision * recall / (precision + recall)) if precision + recall else math.nan


F1 = Derived("f1", "", "", ("p", "r"), f1)
SPREAD = Derived(
    "spread", "", "", ("m",), lambda columns: float(np.ptp(columns["m"])), higher_is_better=False
)


def test_two_identical_runs_do_not_differ() -> None:
    rng = np.random.default_rng(0)
    run = scores({name: numbered(rng.random(200)) for name in ("m", "p", "r")})
    found = compared(run, run, metric("m"), metric("p"), derived=(F1, SPREAD), primary=("m",))
    assert [c.metric for c in found.metrics] == ["m", "p", "f1", "spread"]
    for one in found.metrics:
        assert (one.difference, one.low, one.high, one.p) == (0, 0, 0, 1)
        assert (one.wins, one.losses, one.detectable) == (0, 0, None)
    assert found.metrics[0].p_holm == 1
    assert found.metrics[0].ties == 200


def test_figures_by_hand() -> None:
    baseline = scores({"m": {"a": 0.0, "b": 0.5, "c": 1.0, "d": 0.25}})
    candidate = scores({"m": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.0}})
    found = only(compared(baseline, candidate, metric("m")))
    assert (found.n, found.wins, found.ties, found.losses) == (4, 2, 1, 1)
    assert (found.baseline, found.candidate, found.difference) == (0.4375, 0.75, 0.3125)
    # Of the 8 sign patterns of 1, 1/2 and 1/4, 1 + 1/2 - 1/4 and 1 + 1/2 + 1/4 and their opposites.
    assert found.p == 4 / 8
    assert found.low < found.difference < found.high


def test_where_lower_is_better_a_fall_is_a_win() -> None:
    baseline = scores({"m": {"a": 5.0, "b": 5.0, "c": 5.0, "d": 5.0}})
    candidate = scores({"m": {"a": 4.0, "b": 5.0, "c": 10.0, "d": 5.5}})
    found = only(compared(baseline, candidate, metric("m", higher_is_better=False)))
    assert (found.wins, found.ties, found.losses) == (1, 1, 2)
    assert found.difference == pytest.approx(4.5 / 4)
    assert not found.higher_is_better


def test_values_equal_but_for_rounding_are_ties() -> None:
    found = only(compared(scores({"m": {"a": 0.1 + 0.2}}), scores({"m": {"a": 0.3}}), metric("m")))
    assert (found.ties, found.difference, found.p) == (1, 0.0, 1.0)


def test_only_questions_of_both_runs_are_paired_and_the_others_named() -> None:
    baseline = scores({"m": {"a": 1.0, "b": 1.0, "gone": 0.0}})
    candidate = scores({"m": {"new": 0.0, "a": 1.0, "b": 0.0}})
    found = compared(baseline, candidate, metric("m"))
    assert (found.questions, found.only_baseline, found.only_candidate) == (2, ("gone",), ("new",))
    assert (only(found).n, only(found).baseline, only(found).candidate) == (2, 1.0, 0.5)


def test_a_metric_without_a_question_in_common_is_named_and_not_compared() -> None:
    baseline = scores({"m": {"a": 1.0}, "x": {"a": 1.0}})
    candidate = scores({"m": {"a": 1.0}})
    found = compared(baseline, candidate, metric("m"), metric("x"), metric("never scored"))
    assert [c.metric for c in found.metrics] == ["m"]
    assert found.unpaired == ("x",)


def test_holm_is_over_the_primary_metrics_only() -> None:
    rng = np.random.default_rng(0)
    baseline = scores({name: numbered(rng.random(12)) for name in ("m", "x", "y")})
    candidate = scores({name: numbered(rng.random(12)) for name in ("m", "x", "y")})
    found = compared(baseline, candidate, metric("m"), metric("x"), metric("y"), primary=("m", "y"))
    by_name = {c.metric: c for c in found.metrics}
    assert [c.primary for c in found.metrics] == [True, False, True]
    assert by_name["x"].p_holm is None
    smaller, larger = sorted((by_name["m"], by_name["y"]), key=lambda c: c.p)
    assert smaller.p_holm == pytest.approx(min(1, 2 * smaller.p))
    assert larger.p_holm == pytest.approx(max(larger.p, smaller.p_holm or 0))


def test_questions_of_a_cluster_count_as_one() -> None:
    names = [f"q{n:02}" for n in range(30)]
    baseline = scores({"m": dict.fromkeys(names, 0.0)})
    better = dict.fromkeys(names, 1.0)
    clustered = scores({"m": better}, clusters={name: f"c{n // 10}" for n, name in enumerate(names)})
    assert only(compared(baseline, scores({"m": better}), metric("m"))).p < 0.01
    assert only(compared(baseline, clustered, metric("m"))).p == 2 / 8


def test_a_derived_figure_is_that_of_each_run_and_its_change_is_found() -> None:
    rng = np.random.default_rng(0)
    good, bad = (rng.random(80) < 0.9).astype(float), (rng.random(80) < 0.4).astype(float)
    baseline = scores({"p": numbered(good), "r": numbered(good)})
    candidate = scores({"p": numbered(bad), "r": numbered(good)})
    found = only(compared(baseline, candidate, derived=(F1,)))
    assert found.baseline == pytest.approx(good.mean())
    assert found.candidate == pytest.approx(2 / (1 / bad.mean() + 1 / good.mean()))
    assert found.high < 0
    assert found.p == 1 / 501
    assert found.detectable == pytest.approx(2.8 * (found.high - found.low) / 3.92, rel=0.1)


def test_a_derived_p_of_few_clusters_counts_every_swap() -> None:
    baseline, candidate = scores({"m": {"a": 0.0, "b": 0.0}}), scores({"m": {"a": 0.0, "b": 1.0}})
    # The spreads (0, 1) become (1, 0) by swapping b: all four ways are as far apart.
    assert only(compared(baseline, candidate, derived=(SPREAD,))).p == 1.0
    total = Derived("total", "", "", ("m",), lambda columns: float(columns["m"].sum()))
    candidate = scores({"m": {"a": 1.0, "b": 1.0}})
    assert only(compared(baseline, candidate, derived=(total,))).p == 2 / 4


def test_a_derived_figure_uses_rows_that_only_one_run_has() -> None:
    baseline = scores({"m": {"a": 0.0, "b": 3.0, "c": 1.0}, "other": {"a": 1.0}})
    candidate = scores({"m": {"b": 3.0, "c": 1.0}, "other": {"a": 1.0}})
    found = only(compared(baseline, candidate, derived=(SPREAD,)))
    assert (found.baseline, found.candidate, found.n) == (3.0, 2.0, 2)


def test_an_undefined_derived_figure_is_not_compared() -> None:
    zero = scores({"p": {"a": 0.0}, "r": {"a": 0.0}})
    one = scores({"p": {"a": 1.0}, "r": {"a": 1.0}})
    assert compared(zero, one, derived=(F1,)).metrics == ()
    assert compared(scores({"p": {"a": 1.0}}), one, derived=(F1,)).metrics == ()


def test_identical_runs_whose_figure_is_zero_do_not_differ() -> None:
    run = scores({"m": dict.fromkeys("abcdefghijklmnop", 2.0)})
    found = only(compared(run, run, derived=(SPREAD,)))
    assert (found.candidate, found.difference, found.p) == (0.0, 0.0, 1.0)


def test_swaps_that_leave_a_figure_undefined_count_as_extreme() -> None:
    first = Derived(
        "first",
        "",
        "",
        ("m",),
        lambda columns: math.nan if columns["m"].sum() == 3 else float(columns["m"][0]),
    )
    baseline, candidate = scores({"m": {"a": 0.0, "b": 0.0}}), scores({"m": {"a": 1.0, "b": 2.0}})
    # Unswapped, the candidate's sum is 3 and its figure undefined.
    assert compared(baseline, candidate, derived=(first,)).metrics == ()
    baseline, candidate = scores({"m": {"a": 0.0, "b": 1.0}}), scores({"m": {"a": 2.0, "b": 2.0}})
    # The sums are 1 and 4. Swapping either question alone gives one run 3: undefined twice, and so extreme.
    assert only(compared(baseline, candidate, derived=(first,))).p == 1.0
    defined = Derived("sum", "", "", ("m",), lambda columns: float(columns["m"].sum()))
    assert only(compared(baseline, candidate, derived=(defined,))).p == 2 / 4


def test_under_the_null_a_derived_p_keeps_its_level() -> None:
    rng = np.random.default_rng(0)
    median = Derived("median", "", "", ("m",), lambda columns: float(np.median(columns["m"])))
    ps = []
    for n in range(200):
        runs = [scores({"m": numbered(rng.normal(size=15))}) for _ in range(2)]
        ps.append(only(compared(*runs, derived=(median,), seed=n, resamples=99)).p)
    assert 0.01 <= np.mean(np.array(ps) <= 0.05) <= 0.1
    assert np.mean(np.array(ps) <= 0.5) == pytest.approx(0.5, abs=0.11)


def test_runs_without_a_question_in_common_compare_to_nothing() -> None:
    found = compared(scores({"m": {"a": 1.0}}), scores({"m": {"b": 1.0}}), metric("m"), derived=(SPREAD,))
    assert (found.metrics, found.questions) == ((), 0)


def test_the_order_of_rows_changes_nothing() -> None:
    rng = np.random.default_rng(0)
    baseline, candidate = (scores({"m": numbered(rng.random(90))}) for _ in range(2))
    shuffled = Scores([candidate.rows[place] for place in rng.permutation(90)])
    first = compared(baseline, candidate, metric("m"), derived=(SPREAD,))
    assert compared(baseline, shuffled, metric("m"), derived=(SPREAD,)) == first
    assert Comparison.model_validate_json(first.model_dump_json()) == first


PROGRAM = """
import json
import numpy as np
from eval.compare.comparison import compare
from eval.metrics.metric import Derived, Metric
from eval.scores import Row, Scores
rng = np.random.default_rng(8)
runs = [
    Scores([Row(f"q{n}", f"c{n // 2}", "", "m", float(v)) for n, v in enumerate(rng.normal(0, 1, 80))])
    for _ in range(2)
]
metric = Metric("m", "", "", lambda _: True, lambda *_: None)
derived = Derived("median", "", "", ("m",), lambda columns: float(np.median(columns["m"])))
found = compare(*runs, metrics=[metric], derived=[derived], primary=["m"], resamples=700)
print(json.dumps(found.model_dump()))
"""


def test_another_process_finds_the_same() -> None:
    found = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", PROGRAM],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
        for seed in ("1", "2")
    ]
    assert found[0] == found[1]
    assert 0 < found[0]["metrics"][0]["p"] < 1
