"""Dates in the words of a question restrict what may be cited, and what was restricted is told."""

from __future__ import annotations

import datetime as dt

import pytest

from rag.answer import AskRequest, Filters
from rag.engine import Engine
from rag.period import narrowed, restricting_period, told

TODAY = dt.date(2026, 1, 20)


@pytest.mark.parametrize(
    ("text", "rest", "first", "last"),
    [
        ("What is known of walking since 2025?", "What is known of walking?", dt.date(2025, 1, 1), None),
        ("What of RLHF in 2024?", "What of RLHF?", dt.date(2024, 1, 1), dt.date(2024, 12, 31)),
        ("What is new in the last four weeks on RL?", "What is new on RL?", dt.date(2025, 12, 24), TODAY),
        ("What did work published before 2010 say?", "What did work say?", None, dt.date(2009, 12, 31)),
    ],
)  # fmt: skip
def test_a_period_is_taken_out_of_the_words(
    text: str, rest: str, first: dt.date | None, last: dt.date | None
) -> None:
    period, bare = restricting_period(text, TODAY)
    assert period is not None
    assert (bare, period.first, period.last) == (rest, first, last)


@pytest.mark.parametrize(
    "text",
    [
        "What won the 2023 competition?",
        "How much warmer will it be by 2050?",
        "When was TD-Gammon written, in 1992?",
        "How does it change from 2 to 5 million steps?",
        "in 2024?",
    ],
)
def test_other_dates_and_numbers_stay(text: str) -> None:
    assert restricting_period(text, TODAY) == (None, text)


def test_filters_and_words_restrict_together() -> None:
    period, _ = restricting_period("What is known of walking since 2025?", TODAY)
    assert period is not None
    both = narrowed(Filters(to=dt.date(2025, 6, 30)), period)
    assert (both.from_, both.to) == (dt.date(2025, 1, 1), dt.date(2025, 6, 30))
    assert told(period) == "from 2025-01-01"


def test_an_answer_cites_nothing_from_outside_the_period(engine: Engine) -> None:
    question = "How do legged robots learn to walk"
    free = engine.ask(AskRequest(question=f"{question}?", topic="RL"))
    bound = engine.ask(AskRequest(question=f"{question} since 2023?", topic="RL"))
    assert min(source.date for source in free.sources if source.date) < dt.date(2023, 1, 1)
    assert bound.answered
    assert all(source.date and source.date >= dt.date(2023, 1, 1) for source in bound.sources)
    assert bound.understood.filters.from_ == dt.date(2023, 1, 1)
    assert bound.understood.text == f"{question} since 2023?"


def test_a_period_without_sources_is_refused_with_what_is_near_outside_it(engine: Engine) -> None:
    answer = engine.ask(AskRequest(question="How do robots learn to walk in 1961?", topic="RL"))
    assert answer.reason is not None
    assert answer.reason.message == (
        "No source is dated from 1961-01-01 to 1961-12-31. The nearest ones are listed."
    )
    assert answer.related
