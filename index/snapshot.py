"""What a reader sees: one whole generation, unchanging while it is held."""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from index.errors import IndexDamaged, UnknownTopic
from index.fingerprint import check_fingerprint
from index.paths import DataPaths
from index.records import Chunk, Record, Topic, slugify
from index.settings import IndexSettings
from index.stores.catalog import Catalog, StoredChunk
from index.stores.dense import DenseIndex, Rows
from index.stores.lexical import LexicalIndex, Scope
from index.stores.sentence_vectors import SentenceVectors
from index.stores.vocabulary import Vocabulary
from index.topics import labels_of

CACHED_RECORDS = 2_048
"""Parsed records kept: some 8 MB at 4 KB each."""
CACHED_TOPICS = 64
"""Topics whose members' keys and dates are kept: half a megabyte for one of 4,000 papers."""


class Snapshot:
    """Catalog, lexical index and vectors of one generation. Thread-safe.

    A *row* is the position of a chunk in this generation, in the order of chunk keys.
    """

    def __init__(self, settings: IndexSettings, expected_fingerprint: str) -> None:
        paths = DataPaths(settings.data_dir)
        self.catalog = Catalog(paths.catalog)
        self.generation = self.catalog.generation
        self.fingerprint = self.catalog.fingerprint
        try:
            check_fingerprint(self.fingerprint, expected_fingerprint, settings)
            if not paths.lexical(self.generation).is_dir():
                raise IndexDamaged(
                    f"{paths.generation(self.generation)} is gone; run `asktopic ingest --rebuild`"
                )
            self.lexical = LexicalIndex(paths.lexical(self.generation))
            found = self.catalog.rows(
                "SELECT c.key, c.record, c.vectors, "
                "CASE r.kind WHEN 'paper' THEN 0 ELSE json_array_length(c.sentences) END FROM chunks c "
                "JOIN records r ON r.key = c.record ORDER BY c.key"
            )
            vectors = SentenceVectors(
                paths.sentence_vectors(self.catalog.meta["vectors"]),
                int(self.catalog.meta["dimension"]),
                int(self.catalog.meta["vector_rows"]),
            )
        except BaseException:
            self.catalog.close()
            raise
        columns = np.array(found, np.int64).reshape(-1, 4)
        self._keys, self._records = columns[:, 0].copy(), columns[:, 1].copy()
        self._explaining_sentences = columns[:, 3].copy()
        self.explains = self._explaining_sentences > 0
        """Whether each row is of an explainer or a topic's description."""
        self.dense = DenseIndex(
            self._keys,
            columns[:, 2].copy(),
            vectors,
            paths.chroma(self.generation),
            exact_chunks=settings.exact_chunks,
            scan_chunks=settings.scan_chunks,
            memory_mb=settings.memory_mb,
        )
        self.vocabulary = Vocabulary(self.catalog.rows)
        self.topics = {topic.slug: topic for topic in self.catalog.topics()}
        self._slugs = labels_of(self.topics.values())
        self._topic_rows: dict[str, Rows] = {}
        self._lock = threading.Lock()
        self.record: Callable[[int], Record] = functools.lru_cache(CACHED_RECORDS)(self.catalog.record)
        self.dated_members = functools.lru_cache(CACHED_TOPICS)(self.catalog.dated_members)
        self.chunk: Callable[[int], StoredChunk] = functools.lru_cache(CACHED_RECORDS)(self._chunk)
        self.frequency: Callable[[str], int] = functools.lru_cache(65_536)(self.lexical.document_frequency)

    @property
    def name(self) -> str:
        """What tells this state of the index from every other: its generation and fingerprint."""
        return f"{self.generation}-{self.fingerprint}"

    @property
    def chunks(self) -> int:
        return len(self._keys)

    def topic(self, label: str) -> Topic:
        """Find a topic by slug, name or alias, in any case. Raises `UnknownTopic`, naming near ones."""
        slug = self._slugs.get(slugify(label))
        if slug is not None:
            return self.topics[slug]
        from rapidfuzz import process

        names = [topic.name for topic in self.topics.values()]
        near = [name for name, _, _ in process.extract(label, names, limit=3, score_cutoff=50)] or names[:5]
        known = f"did you mean {' or '.join(near)}?" if near else "the index has no topics yet"
        raise UnknownTopic(f"no topic is called {label[:100]!r}; {known}")

    def slug_of(self, name: str) -> str | None:
        """Return the slug of the topic with this name or alias, if there is one."""
        return self._slugs.get(slugify(name))

    def rows_of(self, scope: Scope) -> Rows | None:
        """Return the rows in a scope, ascending; None if that is all of them."""
        if scope.is_topic_only:
            if scope.topic is None:
                return None
            with self._lock:
                if scope.topic not in self._topic_rows:
                    self._topic_rows[scope.topic] = self._rows_matching(scope)
                return self._topic_rows[scope.topic]
        return self._rows_matching(scope)

    def rows_of_keys(self, keys: Rows) -> Rows:
        return np.searchsorted(self._keys, keys)

    def record_key_of(self, row: int) -> int:
        """Return the key of a row's record: enough to tell records apart, without reading them."""
        return int(self._records[row])

    def record_keys_of(self, rows: Sequence[int] | Rows) -> list[int]:
        """Return the keys of the records of many rows: ten times as fast as one by one."""
        keys: list[int] = self._records[np.asarray(rows, np.int64)].tolist()
        return keys

    def record_of(self, row: int) -> Record:
        return self.record(self.record_key_of(row))

    def paper_titles(self, rows: Rows) -> list[tuple[str, str | None] | None]:
        """Return the title and ISO date of each row's record, without reading the rest; None if no paper."""
        records = self._records[rows].tolist()
        found = self.catalog.rows(
            "SELECT key, title, date FROM records "
            "WHERE kind = 'paper' AND key IN (SELECT value FROM json_each(?))",
            (json.dumps(records),),
        )
        titles = {key: (title, date) for key, title, date in found}
        return [titles.get(key) for key in records]

    def text_of(self, row: int) -> Chunk:
        """Return a chunk with its text, cut from the stored field."""
        stored, record = self.chunk(row), self.record_of(row)
        text = record.field(stored.field)[stored.start : stored.end]
        return Chunk(
            id=stored.id,
            source_id=record.id,
            field=stored.field,
            start=stored.start,
            end=stored.end,
            text=text,
            heading=stored.heading,
            sentences=stored.sentences,
        )

    def explainer_sentences(self, scope: Scope, query: NDArray[np.float32], limit: int) -> dict[int, float]:
        """Map the explainer rows of a scope with the nearest single sentences to those sentences' cosines."""
        rows = self.rows_of(scope)
        explaining = np.flatnonzero(self.explains) if rows is None else rows[self.explains[rows]]
        counts = self._explaining_sentences[explaining]
        return self.dense.nearest_by_sentence(query, explaining, counts, scope.name, limit)

    def near(self, record: int, limit: int) -> list[int]:
        """Return the keys of the papers nearest to a record by its first passage, nearest first."""
        own = np.flatnonzero(self._records == record)
        if not len(own):
            return []
        # Some have several passages, and explainers are passed over: a few more than are wanted.
        found, _ = self.dense.search(self.dense.vector(int(own[0])), None, None, 4 * limit + len(own))
        papers = self.record_keys_of(found[~self.explains[found]])
        return list(dict.fromkeys(key for key in papers if key != record))[:limit]

    def _rows_matching(self, scope: Scope) -> Rows:
        return self.rows_of_keys(self.lexical.matching(scope))

    def _chunk(self, row: int) -> StoredChunk:
        return self.catalog.chunk(int(self._keys[row]))

    def close(self) -> None:
        self.dense.close()
        self.catalog.close()
