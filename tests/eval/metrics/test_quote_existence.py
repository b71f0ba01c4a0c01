"""Quotes that stand in their source, and all the ways in which they do not."""

from __future__ import annotations

from typing import Any

import pytest

from eval.metrics.quote_existence import METRICS
from eval.metrics.quotes import passage_at

TEXT = "Naïve mice — 38% of them — slept. They woke."


@pytest.fixture
def score(desk: Any, ask: Any) -> Any:
    def of(*altered: dict[str, Any]) -> float | None:
        table = desk(a=TEXT)
        citations = [table.cite("a", "38% of them", **fields) for fields in altered]
        run = table.run((ask(), table.answer(("So it is.", citations))))
        return METRICS[0].score(run.cases[0], run)

    return of


def test_a_quote_at_its_place_exists(score: Any) -> None:
    assert score({}) == 1.0


@pytest.mark.parametrize(
    "altered",
    [
        {"quote": "83% of them"},
        {"quote": "38% of  them"},
        {"quote_start": 0, "quote_end": 11},
        {"source_id": "b"},
        {"field": "summary"},
        {"quote_start": -32, "quote_end": -21},
        {"quote": "", "quote_start": 5, "quote_end": 5},
        {"quote": "They woke.", "quote_start": 34, "quote_end": 999},
    ],
)
def test_one_letter_place_source_or_field_off_is_found(score: Any, altered: dict[str, Any]) -> None:
    assert score(altered) == 0.0
    assert score({}, altered) == 0.5


def test_answers_without_citations_have_no_quotes_to_check(score: Any, desk: Any, ask: Any) -> None:
    assert score() is None
    run = desk().run((ask(), desk().refusal()))
    assert METRICS[0].score(run.cases[0], run) is None


def test_a_title_can_be_quoted(desk: Any, ask: Any) -> None:
    table = desk(a=TEXT)
    run = table.run((ask(), table.refusal()))
    citation = table.cite("a", "Title", field="title", quote_start=0, quote_end=5)
    assert passage_at(citation, run) == "Title"
