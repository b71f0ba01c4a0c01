"""The engine: the one path from a question to an answer, for every face.

Built from settings, it holds the encoder and a snapshot of the index, and moves to a new snapshot
when a build has published one.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import suppress
from importlib.metadata import version as distribution_version

from index.encoder import Encoder, open_encoder
from index.errors import AsktopicError
from index.fingerprint import fingerprint_of
from index.follow import Follower
from index.paths import DataPaths
from index.settings import IndexSettings
from index.snapshot import Snapshot
from rag import library
from rag.answer import (
    ALL_PAPERS,
    Answer,
    AskRequest,
    PaperChoice,
    PaperInfo,
    PaperPage,
    Readiness,
    SearchRequest,
    SearchResponse,
    SourceInfo,
    TopicInfo,
)
from rag.answerer import Answerer
from rag.rerank import Reranker
from rag.settings import AnswerSettings
from rag.stream import AnswerPart, parts_of


class Engine:
    """Answers questions over the index in a data folder. Thread-safe.

        with Engine(IndexSettings(data_dir=Path(".asktopic"))) as engine:
            print(engine.ask(AskRequest(question="What is RL?", topic="RL")).answer)

    An engine may be made before anything is ingested: calls raise `IndexMissing` until a build has
    finished. Without a reranker, candidates stay in the order of the search. Raises `EncoderError` if the
    encoder cannot be opened.
    """

    def __init__(
        self,
        index: IndexSettings | None = None,
        answering: AnswerSettings | None = None,
        *,
        encoder: Encoder | None = None,
        reranker: Reranker | None = None,
        today: Callable[[], dt.date] = dt.date.today,
    ) -> None:
        self.version = distribution_version("asktopic")
        self._answering = answering or AnswerSettings()
        settings = index or IndexSettings()
        self.data_dir = settings.data_dir
        self._encoder = encoder or open_encoder(settings.encoder, DataPaths(settings.data_dir).encoder)
        self._reranker = reranker
        self._follower = Follower(settings, fingerprint_of(self._encoder, settings))
        self._today = today
        self._answerer: Answerer | None = None

    def ask(self, request: AskRequest) -> Answer:
        """Answer a question; a question the sources do not answer comes back with a reason."""
        with self._follower.lease() as snapshot:
            return self._answerer_for(snapshot).answer(request)

    async def stream(
        self, request: AskRequest, executor: Executor | None = None
    ) -> AsyncIterator[AnswerPart]:
        """Answer a question in parts: its sources, then piece by piece, then the whole answer.

        What takes the processor runs in `executor`. A question that cannot be taken raises before the
        first part, as `ask` does; a stream that is closed early stops what is still being written.
        """
        answer = await asyncio.get_running_loop().run_in_executor(executor, self.ask, request)
        for part in parts_of(answer):
            yield part

    def search(self, request: SearchRequest) -> SearchResponse:
        """Retrieve without answering: one result a source, best first."""
        with self._follower.lease() as snapshot:
            return self._answerer_for(snapshot).search(request)

    def topics(self) -> list[TopicInfo]:
        with self._follower.lease() as snapshot:
            return [library.topic_info(snapshot, topic, self._today()) for topic in snapshot.topics.values()]

    def topic(self, label: str) -> TopicInfo:
        """Return the topic with this slug, name or alias. Raises `UnknownTopic`."""
        with self._follower.lease() as snapshot:
            return library.topic_info(snapshot, snapshot.topic(label), self._today())

    def papers(
        self, topic: str, offset: int = 0, limit: int = 50, choice: PaperChoice = ALL_PAPERS
    ) -> PaperPage:
        """Return a page of a topic's papers, or of a choice of them, newest first. Raises `UnknownTopic`."""
        with self._follower.lease() as snapshot:
            return library.paper_page(snapshot, snapshot.topic(topic), offset, limit, choice)

    def related(self, source_id: str) -> list[PaperInfo]:
        """Return the papers nearest to a source. Raises `UnknownSource`."""
        with self._follower.lease() as snapshot:
            return library.related(snapshot, source_id)

    def paper_count(self) -> int:
        with self._follower.lease() as snapshot:
            return library.paper_count(snapshot)

    def paper_ids(self, offset: int, limit: int) -> list[tuple[str, str | None]]:
        """Return ids and ISO dates of papers, of all topics, in the order in which they came in."""
        with self._follower.lease() as snapshot:
            return library.paper_ids(snapshot, offset, limit)

    def explainers(self, topic: str) -> list[SourceInfo]:
        with self._follower.lease() as snapshot:
            return library.explainers(snapshot, snapshot.topic(topic))

    def source(self, source_id: str) -> SourceInfo:
        """Return a source with its stored text. Raises `UnknownSource`."""
        with self._follower.lease() as snapshot:
            return library.source(snapshot, source_id)

    def index_name(self) -> str:
        """Name the index as it is now, as `provenance.index` of an answer names the one that it is of."""
        with self._follower.lease() as snapshot:
            return snapshot.name

    def readiness(self) -> Readiness:
        """Say whether questions can be answered, and over how much."""
        try:
            with self._follower.lease() as snapshot:
                return Readiness(
                    ready=True,
                    generation=snapshot.generation,
                    sources=int(snapshot.catalog.rows("SELECT count(*) FROM records")[0][0]),
                    chunks=snapshot.chunks,
                )
        except AsktopicError as error:
            return Readiness(ready=False, message=error.message)

    def warm_up(self) -> None:
        """Ask once inside every topic and once over all, so that no reader waits for what is loaded lazily.

        Does nothing where nothing is ingested yet.
        """
        with suppress(AsktopicError):
            for topic in self.topics():
                for scope in (topic.slug, None):
                    self.ask(AskRequest(question=f"What is {topic.name}?", topic=scope))

    def close(self) -> None:
        self._follower.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _answerer_for(self, snapshot: Snapshot) -> Answerer:
        answerer = self._answerer
        if answerer is None or answerer.snapshot is not snapshot:
            # Two threads may both make one: they give the same answers, and the later one stays.
            answerer = self._answerer = Answerer(
                snapshot, self._encoder, self._answering, self.version, self._today, self._reranker
            )
        return answerer
