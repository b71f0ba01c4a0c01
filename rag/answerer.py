"""From a request to an answer or to search results, over one snapshot of the index."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from index.encoder import Encoder
from index.errors import ModeUnavailable
from index.records import Paper, Record, Topic
from index.snapshot import Snapshot
from index.stores.lexical import Scope
from rag.answer import (
    Answer,
    AskRequest,
    Passage,
    Provenance,
    Reason,
    Related,
    SearchRequest,
    SearchResponse,
    SearchResult,
    SourceRef,
    Understood,
)
from rag.compose import arrange, choose, confidence, write
from rag.evidence import EXPLANATORY, Evidence, select_chunks, sentences_of, weigh
from rag.passages import PassageReader
from rag.question import Question, read_question
from rag.refusal import NO_SOURCES, reason_not_to_answer, reason_not_to_search
from rag.retrieve import Candidate, FloatArray, retrieve
from rag.scope import scope_of
from rag.settings import AnswerSettings
from rag.timing import Timer
from rag.wording import Wording

EXTRACTIVE = "extractive/3"
"""Names the way answers are composed, in `provenance`; raised when the same input gives another answer."""
RELATED = 5
FOLLOWUPS = 3


@dataclass(frozen=True, slots=True)
class _Choice:
    """The sentences that would answer, how well they match, and why they are not shown, if they are not."""

    reason: Reason | None
    evidence: Sequence[Evidence] = ()
    confidence: float = 0.0


class Answerer:
    """Answers and searches over one snapshot. Thread-safe."""

    def __init__(self, snapshot: Snapshot, encoder: Encoder, settings: AnswerSettings, version: str) -> None:
        self.snapshot = snapshot
        self._encoder, self._settings, self._version = encoder, settings, version
        self._passages = PassageReader(snapshot)
        self._wording = Wording(snapshot.vocabulary, snapshot.frequency)

    def answer(self, request: AskRequest) -> Answer:
        """Answer a question.

        Raises `BadQuestion`, `UnknownTopic`, `BadFilter` or `ModeUnavailable`; a question that the
        sources do not answer is no error but an answer with `answered` false.
        """
        if request.mode == "generative":
            raise ModeUnavailable('no model is configured; ask with mode "extractive" or "auto"')
        timer = Timer()
        topic = self.snapshot.topic(request.topic) if request.topic else None
        question = read_question(request.question, request.history, topic, self._wording)
        scope = scope_of(request.filters, topic)
        timer.lap("understand")
        query, candidates = self._retrieve(question, scope, timer)
        choice = self._choose(question, topic, query, candidates, request.max_sources)
        reason = choice.reason
        timer.lap("weigh")
        groups = arrange(() if reason else choice.evidence, question)
        text, citations = write(groups)
        cited = {group[0].source_id for group in groups}
        provenance = self._provenance(EXTRACTIVE)
        timer.lap("compose")
        return Answer(
            id=_answer_id(request, provenance),
            question=request.question,
            understood=Understood(
                text=question.understood,
                topic=topic.slug if topic else None,
                filters=request.filters,
                kind=question.kind,
            ),
            topic=topic.slug if topic else None,
            answered=reason is None,
            kind="passage" if reason is None else "refusal",
            answer=text,
            citations=tuple(citations),
            sources=tuple(_source(n, group) for n, group in enumerate(groups, start=1)),
            confidence=round(choice.confidence, 4),
            reason=reason,
            related=self._related(candidates, cited),
            followups=self._followups(candidates, cited) if reason is None else (),
            notices=_notices(question, groups),
            timing_ms=timer.total(),
            provenance=provenance,
        )

    def search(self, request: SearchRequest) -> SearchResponse:
        """Retrieve without answering: one result a source, best first.

        Raises `BadQuestion`, `UnknownTopic` or `BadFilter`.
        """
        timer = Timer()
        topic = self.snapshot.topic(request.topic) if request.topic else None
        question = read_question(request.query, topic=topic, wording=self._wording)
        scope = scope_of(request.filters, topic)
        timer.lap("understand")
        passages: dict[int, list[Candidate]] = {}
        _, candidates = self._retrieve(question, scope, timer, at_least=2 * request.limit)
        for candidate in candidates:
            source = self.snapshot.record_key_of(candidate.row)
            if source in passages or len(passages) < request.limit:
                passages.setdefault(source, []).append(candidate)
        results = tuple(self._result(found) for found in passages.values())
        return SearchResponse(results=results, timing_ms=timer.total(), provenance=self._provenance("search"))

    def _retrieve(
        self, question: Question, scope: Scope, timer: Timer, at_least: int = 0
    ) -> tuple[FloatArray, list[Candidate]]:
        """Return the encoded question and the candidates, best first."""
        query = self._encoder.encode_query(question.search_text)
        timer.lap("encode")
        depth = max(self._settings.depth, at_least)
        explain = question.kind in EXPLANATORY
        found = retrieve(self.snapshot, question, query, scope, depth, explain=explain)
        timer.lap("retrieve")
        return query, found

    def _choose(
        self,
        question: Question,
        topic: Topic | None,
        query: FloatArray,
        candidates: Sequence[Candidate],
        max_sources: int,
    ) -> _Choice:
        """Choose an answer's sentences, or say why there is no answer."""
        if reason := reason_not_to_search(question):
            return _Choice(reason)
        if not candidates:  # the dense side finds something in every scope that holds anything
            return _Choice(NO_SOURCES)
        snapshot, settings = self.snapshot, self._settings
        weights = weigh(question, snapshot.lexical.documents, snapshot.frequency, topic)
        chunks = select_chunks(candidates, snapshot, question, settings.evidence_chunks)
        ranked = sentences_of(chunks, snapshot, self._passages, question, weights, query)
        chosen = choose(ranked, question, max_sources, settings.max_sentences)
        sure = confidence(chosen, weights, question)
        reason = reason_not_to_answer(chosen, sure, settings.evidence_bar, question, topic)
        return _Choice(reason, chosen, sure.value)

    def _result(self, found: Sequence[Candidate]) -> SearchResult:
        record = self.snapshot.record_of(found[0].row)
        passages = []
        for candidate in found:
            chunk = self.snapshot.text_of(candidate.row)
            passages.append(
                Passage(
                    chunk_id=chunk.id,
                    field=chunk.field,
                    start=chunk.start,
                    end=chunk.end,
                    text=chunk.text,
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

    def _related(self, candidates: Sequence[Candidate], cited: set[str]) -> tuple[Related, ...]:
        """Return the nearest sources that are not cited."""
        related: dict[str, Related] = {}
        for candidate in candidates:
            record = self.snapshot.record_of(candidate.row)
            if record.id not in cited and record.id not in related:
                related[record.id] = Related(
                    id=record.id,
                    kind=record.kind,
                    title=record.title,
                    date=record.date,
                    url=record.url,
                    score=round(candidate.score, 4),
                )
            if len(related) == RELATED:
                break
        return tuple(related.values())

    def _followups(self, candidates: Sequence[Candidate], cited: set[str]) -> tuple[str, ...]:
        """Offer questions that the index can answer: about the nearest papers not cited."""
        found: list[str] = []
        for key in dict.fromkeys(self.snapshot.record_key_of(candidate.row) for candidate in candidates):
            record = self.snapshot.record(key)
            if isinstance(record, Paper) and record.id not in cited:
                found.append(f"What did “{record.title}” find?")
            if len(found) == FOLLOWUPS:
                break
        return tuple(found)

    def _provenance(self, answerer: str) -> Provenance:
        return Provenance(
            index=f"{self.snapshot.generation}-{self.snapshot.fingerprint}",
            encoder=f"{self._encoder.name}@{self._encoder.fingerprint}",
            answerer=answerer,
            version=self._version,
        )


def _source(n: int, group: Sequence[Evidence]) -> SourceRef:
    record: Record = group[0].passage.record
    paper = record if isinstance(record, Paper) else None
    return SourceRef(
        n=n,
        id=record.id,
        kind=record.kind,
        title=record.title,
        authors=paper.authors if paper else (),
        authors_total=paper.authors_total if paper else None,
        date=record.date,
        venue=paper.venue if paper else "",
        url=record.url,
        score=round(max(evidence.score for evidence in group), 4),
    )


def _notices(question: Question, groups: Sequence[Sequence[Evidence]]) -> tuple[str, ...]:
    records = (group[0].passage.record for group in groups)
    read_as = (f"Showing results for “{question.text}”.",) if question.corrected else ()
    return read_as + tuple(
        f"Source [{n}] has been retracted."
        for n, record in enumerate(records, start=1)
        if isinstance(record, Paper) and record.retracted
    )


def _answer_id(request: AskRequest, provenance: Provenance) -> str:
    asked = request.model_dump_json(exclude={"stream"}) + provenance.model_dump_json()
    return "ans-" + hashlib.blake2b(asked.encode(), digest_size=10).hexdigest()
