"""Refusals, rightly and wrongly."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from eval.metrics.refusal import DERIVED, METRICS, refusal_f1
from eval.scores import Scores
from eval.scoring import score

KINDS = {"TP": (False, "refuse"), "FP": (True, "refuse"), "FN": (False, "answer"), "TN": (True, "answer")}


@pytest.fixture
def scores(desk: Any, ask: Any) -> Any:
    """Score questions given as (answerable, "answer", "refuse" or "crash")."""

    def of(*cases: tuple[bool, str]) -> Scores:
        table = desk()
        made = {"answer": table.answer(("So it is.", [])), "refuse": table.refusal(), "crash": None}
        asked = [(ask(id=f"q{n}", answerable=can), made[what]) for n, (can, what) in enumerate(cases)]
        return score(table.run(*asked), METRICS)

    return of


def f1(scores: Scores) -> float:
    (derived,) = DERIVED
    questions = scores.questions(derived.needs)
    return derived.value({name: scores.column(name, questions) for name in derived.needs})


def mean(scores: Scores, metric: str) -> float:
    return float(np.mean(list(scores.by_metric[metric].values())))


@pytest.mark.parametrize("counts", [(3, 1, 2, 4), (1, 0, 0, 0), (0, 2, 1, 0), (5, 5, 1, 9)])
def test_precision_recall_and_f1_are_those_of_the_counts(scores: Any, counts: tuple[int, ...]) -> None:
    tp, fp, fn, tn = counts
    found = scores(*(KINDS[kind] for kind, n in zip(KINDS, counts, strict=True) for _ in range(n)))
    precision, recall = mean(found, "refusal_precision"), mean(found, "refusal_recall")
    assert precision == pytest.approx(tp / (tp + fp))
    assert recall == pytest.approx(tp / (tp + fn))
    harmonic = 2 * precision * recall / (precision + recall) if tp else 0.0
    assert f1(found) == pytest.approx(harmonic)
    if tn + fp:
        assert mean(found, "answer_rate") == pytest.approx(tn / (tn + fp))


def test_refusing_all_and_refusing_none_each_lose(scores: Any) -> None:
    all_refused, none_refused = (scores((True, what), (False, what)) for what in ("refuse", "answer"))
    assert (mean(all_refused, "answer_rate"), mean(all_refused, "refusal_precision")) == (0.0, 0.5)
    assert mean(none_refused, "refusal_recall") == 0.0
    assert "refusal_precision" not in none_refused.by_metric
    assert f1(none_refused) == 0.0


def test_a_crash_never_helps(scores: Any) -> None:
    good = [(True, "answer"), (False, "refuse"), (False, "refuse"), (True, "refuse")]
    before = scores(*good)
    for n, (can, _) in enumerate(good):
        after = scores(*good[:n], (can, "crash"), *good[n + 1 :])
        assert f1(after) <= f1(before)
        for metric in ("answer_rate", "refusal_recall", "refusal_precision", "refusal_accuracy"):
            assert mean(after, metric) <= mean(before, metric)
        assert mean(after, "refused") >= mean(before, "refused")


def test_f1_is_undefined_where_there_was_nothing_to_refuse() -> None:
    assert math.isnan(refusal_f1(np.array([0.0]), np.array([1.0])))
