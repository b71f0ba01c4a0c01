"""Dates in the words of a question for what papers say: "since March" restricts what may be cited."""

from __future__ import annotations

import datetime as dt
import re

from rag.answer import Filters
from rag.dates import Period, find_period

# "of 2016", "the 2023 competition" and "by 2050" are what a question is about, not when it was published.
_RESTRICTS = re.compile(
    r"^(?:since|starting|after|later|newer|between|until|till|up|before|prior|earlier|older|in|during|within"
    r"|over|from|the last|the past|last|past|this|published|dated)\b",
    re.I,
)
_PUBLISHED = re.compile(r"\b(?:published|appearing|released|written|dated)\s*$", re.I)
_EXCEPT = re.compile(r"\b(?:except(?: for)?|excluding|not|other than|apart from)\W*$", re.I)
_ASKS_WHEN = re.compile(r"^\W*(?:when|(?:in )?(?:which|what) year)\b", re.I)


def restricting_period(text: str, today: dt.date) -> tuple[Period | None, str]:
    """Return the period that a question restricts its sources to, and the question without those words."""
    if _ASKS_WHEN.search(text):
        return None, text
    period, rest = find_period(text, today)
    if period is None or not _RESTRICTS.match(period.phrase):
        return None, text
    before, _, after = text.partition(period.phrase)
    if _EXCEPT.search(before):
        return None, text
    # A number behind is an amount, not the end of a date: "from 2 to 5 million steps".
    if re.match(r"\s*(?:%|percent|million|billion|steps|episodes|hours|games)\b", after, re.I):
        return None, text
    rest = f"{_PUBLISHED.sub('', before.rstrip()).rstrip()} {after.strip()}".strip()
    rest = re.sub(r"\s+([?.!,])", r"\1", rest).strip(" ,")
    # Nothing but a date is left to filters of the request.
    return (period, rest) if re.search(r"\w{3,}", rest) else (None, text)


def narrowed(filters: Filters, period: Period) -> Filters:
    """Return filters that hold as well that a source is of the period."""
    first = max(filter(None, (filters.from_, period.first)), default=None)
    last = min(filter(None, (filters.to, period.last)), default=None)
    return filters.model_copy(update={"from_": first, "to": last})


def told(period: Period) -> str:
    """Say a period in days: "from 2025-03-01", "from 2025-01-01 to 2025-12-31"."""
    first = f"from {period.first.isoformat()}" if period.first else ""
    last = f"up to {period.last.isoformat()}" if period.last else ""
    if period.first and period.last:
        last = f"to {period.last.isoformat()}"
    return " ".join(filter(None, (first, last)))
