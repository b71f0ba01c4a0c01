"""Retrieval over one snapshot: for answers, and by itself."""

from __future__ import annotations

from collections.abc import Sequence

from index.encoder import Encoder
from index.snapshot import Snapshot
from index.stores.lexical import Scope
from rag.answer import Passage, SearchRequest, SearchResult
from rag.evidence import EXPLANATORY
from rag.question import Question, read_question
from rag.rerank import Reranker
from rag.retrieve import Candidate, FloatArray, retrieve
from rag.scope import scope_of
from rag.timing import Timer
from rag.wording import Wording


class Search:
    """Finds candidates for questions. Thread-safe."""

    def __init__(self, snapshot: Snapshot, encoder: Encoder, depth: int, reranker: Reranker | None) -> None:
        self._snapshot, self._encoder, self._depth, self._reranker = snapshot, encoder, depth, reranker
        self.wording = Wording(snapshot.vocabulary, snapshot.frequency)

    def candidates(
        self, question: Question, scope: Scope, timer: Timer, at_least: int = 0
    ) -> tuple[FloatArray, list[Candidate]]:
        """Return the encoded question and the candidates, best first."""
        query = self._encoder.encode_query(question.search_text)
        timer.lap("encode")
        depth = max(self._depth, at_least)
        explain = question.kind in EXPLANATORY
        found = retrieve(self._snapshot, question, query, scope, depth, explain=explain)
        timer.lap("retrieve")
        if self._reranker is not None:
            found = self._reranker.rerank(self._snapshot, question.search_text, found)
            timer.lap("rerank")
        return query, found

    def results(self, request: SearchRequest, timer: Timer) -> tuple[SearchResult, ...]:
        """Return one result a source, best first. Raises `BadQuestion`, `UnknownTopic` or `BadFilter`."""
        topic = self._snapshot.topic(request.topic) if request.topic else None
        question = read_question(request.query, topic=topic, wording=self.wording)
        scope = scope_of(request.filters, topic)
        timer.lap("understand")
        passages: dict[int, list[Candidate]] = {}
        _, candidates = self.candidates(question, scope, timer, at_least=2 * request.limit)
        sources = self._snapshot.record_keys_of([candidate.row for candidate in candidates])
        for source, candidate in zip(sources, candidates, strict=True):
            if source in passages or len(passages) < request.limit:
                passages.setdefault(source, []).append(candidate)
        return tuple(self._result(found) for found in passages.values())

    def _result(self, found: Sequence[Candidate]) -> SearchResult:
        record = self._snapshot.record_of(found[0].row)
        passages = []
        for candidate in found:
            chunk = self._snapshot.chunk(candidate.row)
            passages.append(
                Passage(
                    chunk_id=chunk.id,
                    field=chunk.field,
                    start=chunk.start,
                    end=chunk.end,
                    text=record.field(chunk.field)[chunk.start : chunk.end],
                    score=round(candidate.score, 4),
                )
            )
        return SearchResult(
            id=record.id,
            kind=record.kind,
            title=record.title,
            date=record.date,
            score=passages[0].score,
            passages=tuple(passages),
        )
