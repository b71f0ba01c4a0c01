"""What one build has read and not yet made visible.

Lies in a database of its own, so that a build of any size needs little memory and a dead build
leaves nothing behind but a file that the next one overwrites.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from index.records import Record
from index.stores.catalog import SELECT_CHUNKS, StoredChunk, parse_record


class Staging:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.discard()
        self.db = sqlite3.connect(path, isolation_level=None)
        # Worth nothing after a crash: no journal, no syncs.
        self.db.execute("PRAGMA journal_mode = OFF")
        self.db.execute("PRAGMA synchronous = OFF")
        self.db.executescript(
            """
            CREATE TABLE records (
                seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, digest BLOB NOT NULL,
                origin TEXT NOT NULL, body TEXT NOT NULL);
            CREATE TABLE chunks (
                key INTEGER PRIMARY KEY, record INTEGER NOT NULL, id TEXT, field TEXT, heading TEXT,
                start INTEGER, stop INTEGER, sentences TEXT, vectors INTEGER);
            CREATE INDEX chunks_by_record ON chunks (record);
            """
        )
        self.db.execute("BEGIN")

    def put(self, record: Record, digest: bytes, origin: str) -> None:
        self.db.execute(
            "INSERT INTO records (id, digest, origin, body) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE "
            "SET digest = excluded.digest, body = excluded.body",
            (record.id, digest, origin, record.model_dump_json()),
        )

    def get(self, record_id: str) -> Record | None:
        found = self.db.execute("SELECT body FROM records WHERE id = ?", (record_id,)).fetchone()
        return parse_record(found[0]) if found else None

    def __len__(self) -> int:
        return int(self.db.execute("SELECT count(*) FROM records").fetchone()[0])

    def __contains__(self, record_id: str) -> bool:
        return self.db.execute("SELECT 1 FROM records WHERE id = ?", (record_id,)).fetchone() is not None

    def drop(self, record_id: str) -> None:
        self.db.execute("DELETE FROM records WHERE id = ?", (record_id,))

    def records(self, kind: str = "%") -> Iterator[tuple[int, Record]]:
        """Yield (sequence number, record), of one kind or all, in the order they were read."""
        query = "SELECT seq, body FROM records WHERE json_extract(body, '$.kind') LIKE ? ORDER BY seq"
        for seq, body in self.db.execute(query, (kind,)):
            yield seq, parse_record(body)

    def put_chunk(self, chunk: StoredChunk) -> None:
        self.db.execute("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", chunk.row())

    def chunks_of(self, record: int) -> list[StoredChunk]:
        rows = self.db.execute(f"{SELECT_CHUNKS} WHERE record = ? ORDER BY key", (record,))
        return [StoredChunk.of_row(row) for row in rows]

    def flush(self) -> None:
        """End the open transaction, so that another connection can read what was staged."""
        self.db.execute("COMMIT")

    def close(self) -> None:
        self.db.close()
        self.discard()

    def discard(self) -> None:
        self.path.unlink(missing_ok=True)
