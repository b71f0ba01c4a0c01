"""The registry of metrics."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import pytest

import eval.metrics
from eval.metrics import DERIVED, METRICS, PRIMARY, UnknownMetric, metric_named


def test_every_metric_of_every_module_is_registered_once() -> None:
    modules = [
        import_module(f"eval.metrics.{found.name}") for found in pkgutil.iter_modules(eval.metrics.__path__)
    ]
    metrics = [metric for module in modules for metric in getattr(module, "METRICS", ())]
    derived = [figure for module in modules for figure in getattr(module, "DERIVED", ())]
    assert {metric.name for metric in metrics} == {metric.name for metric in METRICS}
    assert {figure.name for figure in derived} == {figure.name for figure in DERIVED}
    names = [figure.name for figure in (*METRICS, *DERIVED)]
    assert len(names) == len(set(names))


def test_every_metric_says_what_it_means_and_where_it_comes_from() -> None:
    assert [figure.name for figure in (*METRICS, *DERIVED) if not (figure.meaning and figure.source)] == []


def test_what_is_derived_needs_what_there_is() -> None:
    assert {name for figure in DERIVED for name in figure.needs} <= {metric.name for metric in METRICS}


def test_the_primary_ones_are_few_and_exist() -> None:
    assert len(PRIMARY) <= 6
    assert [metric_named(name).name for name in PRIMARY] == list(PRIMARY)


def test_a_misspelt_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownMetric, match=r"'citation_recal'; did you mean citation_recall"):
        metric_named("citation_recal")
    with pytest.raises(UnknownMetric, match=r"there are recall@10, "):
        metric_named("§")
