"""Latency, tokens and price."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from eval.case import Case, Run
from eval.metrics import crashed, latency, tokens
from eval.outcome import Outcome
from eval.scoring import score
from rag.answer import Usage
from rag.verify import Verifier

METRICS = (*latency.METRICS, *tokens.METRICS, *crashed.METRICS)


def rows(question: Any, outcome: Outcome) -> dict[str, float]:
    run = Run([Case(question, outcome)], {}, Verifier(lambda term: 1.0))
    return {row.metric: row.value for row in score(run, METRICS).rows}


def test_times_and_tokens_are_the_ones_measured(desk: Any, ask: Any) -> None:
    answer = desk().refusal(usage=Usage(input_tokens=900, output_tokens=40))
    assert rows(ask(), Outcome(question_id="q", answer=answer, ask_ms=12.5, search_ms=3.0)) == {
        "latency_ms": 12.5,
        "search_ms": 3.0,
        "input_tokens": 900,
        "output_tokens": 40,
        "crashed": 0.0,
    }
    unmeasured = rows(ask(), Outcome(question_id="q", answer=answer))
    assert set(unmeasured) == {"input_tokens", "output_tokens", "crashed"}


def test_a_crash_costs_nothing_and_is_shown(ask: Any) -> None:
    assert rows(ask(), Outcome(question_id="q", error="fell over", ask_ms=1.0)) == {"crashed": 1.0}


def test_percentiles_are_values_that_were_measured() -> None:
    column = {"latency_ms": np.arange(1.0, 201.0)}
    found = {derived.name: derived.value(column) for derived in latency.DERIVED}
    assert found == {"latency_p50": 100.0, "latency_p95": 190.0, "latency_p99": 198.0}


def test_tokens_and_price_are_sums_over_the_run() -> None:
    columns = {"input_tokens": np.array([1e6, 5e5]), "output_tokens": np.array([1e5, 0.0])}
    (total,) = tokens.DERIVED
    assert total.value(columns) == 1_600_000
    price = tokens.cost(2.0, 8.0, "EUR")
    assert price.value(columns) == pytest.approx(3.8)
    assert price.unit == "EUR"
    with pytest.raises(ValueError, match="negative: -1"):
        tokens.cost(2.0, -1)
