"""A run summed up: means, the interval that fits, and categories."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from eval.compare.wilson import wilson
from eval.metrics.metric import Derived, Metric
from eval.scores import Row, Scores
from eval.summary import Figure, Summary, summarise


def metric(name: str, unit: str = "") -> Metric:
    return Metric(name, f"what {name} means", "", lambda _: True, lambda *_: None, unit=unit)


def rows(name: str, values: Iterable[float], *, category: str = "", per_cluster: int = 1) -> list[Row]:
    return [
        Row(f"{category}{n:03}", f"{category}c{n // per_cluster:03}", category, name, float(value))
        for n, value in enumerate(values)
    ]


def summed(found: list[Row], *metrics: Metric, derived: tuple[Derived, ...] = ()) -> Summary:
    return summarise(Scores(found), metrics=metrics, derived=derived, resamples=1000)


def only(summary: Summary) -> Figure:
    (figure,) = summary.figures
    return figure


def test_a_rate_has_the_interval_of_wilson() -> None:
    figure = only(summed(rows("m", [1, 1, 1, 0]), metric("m")))
    assert (figure.value, figure.n, figure.interval) == (0.75, 4, "wilson")
    assert (figure.low, figure.high) == wilson(3, 4)
    assert figure.meaning == "what m means"


def test_a_rate_over_clusters_of_questions_has_a_bootstrap_over_them() -> None:
    values = [1] * 60 + [0] * 40
    clustered = only(summed(rows("m", values, per_cluster=10), metric("m")))
    assert clustered.interval == "bootstrap"
    low, high = wilson(60, 100)
    assert clustered.high - clustered.low > 2 * (high - low)


def test_a_perfect_rate_over_clusters_claims_no_certainty() -> None:
    figure = only(summed(rows("m", [1] * 30, per_cluster=10), metric("m")))
    assert (figure.value, figure.low, figure.high, figure.interval) == (1.0, *wilson(3, 3), "wilson")
    none = only(summed(rows("m", [0] * 30, per_cluster=10), metric("m")))
    assert (none.low, none.high) == wilson(0, 3)


def test_other_values_have_a_bootstrap() -> None:
    values = np.random.default_rng(0).random(50)
    figure = only(summed(rows("m", values), metric("m")))
    assert figure.interval == "bootstrap"
    assert figure.value == pytest.approx(values.mean())
    error = values.std() / np.sqrt(50)
    assert (figure.low, figure.high) == pytest.approx(
        (figure.value - 1.96 * error, figure.value + 1.96 * error), abs=0.3 * error
    )


def test_an_amount_is_no_rate_even_if_all_are_zero() -> None:
    figure = only(summed(rows("tokens", [0] * 20), metric("tokens", unit="tokens")))
    assert (figure.low, figure.high, figure.interval, figure.unit) == (0.0, 0.0, "bootstrap", "tokens")


def test_figures_come_by_category_too_and_the_empty_one_is_none() -> None:
    found = rows("m", [1, 1], category="b") + rows("m", [0, 1], category="a") + rows("m", [0])
    summary = summed(found, metric("m"))
    assert list(summary.categories) == ["a", "b"]
    assert {name: figures[0].value for name, figures in summary.categories.items()} == {"a": 0.5, "b": 1.0}
    assert (only(summary).value, summary.questions) == (0.6, 5)


def test_a_metric_that_no_question_has_is_left_out() -> None:
    summary = summed(rows("m", [1, 0]), metric("m"), metric("absent"))
    assert only(summary).metric == "m"


def test_failed_questions_are_counted() -> None:
    assert summed(rows("crashed", [0, 1, 1]), metric("crashed")).crashed == 2
    assert summed(rows("m", [0, 1]), metric("m")).crashed == 0


def test_a_derived_figure_has_an_interval_and_uses_questions_that_have_all_it_needs() -> None:
    ratio = Derived(
        "ratio", "", "", ("a", "b"), lambda columns: float(columns["a"].sum() / columns["b"].sum()), unit="x"
    )
    rng = np.random.default_rng(0)
    found = rows("a", rng.random(60) + 1) + rows("b", rng.random(40) + 2)
    figure = only(summed(found, derived=(ratio,)))
    a = [row.value for row in found if row.metric == "a"][:40]
    b = [row.value for row in found if row.metric == "b"]
    assert figure.value == pytest.approx(sum(a) / sum(b))
    assert figure.low < figure.value < figure.high
    assert (figure.n, figure.interval, figure.unit) == (40, "bootstrap", "x")


def test_an_undefined_derived_figure_is_left_out() -> None:
    undefined = Derived("u", "", "", ("a",), lambda _: float("nan"))
    assert summed(rows("a", [1, 0]), derived=(undefined,)).figures == ()
    assert summed(rows("b", [1, 0]), derived=(undefined,)).figures == ()


def test_a_summary_is_the_same_in_any_order_and_survives_json() -> None:
    rng = np.random.default_rng(0)
    found = rows("m", rng.random(40), category="a", per_cluster=2)
    shuffled = [found[place] for place in rng.permutation(40)]
    first = summed(found, metric("m"))
    assert summed(shuffled, metric("m")) == first
    assert Summary.model_validate_json(first.model_dump_json()) == first
