"""Periods read out of questions."""

from __future__ import annotations

import datetime as dt

import pytest

from rag.dates import find_period, wrong_period

TODAY = dt.date(2026, 1, 20)


@pytest.mark.parametrize(
    ("text", "first", "last", "rest"),
    [
        ("papers in 2025", "2025-01-01", "2025-12-31", "papers"),
        ("papers from January 2026 on RL", "2026-01-01", "2026-01-31", "papers on RL"),
        ("papers of 2024-02", "2024-02-01", "2024-02-29", "papers"),
        ("on 20 January 2026", "2026-01-20", "2026-01-20", ""),
        ("on January 20th, 2026", "2026-01-20", "2026-01-20", ""),
        ("dated 2026-01-20", "2026-01-20", "2026-01-20", ""),
        ("between 2019 and 2021", "2019-01-01", "2021-12-31", ""),
        ("from 2019 to March 2020", "2019-01-01", "2020-03-31", ""),
        ("2019-2021 papers", "2019-01-01", "2021-12-31", "papers"),
        ("papers since 2023", "2023-01-01", None, "papers"),
        ("since the start of 2024", "2024-01-01", None, ""),
        ("from 2020 onwards", "2020-01-01", None, ""),
        ("after 2020", "2021-01-01", None, ""),
        ("until June 2021", None, "2021-06-30", ""),
        ("before 2018", None, "2017-12-31", ""),
        ("this year", "2026-01-01", "2026-01-20", ""),
        ("this month", "2026-01-01", "2026-01-20", ""),
        ("this week", "2026-01-19", "2026-01-20", ""),
        ("from yesterday", "2026-01-19", "2026-01-19", ""),
        ("last year", "2025-01-01", "2025-12-31", ""),
        ("from last month", "2025-12-01", "2025-12-31", ""),
        ("last week", "2026-01-12", "2026-01-18", ""),
        ("since last year", "2025-01-01", None, ""),
    ],
)
def test_a_period_is_read_and_taken_out(text: str, first: str | None, last: str | None, rest: str) -> None:
    period, left = find_period(text, TODAY)
    assert period is not None
    assert (period.first, period.last) == tuple(day and dt.date.fromisoformat(day) for day in (first, last))
    assert left == rest


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("in the last four weeks", 28),
        ("over the past 2 weeks", 14),
        ("in the last week", 7),
        ("in the last 10 days", 10),
        ("in the last year", 365),
        ("in the last month", 31),
    ],
)
def test_a_span_ends_today_and_counts_it(text: str, days: int) -> None:
    period, _ = find_period(text, TODAY)
    assert period is not None
    assert period.first is not None
    assert period.last == TODAY
    assert (TODAY - period.first).days + 1 == days


@pytest.mark.parametrize(
    ("text", "first"),
    [("since March", "2025-03-01"), ("since January", "2026-01-01"), ("in Dec", "2025-12-01")],
)
def test_a_month_alone_is_the_last_that_has_begun(text: str, first: str) -> None:
    period, _ = find_period(text, TODAY)
    assert period is not None
    assert str(period.first) == first


@pytest.mark.parametrize(
    "text",
    [
        "What may happen next?",
        "in 2025-02-31",  # no such day
        "after 9999-12-31",
        "before 0001-01-01",
        "in 5-6 papers",
        "the 2015 paper on DQN",
        "in market 2020x",
        "between 2021 and 2019",
        "from 1024 to 2048 tokens",
    ],
)
def test_what_is_no_period_stays(text: str) -> None:
    assert find_period(text, TODAY) == (None, text)


@pytest.mark.parametrize(
    ("text", "said", "rest"),
    [
        (
            "What was found since February 30?",
            "There is no such date as in “since February 30”.",
            "What was found?",
        ),
        ("Papers between 2025 and 2020", "“between 2025 and 2020” ends before it begins.", "Papers"),
        ("Papers of the last 0 days, please", "“of the last 0 days” holds no day.", "Papers, please"),
        ("Papers since March", "", "Papers since March"),
        ("What may happen next?", "", "What may happen next?"),
    ],
)
def test_what_is_wrong_with_dates_is_said(text: str, said: str, rest: str) -> None:
    assert wrong_period(text, TODAY) == (said, rest)


def test_a_day_without_a_year_is_the_last_that_has_been() -> None:
    found = find_period("since March 3", TODAY)[0], find_period("since 3 January", TODAY)[0]
    assert [period and period.first for period in found] == [dt.date(2025, 3, 3), dt.date(2026, 1, 3)]
