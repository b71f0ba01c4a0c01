"""Opening the catalog's file, and saying what is wrong with it where SQLite only gives a code."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from types import TracebackType

from index.errors import IndexDamaged

# What SQLite reports of a file that is damaged, cut short, no database, or may not be opened.
_UNREADABLE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR})
_SHUT = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM})


class WholeCatalog:
    """Turns what SQLite says of a damaged or shut catalog, inside a `with` block, into `IndexDamaged`.

    A class and no generator: a block is entered some twenty times a question.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, sqlite3.DatabaseError):
            return
        path = self._path
        # The low byte is the kind of error; ours (a closed connection) have none.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _UNREADABLE:
            raise IndexDamaged(
                f"{path} is damaged ({error}); move {path.parent} away and run `asktopic ingest PATH` again"
            ) from error
        if code in _SHUT:
            raise IndexDamaged(
                f"{path} cannot be opened ({error}); give this account access to {path.parent}"
            ) from error


def connect_for_reading(path: Path) -> sqlite3.Connection:
    """Open a catalog that is never written through this connection, usable from several threads.

    An account that may not write the folder cannot make the shared-memory file of a WAL database.
    It reads the file as if nobody ever changed it, which holds as long as no build is running.
    """
    uri = f"{path.absolute().as_uri()}?mode=ro"
    db = sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None)
    try:
        db.execute("SELECT 1 FROM sqlite_schema")
    except sqlite3.OperationalError:
        db.close()
        if os.access(path.parent, os.W_OK):
            raise
        db = sqlite3.connect(f"{uri}&immutable=1", uri=True, check_same_thread=False, isolation_level=None)
    except sqlite3.DatabaseError:
        db.close()
        raise
    return db
