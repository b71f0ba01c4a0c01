"""Dates as people write them in questions: "since March", "in 2025", "in the last four weeks"."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rag.inert import inert

_MONTHS = {name.lower(): n for n, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): n for n, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_UNITS = {"day": 1, "week": 7}
NUMBERS = {
    word: n
    for n, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve".split(), start=1
    )
} | {"a": 1, "few": 3, "couple of": 2}

_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = r"(?:19|20)\d\d"
# One date of any precision: a day, a month or a year. It never stands alone, but behind a preposition:
# "may" is a verb more often than a month.
_DATE = (
    rf"(?:\d{{4}}-\d\d-\d\d|\d{{4}}-\d\d(?!\d)"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTH})\.?,? {_YEAR}"
    rf"|(?:{_MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?,? {_YEAR}"
    rf"|(?:(?:{_MONTH})\.?,? (?:of )?)?{_YEAR}(?![\d-])"
    rf"|(?:{_MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?(?![\w-])"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTH})(?![a-z])"
    rf"|(?:{_MONTH})(?![a-z]))"
)
_NUMBER = rf"(?:\d{{1,3}}|{'|'.join(NUMBERS)})"
_SPAN = rf"(?:(?P<number>{_NUMBER}) )?(?P<unit>days?|weeks?|months?|years?)"


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `first` to `last`, inclusive; None leaves that end open. `phrase` is how it was asked."""

    first: dt.date | None
    last: dt.date | None
    phrase: str


def find_period(text: str, today: dt.date) -> tuple[Period | None, str]:
    """Return the period that a question names, and the question without those words.

    Where it names none, or one that does not exist ("2025-02-31"), the question comes back as it is. A
    month without a year is the last one of that name that has begun.
    """
    for pattern, read in _FORMS:
        for match in pattern.finditer(text):
            try:
                ends = read(match, today)
            except (ValueError, OverflowError):  # no such day
                continue
            if ends is not None and not (ends[0] and ends[1] and ends[0] > ends[1]):
                rest = " ".join((text[: match.start()] + " " + text[match.end() :]).split())
                return Period(*ends, phrase=match[0].strip()), rest
    return None, text


def wrong_period(text: str, today: dt.date) -> tuple[str, str]:
    """Say what is wrong with the dates that a question names, in a sentence, and return it without them.

    "since February 30", "between 2025 and 2020", "in the last 0 days". Nothing is said where they can be
    read.
    """
    for pattern, read in _FORMS:
        for match in pattern.finditer(text):
            phrase = inert(match[0].strip())
            rest = re.sub(
                r"\s+(?=[?.!,]|$)", "", f"{text[: match.start()].rstrip()} {text[match.end() :].lstrip()}"
            )
            try:
                ends = read(match, today)
            except (ValueError, OverflowError):
                return f"There is no such date as in “{phrase}”.", rest
            if ends and ends[0] and ends[1] and ends[0] > ends[1]:
                return f"“{phrase}” holds no day.", rest
            if ends:
                return "", text
            if read is _between:
                return f"“{phrase}” ends before it begins.", rest
    return "", text


Ends = tuple[dt.date | None, dt.date | None]


def _days(written: str, today: dt.date) -> tuple[dt.date, dt.date] | None:
    """Return the first and last day of a date of any precision. Raises `ValueError` for no such day."""
    text = written.lower()
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        day = dt.date.fromisoformat(text)
        return day, day
    parts = re.findall(r"\d+|[a-z]+", re.sub(r"(?<=\d)(st|nd|rd|th)\b", "", text).replace(" of ", " "))
    numbers = [int(part) for part in parts if part.isdigit()]
    month = next((_MONTHS[part] for part in parts if part in _MONTHS), None)
    if month is None and len(numbers) == 2:  # 2025-03
        month = numbers.pop()
    years = [number for number in numbers if number > 31]
    if not years:
        if month is None:
            return None
        years = [today.year if month <= today.month else today.year - 1]
    if month is None:
        return dt.date(years[0], 1, 1), dt.date(years[0], 12, 31)
    days = [number for number in numbers if number <= 31]
    if days:
        day = dt.date(years[0], month, days[0])
        if day > today and not any(number > 31 for number in numbers):
            day = dt.date(years[0] - 1, month, days[0])
        return day, day
    if not 1 <= month <= 12:
        raise ValueError(f"no month {month}")
    return dt.date(years[0], month, 1), dt.date(years[0], month, calendar.monthrange(years[0], month)[1])


def _between(match: re.Match[str], today: dt.date) -> Ends | None:
    first, last = _days(match["first"], today), _days(match["last"], today)
    return (first[0], last[1]) if first and last and first[0] <= last[1] else None


def _since(match: re.Match[str], today: dt.date) -> Ends | None:
    days = _days(match["date"], today)
    return (days[0], None) if days else None


def _after(match: re.Match[str], today: dt.date) -> Ends | None:
    days = _days(match["date"], today)
    return (days[1] + dt.timedelta(1), None) if days else None


def _until(match: re.Match[str], today: dt.date) -> Ends | None:
    days = _days(match["date"], today)
    return (None, days[1]) if days else None


def _before(match: re.Match[str], today: dt.date) -> Ends | None:
    days = _days(match["date"], today)
    return (None, days[0] - dt.timedelta(1)) if days else None


def _within(match: re.Match[str], today: dt.date) -> Ends | None:
    return _days(match["date"], today)


def _last(match: re.Match[str], today: dt.date) -> Ends | None:
    """The days up to and including today: four weeks are 28 of them."""
    written = match["number"]
    count = 1 if written is None else NUMBERS.get(written.lower()) or int(written)
    unit = match["unit"].lower().rstrip("s")
    if unit in _UNITS:
        return today - dt.timedelta(days=count * _UNITS[unit] - 1), today
    months = today.year * 12 + today.month - 1 - count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    if year < 1:
        return None
    day = min(today.day, calendar.monthrange(year, month + 1)[1])
    return dt.date(year, month + 1, day) + dt.timedelta(1), today


def _last_whole(match: re.Match[str], today: dt.date) -> Ends:
    """The calendar's last week, from Monday on, month or year."""
    unit = match["unit"].lower()
    if unit == "year":
        return dt.date(today.year - 1, 1, 1), dt.date(today.year - 1, 12, 31)
    if unit == "month":
        last = today.replace(day=1) - dt.timedelta(1)
        return last.replace(day=1), last
    monday = today - dt.timedelta(days=today.weekday() + 7)
    return monday, monday + dt.timedelta(6)


def _since_last_whole(match: re.Match[str], today: dt.date) -> Ends:
    return _last_whole(match, today)[0], None


def _this(match: re.Match[str], today: dt.date) -> Ends | None:
    unit = match["unit"].lower()
    if unit == "year":
        return dt.date(today.year, 1, 1), today
    if unit == "month":
        return today.replace(day=1), today
    return today - dt.timedelta(days=today.weekday()), today


def _today(match: re.Match[str], today: dt.date) -> Ends | None:
    day = today - dt.timedelta(days="yesterday" in match[0].lower())
    return day, day


Reader = Callable[[re.Match[str], dt.date], Ends | None]


def _forms() -> Iterator[tuple[re.Pattern[str], Reader]]:
    first, last, date = rf"(?P<first>{_DATE})", rf"(?P<last>{_DATE})", rf"(?P<date>{_DATE})"
    for pattern, read in (
        (rf"\b(?:between|from) {first} (?:and|to|until|till|through) {last}", _between),
        (rf"\b(?:in )?(?P<first>{_YEAR}) ?[-–] ?(?P<last>{_YEAR})\b", _between),
        (rf"\b(?:since|starting (?:in|from)) (?:the (?:beginning|start) of )?{date}", _since),
        (rf"\bfrom {date} (?:onwards?\b|on(?=\W*$))", _since),
        (rf"\b(?:after|later than|newer than) {date}", _after),
        (rf"\b(?:until|till|up to|through) (?:the end of )?{date}", _until),
        (rf"\b(?:before|prior to|earlier than|older than) {date}", _before),
        (rf"\b(?:in|over|during|within|from|of) the (?:last|past|previous) {_SPAN}\b", _last),
        (r"\bsince last (?P<unit>week|month|year)\b", _since_last_whole),
        (r"\b(?:in |from |during |of )?last (?P<unit>week|month|year)\b", _last_whole),
        (rf"\b(?:the )?(?:last|past) {_SPAN}\b", _last),
        (r"\b(?:in |during |of |from )?this (?P<unit>week|month|year)\b", _this),
        (r"\b(?:from |of )?(?:today|yesterday)\b", _today),
        (rf"\b(?:in|during|of|for|from|on|dated(?: on| in)?) (?:the year )?{date}", _within),
    ):
        yield re.compile(pattern, re.I), read


_FORMS = tuple(_forms())
