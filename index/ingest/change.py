"""The difference between the current generation and the next, and the commit that makes it real."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from index.ingest.generation import Addition
from index.ingest.staging import Staging
from index.records import Record, Topic
from index.stores.catalog import CatalogWriter
from index.stores.vocabulary import VocabularyChange
from index.topics import Membership


class Change:
    """Staged records replace stored ones of the same id; `removed_ids` go.

    Where the set of topics changes, stored records may move between topics; their chunks stay and
    only their entries in the indexes are renewed.
    """

    def __init__(self, catalog: CatalogWriter, staging: Staging, removed_ids: Sequence[str]) -> None:
        self._catalog, self._staging = catalog, staging
        staging.flush()
        catalog.db.execute("ATTACH ? AS staged", (str(staging.path),))
        self._first_key = catalog.next_key("records")
        self._gone = self._replaced() + catalog.keys_of(removed_ids)

        gone = set(self._gone)
        topics = [topic for key, topic in catalog.topics().items() if key not in gone]
        staged_topics = [record for _, record in staging.records(kind="topic") if isinstance(record, Topic)]
        membership = Membership([*topics, *staged_topics])
        # Counting off what goes would be half the work of a rebuild, and an index made by an earlier
        # version has no counts to take it from.
        self._replaces_all = self._count("main.records") == len(self._gone)
        self._vocabulary = self._change_vocabulary()
        self._staged_topics = {seq: membership.of(record) for seq, record in staging.records()}
        self._moved = dict[int, tuple[Record, dict[str, str]]]()
        if not membership.decides_as(Membership(catalog.topics().values())):
            self._moved = self._find_moved(membership)

        self.removed = [chunk for key in (*self._gone, *self._moved) for chunk in catalog.chunks_of(key)]
        moved_count = sum(len(catalog.chunks_of(key)) for key in self._moved)
        self.added_count = self._count("staged.chunks") + moved_count
        self.total_chunks = self._count("main.chunks") - len(self.removed) + self.added_count

    def _replaced(self) -> list[int]:
        rows = self._catalog.db.execute(
            "SELECT r.key FROM main.records r JOIN staged.records s ON s.id = r.id ORDER BY r.key"
        )
        return [key for (key,) in rows]

    def _change_vocabulary(self) -> VocabularyChange:
        change = VocabularyChange()
        for seq, record in self._staging.records():
            change.add(self._first_key + seq, record)
        if not self._replaces_all:
            for key in self._gone:
                change.remove(self._catalog.record_at(key))
        return change

    def _find_moved(self, membership: Membership) -> dict[int, tuple[Record, dict[str, str]]]:
        stored, gone = self._catalog.membership(), set(self._gone)
        moved = {}
        for key, record in self._catalog.records():
            topics = dict[str, str](membership.of(record))
            if key not in gone and topics != stored.get(key, {}):
                moved[key] = (record, topics)
        return moved

    def _count(self, table: str) -> int:
        return int(self._catalog.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608

    def additions(self) -> Iterator[Addition]:
        """Yield the chunks to add, in the order of their keys: those of moved records first."""
        for key, (record, topics) in self._moved.items():
            for chunk in self._catalog.chunks_of(key):
                yield Addition(chunk, record, tuple(topics))
        for seq, record in self._staging.records():
            for chunk in self._staging.chunks_of(seq):
                yield Addition(chunk, record, tuple(self._staged_topics[seq]))

    def commit(self, **meta: str) -> None:
        """Make the next generation the current one: the only write that readers can see."""
        db, first = self._catalog.db, self._first_key
        with db:
            db.execute("BEGIN IMMEDIATE")
            if self._replaces_all:
                db.execute("DELETE FROM main.words")
            self._vocabulary.write(db, self._gone)
            gone = [(key,) for key in self._gone]
            db.executemany("DELETE FROM main.chunks WHERE record = ?", gone)
            db.executemany("DELETE FROM main.records WHERE key = ?", gone)
            db.executemany(
                "DELETE FROM main.membership WHERE record = ?", [*gone, *((key,) for key in self._moved)]
            )
            db.execute(
                "INSERT INTO main.records SELECT seq + ?, id, json_extract(body, '$.kind'), "
                "coalesce(json_extract(body, '$.title'), json_extract(body, '$.name')), "
                "json_extract(body, '$.date'), digest, origin, body FROM staged.records ORDER BY seq",
                (first,),
            )
            db.execute(
                "INSERT INTO main.chunks SELECT key, record + ?, id, field, heading, start, stop, sentences, "
                "vectors FROM staged.chunks ORDER BY key",
                (first,),
            )
            topics = {key: topics for key, (_, topics) in self._moved.items()}
            topics |= {first + seq: dict(found) for seq, found in self._staged_topics.items()}
            db.executemany(
                "INSERT INTO main.membership VALUES (?, ?, ?)",
                [(slug, key, how) for key, found in topics.items() for slug, how in found.items()],
            )
            self._catalog.set_meta(**meta)
        db.execute("DETACH staged")
