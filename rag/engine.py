"""The engine: the one path from a question to an answer, for every face.

Built from settings, it holds the encoder and a snapshot of the index, and moves to a new snapshot
when a build has published one.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Executor
from contextlib import aclosing, suppress
from dataclasses import replace
from importlib.metadata import version as distribution_version

from index.encoder import Encoder, open_encoder
from index.errors import AsktopicError, ModeUnavailable
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
from rag.draft import Draft
from rag.generate.client import ModelClient
from rag.generate.spending import Spending
from rag.generate.translation import translated
from rag.generate.writing import write
from rag.rerank import Reranker
from rag.settings import AnswerSettings, LlmSettings
from rag.stream import AnswerPart, parts_of, whole_of
from rag.verify import Entailment, Verifier


class Engine:
    """Answers questions over the index in a data folder. Thread-safe.

        with Engine(IndexSettings(data_dir=Path(".asktopic"))) as engine:
            print(engine.ask(AskRequest(question="What is RL?", topic="RL")).answer)

    An engine may be made before anything is ingested: calls raise `IndexMissing` until a build has
    finished. Without a reranker, candidates stay in the order of the search; with `llm`, a model writes
    the answers, and `entailment` has a say on its sentences. Raises `EncoderError` if the
    encoder cannot be opened.
    """

    def __init__(
        self,
        index: IndexSettings | None = None,
        answering: AnswerSettings | None = None,
        *,
        encoder: Encoder | None = None,
        reranker: Reranker | None = None,
        llm: LlmSettings | None = None,
        entailment: Entailment | None = None,
        today: Callable[[], dt.date] = dt.date.today,
    ) -> None:
        self.version = distribution_version("asktopic")
        self._answering = answering or AnswerSettings()
        settings = index or IndexSettings()
        self.data_dir = settings.data_dir
        paths = DataPaths(settings.data_dir)
        self._encoder = encoder or open_encoder(settings.encoder, paths.encoder)
        self._reranker, self._entailment = reranker, entailment
        self._follower = Follower(settings, fingerprint_of(self._encoder, settings))
        self._today = today
        self._answerer: Answerer | None = None
        self._model = ModelClient(llm, Spending(paths.spending)) if llm and llm.configured else None

    def ask(self, request: AskRequest) -> Answer:
        """Answer a question; a question the sources do not answer comes back with a reason.

        Raises `BadQuestion`, `UnknownTopic`, `BadFilter` or `ModeUnavailable`. Not to be called where an
        event loop runs: there, `stream` is.
        """
        if self.writes(request):
            return asyncio.run(whole_of(self.stream(request)))
        with self._follower.lease() as snapshot:
            return self._answerer_for(snapshot).answer(request)

    def writes(self, request: AskRequest) -> bool:
        """Whether a model writes the answer, if there is one. Raises `ModeUnavailable`."""
        if self._model is None and request.mode == "generative":
            raise ModeUnavailable('no model is configured; ask with mode "extractive" or "auto"')
        return self._model is not None and request.mode != "extractive"

    async def stream(
        self, request: AskRequest, executor: Executor | None = None
    ) -> AsyncGenerator[AnswerPart]:
        """Answer a question in parts: its sources, then piece by piece, then the whole answer.

        What takes the processor runs in `executor`. A question that cannot be taken raises before the
        first part, as `ask` does; a stream that is closed early stops what is still being written.
        """
        loop = asyncio.get_running_loop()
        if not self.writes(request) or self._model is None:
            answer = await loop.run_in_executor(executor, self.ask, request)
            for part in parts_of(answer):
                yield part
            return
        with self._follower.lease() as snapshot:
            answerer = self._answerer_for(snapshot)
            draft = await loop.run_in_executor(executor, answerer.draft, request)
            if draft.answer.reason and draft.answer.reason.code == "language":
                draft = await self._translated(request, answerer, draft, executor)
            if draft.material is None:
                for part in parts_of(draft.answer):
                    yield part
                return
            verifier = Verifier(draft.material.idf, entailment=self._entailment)
            async with aclosing(write(draft, draft.material, self._model, verifier, executor)) as written:
                async for part in written:
                    yield part

    async def _translated(
        self, request: AskRequest, answerer: Answerer, draft: Draft, executor: Executor | None
    ) -> Draft:
        """Answer what the question is in English, as the model has it; else the refusal stays."""
        assert self._model is not None
        question = await translated(self._model, request.question)
        if question is None:
            return draft
        loop = asyncio.get_running_loop()
        asked = request.model_copy(update={"question": question})
        found = await loop.run_in_executor(executor, answerer.draft, asked)
        answer = found.answer.model_copy(
            update={
                "question": request.question,
                "notices": (f"Read as: {question}", *found.answer.notices),
            }
        )
        return replace(found, answer=answer)

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

    def topic_name(self, label: str) -> str:
        """Return the name of the topic with this slug, name or alias. Raises `UnknownTopic`."""
        with self._follower.lease() as snapshot:
            return snapshot.topic(label).name

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

        Does nothing where nothing is ingested yet. A model is not asked: nobody reads what it would write.
        """
        if self._model is not None:
            self._model.load()
        with suppress(AsktopicError):
            for topic in self.topics():
                for scope in (topic.slug, None):
                    question = f"What is {topic.name}?"
                    self.ask(AskRequest(question=question, topic=scope, mode="extractive"))

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
