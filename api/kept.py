"""Answers that were given, kept so that a link opens them again as they were.

They lie in a database of their own beside the catalog, which only builds write. Writing happens in a
thread of its own and waits for nothing; a reader's answer never waits for it.
"""

from __future__ import annotations

import logging
import queue
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path

from pydantic import ValidationError

from index.errors import AsktopicError
from rag.answer import Answer

logger = logging.getLogger(__name__)

WAITING = 1_000
"""Answers that may wait to be written, some 5 MB; a disk that is further behind loses the next ones."""
TOGETHER = 100
"""Answers written in one transaction."""
BUSY_S = 5.0
"""Seconds to wait for another process of this service that is writing."""
TRIM_EVERY = 100
"""Answers written between two looks at whether there are too many."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, body TEXT NOT NULL)"""


class UnknownAnswer(AsktopicError):
    """No answer with this id is kept."""

    code = "unknown_answer"
    status = 404

    def __init__(self, answer_id: str) -> None:
        super().__init__(
            f"no answer with the id {answer_id[:100]!r} is kept; it may have been given long ago, or its "
            "server keeps none. Ask the question again"
        )


class KeptAnswers:
    """The last `most` answers; none if that is 0. Thread-safe, and several processes may share one file.

    Nothing is opened before the first answer is kept or read, so that it may be made before forking. Where
    the folder cannot be written, a line in the log says so once, and nothing is kept.
    """

    def __init__(self, path: Path, most: int) -> None:
        self._path, self._most = path, most
        self._waiting: queue.Queue[tuple[str, str] | None] = queue.Queue(WAITING)
        self._lock = threading.Lock()
        self._writer: threading.Thread | None = None

    def keep(self, answer: Answer) -> None:
        """Have an answer written, soon."""
        if not self._most:
            return
        self._start()
        try:
            self._waiting.put_nowait((answer.id, answer.model_dump_json(by_alias=True)))
        except queue.Full:
            logger.warning("an answer is not kept: the disk is behind")

    def read(self, answer_id: str) -> Answer:
        """Return an answer as it was given. Raises `UnknownAnswer`."""
        body = self._body(answer_id)
        if body is None and self._settled():
            body = self._body(answer_id)
        try:
            return Answer.model_validate_json(body or "")
        except ValidationError:  # none, or one that an earlier version has written
            raise UnknownAnswer(answer_id) from None

    def close(self) -> None:
        """Write what still waits."""
        with self._lock:
            writer, self._writer = self._writer, None
        if writer:
            self._waiting.put(None)
            writer.join()

    def _start(self) -> None:
        with self._lock:
            if self._writer is None:
                self._writer = threading.Thread(target=self._write, name="kept answers", daemon=True)
                self._writer.start()

    def _settled(self) -> bool:
        """Wait a moment for what is being written; whether anything was."""
        for _ in range(20):
            if not self._waiting.unfinished_tasks:
                return True
            time.sleep(0.05)
        return False

    def _body(self, answer_id: str) -> str | None:
        if not self._path.exists():
            return None
        try:
            with closing(sqlite3.connect(f"file:{self._path}?mode=ro", uri=True, timeout=BUSY_S)) as db:
                found = db.execute("SELECT body FROM answers WHERE id = ?", (answer_id,)).fetchone()
        except sqlite3.Error as error:
            logger.warning("kept answers cannot be read: %s", error)
            return None
        return str(found[0]) if found else None

    def _write(self) -> None:
        try:
            with closing(sqlite3.connect(self._path, timeout=BUSY_S, isolation_level=None)) as db:
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("PRAGMA synchronous = NORMAL")
                db.execute(_SCHEMA)
                self._write_into(db)
        except sqlite3.Error as error:
            logger.warning("answers are not kept, and links to them will not open: %s", error)
            self._discard()

    def _write_into(self, db: sqlite3.Connection) -> None:
        written = 0
        while True:
            batch, ended = self._next()
            try:
                if batch:
                    db.execute("BEGIN IMMEDIATE")
                    db.executemany("INSERT OR REPLACE INTO answers (id, body) VALUES (?, ?)", batch)
                    if written % TRIM_EVERY + len(batch) >= TRIM_EVERY:
                        db.execute(
                            "DELETE FROM answers WHERE number <= (SELECT max(number) FROM answers) - ?",
                            (self._most,),
                        )
                    db.execute("COMMIT")
                    written += len(batch)
            finally:
                for _ in range(len(batch) + ended):
                    self._waiting.task_done()
            if ended:
                return

    def _next(self) -> tuple[list[tuple[str, str]], bool]:
        """Wait for answers; return some of them, and whether it was the end."""
        batch: list[tuple[str, str]] = []
        item = self._waiting.get()
        while item is not None:
            batch.append(item)
            if len(batch) == TOGETHER:
                return batch, False
            try:
                item = self._waiting.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True

    def _discard(self) -> None:
        while self._waiting.get() is not None:
            self._waiting.task_done()
        self._waiting.task_done()
