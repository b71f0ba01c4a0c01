"""The engine: the one path from a question to an answer, for every face.

Built from settings, it holds the encoder and a snapshot of the index, and moves to a new snapshot
when a build has published one.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version as distribution_version

from index.encoder import Encoder, open_encoder
from index.errors import AsktopicError
from index.fingerprint import fingerprint_of
from index.paths import DataPaths
from index.settings import IndexSettings
from index.snapshot import Snapshot
from rag import library
from rag.answer import (
    Answer,
    AskRequest,
    PaperPage,
    Passage,
    Readiness,
    SearchRequest,
    SearchResponse,
    SearchResult,
    SourceInfo,
    TopicInfo,
)
from rag.answerer import Timer, answer, provenance_of, scope_of
from rag.question import read_question
from rag.retrieve import retrieve
from rag.settings import AnswerSettings

logger = logging.getLogger(__name__)


class Engine:
    """Answers questions over the index in a data folder. Thread-safe.

        with Engine(IndexSettings(data_dir=Path(".asktopic"))) as engine:
            print(engine.ask(AskRequest(question="What is RL?", topic="RL")).answer)

    An engine may be made before anything is ingested: calls raise `IndexMissing` until a build has
    finished. Raises `EncoderError` if the encoder cannot be opened.
    """

    def __init__(
        self,
        index: IndexSettings | None = None,
        answering: AnswerSettings | None = None,
        *,
        encoder: Encoder | None = None,
    ) -> None:
        self.version = distribution_version("asktopic")
        self._index = index or IndexSettings()
        self._answering = answering or AnswerSettings()
        self._paths = DataPaths(self._index.data_dir)
        self._encoder = encoder or open_encoder(self._index.encoder, self._paths.encoder)
        self._fingerprint = fingerprint_of(self._encoder, self._index)
        self._lock = threading.Lock()
        self._current: Snapshot | None = None
        self._leases: dict[Snapshot, int] = {}
        self._watch: sqlite3.Connection | None = None
        self._watched_inode = self._seen_version = -1

    def ask(self, request: AskRequest) -> Answer:
        """Answer a question; a question the sources do not answer comes back with a reason."""
        with self._snapshot() as snapshot:
            return answer(request, snapshot, self._encoder, self._answering, self.version)

    def search(self, request: SearchRequest) -> SearchResponse:
        """Retrieve without answering: one result a source, best first."""
        timer = Timer()
        question = read_question(request.query)
        with self._snapshot() as snapshot:
            topic = snapshot.topic(request.topic) if request.topic else None
            scope = scope_of(request.filters, topic)
            query = self._encoder.encode_query(question.search_text)
            depth = max(self._answering.depth, 2 * request.limit)
            results: dict[str, SearchResult] = {}
            for candidate in retrieve(snapshot, question.terms, query, scope, depth):
                chunk, record = snapshot.text_of(candidate.row), snapshot.record_of(candidate.row)
                passage = Passage(
                    chunk_id=chunk.id,
                    field=chunk.field,
                    start=chunk.start,
                    end=chunk.end,
                    text=chunk.text,
                    score=round(candidate.score, 4),
                )
                known = results.get(record.id)
                if known is not None:
                    results[record.id] = known.model_copy(update={"passages": (*known.passages, passage)})
                elif len(results) < request.limit:
                    results[record.id] = SearchResult(
                        id=record.id,
                        kind=record.kind,
                        title=record.title,
                        date=record.date,
                        score=passage.score,
                        passages=(passage,),
                    )
            return SearchResponse(
                results=tuple(results.values()),
                timing_ms=timer.total(),
                provenance=provenance_of(snapshot, self._encoder, self.version, "search"),
            )

    def topics(self) -> list[TopicInfo]:
        with self._snapshot() as snapshot:
            return [library.topic_info(snapshot, topic) for topic in snapshot.topics.values()]

    def topic(self, label: str) -> TopicInfo:
        """Return the topic with this slug, name or alias. Raises `UnknownTopic`."""
        with self._snapshot() as snapshot:
            return library.topic_info(snapshot, snapshot.topic(label))

    def papers(self, topic: str, offset: int = 0, limit: int = 50) -> PaperPage:
        """Return one page of a topic's papers, newest first. Raises `UnknownTopic`."""
        with self._snapshot() as snapshot:
            return library.paper_page(snapshot, snapshot.topic(topic), offset, limit)

    def explainers(self, topic: str) -> list[SourceInfo]:
        with self._snapshot() as snapshot:
            return library.explainers(snapshot, snapshot.topic(topic))

    def source(self, source_id: str) -> SourceInfo:
        """Return a source with its stored text. Raises `UnknownSource`."""
        with self._snapshot() as snapshot:
            return library.source(snapshot, source_id)

    def readiness(self) -> Readiness:
        """Say whether questions can be answered, and over how much."""
        try:
            with self._snapshot() as snapshot:
                return Readiness(
                    ready=True,
                    generation=snapshot.generation,
                    sources=int(snapshot.catalog.rows("SELECT count(*) FROM records")[0][0]),
                    chunks=snapshot.chunks,
                )
        except AsktopicError as error:
            return Readiness(ready=False, message=error.message)

    def close(self) -> None:
        with self._lock:
            for snapshot in {*self._leases, *([self._current] if self._current else [])}:
                snapshot.close()
            self._current = None
            self._leases.clear()
            if self._watch is not None:
                self._watch.close()
                self._watch = None

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _snapshot(self) -> Iterator[Snapshot]:
        """Lease the current snapshot: one replaced meanwhile is closed when its last user is done."""
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

    def _changed(self) -> bool:
        """Whether anyone has written to the catalog since the last call. Takes microseconds."""
        try:
            inode = self._paths.catalog.stat().st_ino
        except FileNotFoundError:
            return False
        if self._watch is None or inode != self._watched_inode:
            if self._watch is not None:
                self._watch.close()  # the data folder was replaced under us
            self._watch = sqlite3.connect(
                f"file:{self._paths.catalog}?mode=ro", uri=True, check_same_thread=False, isolation_level=None
            )
            self._watched_inode, self._seen_version = inode, -1
        version = int(self._watch.execute("PRAGMA data_version").fetchone()[0])
        changed, self._seen_version = version != self._seen_version, version
        return changed

    def _move(self) -> None:
        """Open the newest generation, unless it is the one in use.

        One that this program cannot read (rebuilt with other settings) leaves the old one in use.
        """
        current = self._current
        if current is not None and self._newest() == (current.generation, current.fingerprint):
            return
        try:
            fresh = Snapshot(self._index, self._fingerprint)
        except AsktopicError as error:
            if current is None:
                raise
            logger.warning("still serving generation %d: %s", current.generation, error.message)
            return
        self._current = fresh
        if current is not None and current not in self._leases:
            current.close()

    def _newest(self) -> tuple[int, str]:
        assert self._watch is not None  # a current snapshot implies a catalog
        try:
            meta = dict(self._watch.execute("SELECT name, value FROM meta"))
        except sqlite3.OperationalError:
            meta = {}
        return int(meta.get("generation", 0)), meta.get("fingerprint", "")
