"""When a server may be asked again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

FIRST_PAUSE_S = 0.5
"""Before the second try where the server names no time; doubled before each further one."""
_AGAIN = frozenset((408, 409, 429))


def pause_before(tried: int, status: int | None, headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait after so many tries; None where asking again is of no use.

    `status` is none where the connection failed. `Retry-After` is heeded, in seconds or as a date.
    """
    if status is not None and status < 500 and status not in _AGAIN:
        return None
    named = _named(headers.get("retry-after", ""))
    return FIRST_PAUSE_S * 2**tried if named is None else named


def _named(value: str) -> float | None:
    try:
        seconds = float(value)
    except ValueError:
        try:
            until = parsedate_to_datetime(value)
        except ValueError:
            return None
        if until.tzinfo is None:
            until = until.replace(tzinfo=dt.UTC)
        seconds = (until - dt.datetime.now(dt.UTC)).total_seconds()
    # Not a number, or without an end, names no time.
    return max(0.0, seconds) if seconds < 1e9 else None
