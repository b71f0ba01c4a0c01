"""The gate: what stops a run, what lets it pass, and what it says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from eval.gate.gate import Check, GateResult, check_gate
from eval.gate.thresholds import Thresholds
from eval.metrics.metric import Derived, Metric
from eval.scores import Row, Scores


def metric(name: str, *, higher_is_better: bool = True) -> Metric:
    return Metric(name, "", "", lambda _: True, lambda *_: None, higher_is_better=higher_is_better)


METRICS = (metric("m"), metric("latency", higher_is_better=False), metric("leak", higher_is_better=False))
DERIVED = (Derived("worst", "", "", ("m",), lambda columns: float(columns["m"].min())),)


def rows(name: str, values: Sequence[float] | np.ndarray, category: str = "") -> list[Row]:
    return [Row(f"{category}q{n}", f"{category}q{n}", category, name, float(v)) for n, v in enumerate(values)]


def gate(thresholds: Thresholds, found: list[Row], baseline: list[Row] | None = None) -> GateResult:
    return check_gate(
        thresholds,
        Scores(found),
        None if baseline is None else Scores(baseline),
        metrics=METRICS,
        derived=DERIVED,
        resamples=1000,
    )


def only(result: GateResult) -> Check:
    (check,) = result.checks
    assert result.passed is check.passed
    return check


def test_a_floor_stops_what_lies_below_it_and_says_by_what() -> None:
    check = only(gate(Thresholds(floors={"m": 0.8}), rows("m", [1, 1, 1, 0])))
    assert (check.passed, check.kind, check.value, check.bound) == (False, "floor", 0.75, 0.8)
    assert check.message == "0.75 is below the floor of 0.8 (n = 4, 95% interval 0.3006 to 0.9544)"
    assert check.name == "floor m"


def test_a_floor_lets_pass_what_reaches_it_even_if_rounding_falls_short() -> None:
    # In binary the mean of 0.1 and 0.7 is 0.39999999999999997.
    check = only(gate(Thresholds(floors={"m": 0.4}), rows("m", [0.1, 0.7])))
    assert check.passed
    assert "at or above the floor" in check.message


def test_a_ceiling_stops_what_lies_above_it() -> None:
    found = rows("latency", [10, 20, 30])
    assert only(gate(Thresholds(ceilings={"latency": 20}), found)).passed
    check = only(gate(Thresholds(ceilings={"latency": 19}), found))
    assert not check.passed
    assert "20 is above the ceiling of 19" in check.message


def test_a_derived_figure_can_be_bound() -> None:
    assert not gate(Thresholds(floors={"worst": 0.5}), rows("m", [0.4, 0.9, 1])).passed
    assert gate(Thresholds(floors={"worst": 0.4}), rows("m", [0.4, 0.9, 1])).passed


def test_a_category_has_floors_of_its_own() -> None:
    found = rows("m", [1, 1], "a") + rows("m", [0, 1], "b")
    result = gate(Thresholds(floors={"m": 0.7}, categories={"a": {"m": 0.9}, "b": {"m": 0.9}}), found)
    assert [(c.name, c.passed) for c in result.checks] == [
        ("floor m", True),
        ("floor m in a", True),
        ("floor m in b", False),
    ]
    assert not result.passed


@pytest.mark.parametrize(
    "thresholds",
    [
        Thresholds(floors={"m": 0.0}),
        Thresholds(ceilings={"m": 1.0}),
        Thresholds(floors={"worst": 0.0}),
        Thresholds(zero_tolerance=("m",)),
        Thresholds(regressions={"m": 1.0}),
        Thresholds(categories={"gone": {"leak": 0.0}}),
    ],
)
def test_what_the_run_has_no_value_for_fails(thresholds: Thresholds) -> None:
    check = only(gate(thresholds, rows("leak", [0, 0]), rows("m", [1, 1])))
    assert (check.passed, check.value) == (False, None)
    assert check.message.startswith("cannot be checked: ")


def test_a_metric_nobody_knows_fails() -> None:
    thresholds = Thresholds(floors={"x": 0}, regressions={"x": 1}, zero_tolerance=("x",))
    result = gate(thresholds, rows("x", [1]), rows("x", [1]))
    assert [check.passed for check in result.checks] == [False, False, False]


def test_a_regression_without_a_baseline_fails_and_says_so() -> None:
    check = only(gate(Thresholds(regressions={"m": 0.5}), rows("m", [1, 1])))
    assert not check.passed
    assert "no baseline" in check.message


def test_a_drop_beyond_tolerance_and_chance_stops_the_run() -> None:
    baseline, worse = rows("m", [1] * 40), rows("m", [1] * 30 + [0] * 10)
    check = only(gate(Thresholds(regressions={"m": 0.1}), worse, baseline))
    assert (check.passed, check.value, check.bound) == (False, -0.25, -0.1)
    assert check.message.startswith("1 to 0.75, a change of -0.25 (n = 40, 95% interval -0.")
    assert check.message.endswith("worse beyond the tolerance of 0.1, and beyond chance")


def test_a_drop_within_tolerance_passes_however_sure_it_is() -> None:
    # In binary the change is -0.3000000000000001.
    baseline, worse = rows("m", [1] * 28), rows("m", [0.7] * 28)
    check = only(gate(Thresholds(regressions={"m": 0.3}), worse, baseline))
    assert check.passed
    assert "within the tolerance" in check.message


def test_a_drop_that_may_be_chance_passes_however_large_it_is() -> None:
    baseline, worse = rows("m", [1, 1, 0, 1]), rows("m", [0, 1, 1, 0])
    check = only(gate(Thresholds(regressions={"m": 0.1}), worse, baseline))
    assert check.passed
    assert "the interval reaches zero" in check.message


def test_a_rise_is_the_regression_where_lower_is_better() -> None:
    slow, quick = rows("latency", [30.0] * 20), rows("latency", [20.0] * 20)
    check = only(gate(Thresholds(regressions={"latency": 5}), slow, quick))
    assert (check.passed, check.value, check.bound) == (False, 10.0, 5.0)
    assert only(gate(Thresholds(regressions={"latency": 5}), quick, slow)).message.endswith("not worse")


def test_a_gain_passes() -> None:
    assert gate(Thresholds(regressions={"m": 0}), rows("m", [1] * 20), rows("m", [0] * 20)).passed


def test_no_change_passes_at_no_tolerance() -> None:
    values = np.random.default_rng(0).random(50)
    assert gate(Thresholds(regressions={"m": 0, "worst": 0}), rows("m", values), rows("m", values)).passed


def test_questions_that_only_the_baseline_has_are_mentioned() -> None:
    check = only(gate(Thresholds(regressions={"m": 0}), rows("m", [1, 1]), rows("m", [1, 1, 1])))
    assert check.message.endswith("; 1 questions of the baseline are not in this run")


def test_zero_tolerance_names_each_question_at_fault() -> None:
    check = only(gate(Thresholds(zero_tolerance=("m",)), rows("m", [1, 0.99, 1, 0])))
    assert (check.passed, check.questions, check.bound) == (False, ("q1", "q3"), 1.0)
    assert check.message == "2 of 4 questions are not at 1: q1, q3"


def test_zero_tolerance_is_for_zero_where_lower_is_better() -> None:
    assert gate(Thresholds(zero_tolerance=("leak",)), rows("leak", [0, 0])).passed
    check = only(gate(Thresholds(zero_tolerance=("leak",)), rows("leak", [0] + [1] * 8)))
    assert check.message == "8 of 9 questions are not at 0: q1, q2, q3, q4, q5 and 3 more"
    assert len(check.questions) == 8


def test_a_result_survives_json() -> None:
    result = gate(Thresholds(floors={"m": 0.8}, regressions={"m": 0.1}), rows("m", [1, 0]))
    assert GateResult.model_validate_json(result.model_dump_json()) == result
