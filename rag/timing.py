"""Where the time of one answer went."""

from __future__ import annotations

import time


class Timer:
    """Collects named spans, in milliseconds."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._spans: dict[str, float] = {}

    def lap(self, name: str) -> None:
        """End a span that began with the last one's end."""
        now = time.perf_counter()
        self._spans[name] = round((now - self._last) * 1_000, 3)
        self._last = now

    def total(self) -> dict[str, float]:
        """Return the spans and `total`, all until now."""
        return {**self._spans, "total": round((time.perf_counter() - self._start) * 1_000, 3)}
