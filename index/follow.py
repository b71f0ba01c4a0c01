"""Following the newest generation: snapshots leased to callers, replaced when a build has published."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from index.errors import AsktopicError
from index.paths import DataPaths
from index.settings import IndexSettings
from index.snapshot import Snapshot
from index.stores.sqlite import connect_for_reading

logger = logging.getLogger(__name__)


class Follower:
    """Leases the snapshot of the newest generation. Thread-safe.

    A snapshot replaced while leased is closed when its last user is done. One that cannot be replaced,
    since the newer catalog is damaged or of other settings, is served on. May be made before anything
    is ingested: leases raise `IndexMissing` until a build has finished.
    """

    def __init__(self, settings: IndexSettings, expected_fingerprint: str) -> None:
        self._settings, self._fingerprint = settings, expected_fingerprint
        self._catalog = DataPaths(settings.data_dir).catalog
        self._lock = threading.Lock()
        self._current: Snapshot | None = None
        self._leases: dict[Snapshot, int] = {}
        self._watch: sqlite3.Connection | None = None
        self._watched: tuple[int, int] = (-1, -1)
        self._seen_version = -1
        self._replaced = False
        self._warned = ""

    @contextmanager
    def lease(self) -> Iterator[Snapshot]:
        """Hold the newest snapshot for the block."""
        with self._lock:
            if self._changed() or self._current is None:
                self._move()
            snapshot = self._current
            assert snapshot is not None  # _move raises otherwise
            self._leases[snapshot] = self._leases.get(snapshot, 0) + 1
        try:
            yield snapshot
        finally:
            with self._lock:
                left = self._leases.get(snapshot, 0) - 1
                if left > 0:
                    self._leases[snapshot] = left
                elif self._leases.pop(snapshot, None) is not None and snapshot is not self._current:
                    snapshot.close()

    def close(self) -> None:
        """Close everything, leased or not."""
        with self._lock:
            for snapshot in {*self._leases, *([self._current] if self._current else [])}:
                snapshot.close()
            self._current = None
            self._leases.clear()
            if self._watch is not None:
                self._watch.close()
                self._watch = None

    def _changed(self) -> bool:
        """Whether anyone has written to the catalog since the last call. Takes microseconds."""
        try:
            stat = self._catalog.stat()
        except OSError:
            return False
        # A connection that may not write to the folder never sees another version: hence the time.
        file = (stat.st_ino, stat.st_mtime_ns)
        if self._watch is None or file != self._watched:
            if self._watch is not None:
                self._watch.close()
                self._watch = None
            if self._watched[0] not in (-1, stat.st_ino):
                self._replaced = True  # another data folder, whose generations count from one again
            self._watched, self._seen_version = file, -1
            try:
                self._watch = connect_for_reading(self._catalog)
            except sqlite3.DatabaseError:
                return True  # opening a snapshot will say why
        try:
            version = int(self._watch.execute("PRAGMA data_version").fetchone()[0])
        except sqlite3.DatabaseError:
            return True
        changed, self._seen_version = version != self._seen_version, version
        return changed

    def _move(self) -> None:
        """Open the newest generation, unless it is the one in use.

        One that this program cannot read (rebuilt with other settings) leaves the old one in use.
        """
        current = self._current
        in_use = current and (current.generation, current.fingerprint)
        if in_use and not self._replaced and self._newest() == in_use:
            return
        try:
            fresh = Snapshot(self._settings, self._fingerprint)
        except AsktopicError as error:
            if current is None:
                raise
            if error.message != self._warned:  # once, where every call finds it damaged
                self._warned = error.message
                logger.warning("still serving generation %d: %s", current.generation, error.message)
            return
        self._current, self._replaced, self._warned = fresh, False, ""
        if current is not None and current not in self._leases:
            current.close()

    def _newest(self) -> tuple[int, str]:
        if self._watch is None:
            return 0, ""
        try:
            meta = dict(self._watch.execute("SELECT name, value FROM meta"))
        except sqlite3.DatabaseError:
            meta = {}
        return int(meta.get("generation", 0)), meta.get("fingerprint", "")
