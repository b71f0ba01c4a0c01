"""What a day's answers have cost so far, counted by all processes over one data folder."""

from __future__ import annotations

import datetime as dt
import logging
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

logger = logging.getLogger(__name__)

BUSY_S = 2.0

_SCHEMA = "CREATE TABLE IF NOT EXISTS spent (day TEXT PRIMARY KEY, cost REAL NOT NULL) WITHOUT ROWID"


class Spending:
    """Adds up costs by day. Where nothing can be written, everything counts as spent: a budget holds."""

    def __init__(self, path: Path, day: Callable[[], dt.date] = dt.date.today) -> None:
        self._path, self._day = path, day

    def today(self) -> float:
        try:
            with closing(self._connect()) as db:
                found = db.execute("SELECT cost FROM spent WHERE day = ?", (self._named(),)).fetchone()
                return float(found[0]) if found else 0.0
        except sqlite3.Error as error:
            logger.warning("no answer is written by the model, for its cost cannot be counted: %s", error)
            return float("inf")

    def add(self, cost: float) -> None:
        if not cost:
            return
        try:
            with closing(self._connect()) as db:
                db.execute(
                    "INSERT INTO spent VALUES (?, ?) "
                    "ON CONFLICT (day) DO UPDATE SET cost = cost + excluded.cost",
                    (self._named(), cost),
                )
        except sqlite3.Error as error:
            logger.warning("the cost of an answer is not counted: %s", error)

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=BUSY_S, isolation_level=None)
        db.execute(_SCHEMA)
        return db

    def _named(self) -> str:
        return self._day().isoformat()
