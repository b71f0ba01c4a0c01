"""From a request to an answer or to search results, over one snapshot of the index."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from index.encoder import Encoder
from index.errors import ModeUnavailable
from index.records import Paper, Record, Topic
from index.snapshot import Snapshot
from index.stores.lexical import Scope
from rag import library
from rag.answer import (
    MOST_SOURCES,
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
from rag.comparison import Side
from rag.compose import arrange, choose, lacking, sides_missing, write
from rag.compose.phrases import MARKED
from rag.confidence import confidence
from rag.evidence import EXPLANATORY, Evidence, select_chunks, sentences_of, weigh
from rag.facts.catalog import CATALOG, Fact, answer_fact
from rag.facts.telling import Told
from rag.passages import PassageReader
from rag.premise import OTHERWISE, denied_by
from rag.question import Question, clean, read_question
from rag.refusal import NO_SOURCES, NOT_SEARCHED, reason_not_to_answer, reason_not_to_search
from rag.rerank import Reranker
from rag.retrieve import Candidate, FloatArray, retrieve
from rag.scope import scope_of
from rag.settings import AnswerSettings
from rag.timing import Timer
from rag.wording import Wording

EXTRACTIVE = "extractive/4"
"""Names the way answers are composed, in `provenance`; raised when the same input gives another answer."""
RELATED = 5
FOLLOWUPS = 3
TURNS = 4
"""Turns followed back to the paper that "it" is; each costs an answer."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """The sentences that would answer, how well they match, and why they are not shown, if they are not."""

    reason: Reason | None
    evidence: Sequence[Evidence] = ()
    confidence: float = 0.0
    denied_by: Evidence | None = None


class Answerer:
    """Answers and searches over one snapshot. Thread-safe."""

    def __init__(
        self,
        snapshot: Snapshot,
        encoder: Encoder,
        settings: AnswerSettings,
        version: str,
        today: Callable[[], dt.date],
        reranker: Reranker | None = None,
    ) -> None:
        self.snapshot, self._today, self._reranker = snapshot, today, reranker
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
        fact = self._fact(request, scope)
        if fact and isinstance(fact.told, Told):
            return self._computed(request, topic, fact, fact.told, timer)
        query, candidates = self._retrieve(question, scope, timer)
        choice = (
            _Choice(fact.told)
            if fact and isinstance(fact.told, Reason)
            else self._choose(question, topic, scope, query, candidates, request.max_sources)
        )
        reason = choice.reason
        timer.lap("weigh")
        groups = arrange(() if reason else choice.evidence, question)
        text, citations = write(groups, question)
        cited = {group[0].source_id for group in groups}
        provenance = self._provenance(EXTRACTIVE)
        timer.lap("compose")
        return Answer(
            id=_answer_id(request, provenance, self._today() if fact else None),
            question=request.question,
            understood=Understood(
                text=question.understood,
                topic=topic.slug if topic else None,
                filters=fact.filters if fact else request.filters,
                kind=fact.question.kind if fact else question.kind,
                sides=tuple(side.name for side in question.sides or ()) if fact is None else (),
            ),
            topic=topic.slug if topic else None,
            answered=reason is None,
            kind="passage" if reason is None else "refusal",
            answer=text,
            citations=tuple(citations),
            sources=tuple(
                _source(n, group[0].passage.record, max(evidence.score for evidence in group))
                for n, group in enumerate(groups, start=1)
            ),
            confidence=round(choice.confidence, 4),
            reason=reason,
            related=self._related(candidates, cited),
            followups=self._followups(candidates, cited, topic, reason),
            notices=_notices(question, groups, choice.denied_by),
            timing_ms=timer.total(),
            provenance=provenance,
        )

    def _fact(self, request: AskRequest, scope: Scope) -> Fact | None:
        """Answer from the catalog, where the question is for a fact of the collection."""

        def earlier() -> str | None:
            """Return the title of the paper that the last turn was answered from first."""
            if not request.history:
                return None
            # With the turns before it, for "who wrote that?" after "when was it published?".
            *turns, last = request.history[-TURNS:]
            before = request.model_copy(update={"question": last.question, "history": tuple(turns)})
            papers = (source.title for source in self.answer(before).sources if source.kind == "paper")
            return next(papers, None)

        return answer_fact(
            self.snapshot,
            clean(request.question),
            scope,
            request.filters,
            today=self._today(),
            # Ten papers that are asked for are listed, unless the request itself says that five are enough.
            most=request.max_sources if "max_sources" in request.model_fields_set else MOST_SOURCES,
            earlier=earlier,
        )

    def _computed(
        self, request: AskRequest, topic: Topic | None, fact: Fact, told: Told, timer: Timer
    ) -> Answer:
        provenance = self._provenance(CATALOG)
        timer.lap("compute")
        return Answer(
            id=_answer_id(request, provenance, self._today()),
            question=request.question,
            understood=Understood(
                text=fact.text,
                topic=topic.slug if topic else None,
                filters=fact.filters,
                kind=fact.question.kind,
            ),
            topic=topic.slug if topic else None,
            answered=True,
            kind="catalog",
            answer=told.text,
            citations=told.citations,
            sources=tuple(_source(n, record, 1.0) for n, record in enumerate(told.records, start=1)),
            confidence=1.0,
            counted=told.counted,
            followups=tuple(_offer(paper) for paper in told.records[:FOLLOWUPS] if isinstance(paper, Paper)),
            notices=(
                *told.notices,
                *_retractions(told.records),
                *((told.counted.definition,) if told.counted else ()),
            ),
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
        sources = self.snapshot.record_keys_of([candidate.row for candidate in candidates])
        for source, candidate in zip(sources, candidates, strict=True):
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
        if self._reranker is not None:
            found = self._reranker.rerank(self.snapshot, question.search_text, found)
            timer.lap("rerank")
        return query, found

    def _choose(
        self,
        question: Question,
        topic: Topic | None,
        scope: Scope,
        query: FloatArray,
        candidates: Sequence[Candidate],
        max_sources: int,
    ) -> _Choice:
        """Choose an answer's sentences, or say why there is no answer."""
        if reason := reason_not_to_search(question, topic):
            return _Choice(reason)
        if not candidates:  # the dense side finds something in every scope that holds anything
            return _Choice(NO_SOURCES)
        snapshot, settings = self.snapshot, self._settings
        weights = weigh(question, snapshot.lexical.documents, snapshot.frequency, topic)
        chunks = select_chunks(candidates, snapshot, question, settings.evidence_chunks)
        ranked = sentences_of(chunks, snapshot, self._passages, question, weights, query)
        for side in sides_missing(ranked, question):
            ranked += self._on_side(side, topic, scope)
        chosen = choose(ranked, question, max_sources, settings.max_sentences)
        narrowed = not scope.is_topic_only or question.understood != question.text
        sure = confidence(chosen, weights, question, narrowed=narrowed)
        denied = denied_by(chosen, question, weights)
        reason = reason_not_to_answer(
            chosen, sure, settings.evidence_bar, question, ranked, weights, denied=denied is not None
        )
        return _Choice(reason, chosen, sure.value, denied)

    def _on_side(self, side: Side, topic: Topic | None, scope: Scope) -> list[Evidence]:
        """Look for what is said of one side of a comparison, as if asked what that is."""
        read = read_question(side.name, topic=topic, wording=self._wording)
        question = replace(read, kind="definition", sides=None)
        query = self._encoder.encode_query(question.search_text)
        snapshot, limit = self.snapshot, self._settings.evidence_chunks // 2
        found = retrieve(snapshot, question, query, scope, self._settings.depth, explain=True)
        weights = weigh(question, snapshot.lexical.documents, snapshot.frequency, topic)
        chunks = select_chunks(found, snapshot, question, limit)
        return sentences_of(chunks, snapshot, self._passages, question, weights, query)

    def _result(self, found: Sequence[Candidate]) -> SearchResult:
        record = self.snapshot.record_of(found[0].row)
        passages = []
        for candidate in found:
            chunk = self.snapshot.chunk(candidate.row)
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

    def _followups(
        self,
        candidates: Sequence[Candidate],
        cited: set[str],
        topic: Topic | None = None,
        reason: Reason | None = None,
    ) -> tuple[str, ...]:
        """Offer questions that the index can answer: about the nearest papers not cited.

        Near what is no question there is nothing: then the topic's own examples.
        """
        if reason and reason.code in NOT_SEARCHED:
            return library.topic_info(self.snapshot, topic, self._today()).examples if topic else ()
        found: list[str] = []
        for key in dict.fromkeys(self.snapshot.record_key_of(candidate.row) for candidate in candidates):
            record = self.snapshot.record(key)
            if isinstance(record, Paper) and record.id not in cited:
                found.append(_offer(record))
            if len(found) == FOLLOWUPS:
                break
        return tuple(found)

    def _provenance(self, answerer: str) -> Provenance:
        return Provenance(
            index=f"{self.snapshot.generation}-{self.snapshot.fingerprint}",
            encoder=f"{self._encoder.name}@{self._encoder.fingerprint}",
            answerer=answerer,
            version=self._version,
            reranker=self._reranker.name if self._reranker else None,
        )


def _offer(paper: Paper) -> str:
    return f"What did “{paper.title}” find?"


def _source(n: int, record: Record, score: float) -> SourceRef:
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
        score=round(score, 4),
    )


def _notices(
    question: Question, groups: Sequence[Sequence[Evidence]], denied_by: Evidence | None
) -> tuple[str, ...]:
    read_as = (f"Showing results for “{question.text}”.",) if question.corrected else ()
    return (
        *read_as,
        *(
            OTHERWISE.format(n)
            for n, group in enumerate(groups, start=1)
            if denied_by is not None and denied_by in group
        ),
        *lacking(groups, question),
        *(
            MARKED[group[0].standing].format(n)
            for n, group in enumerate(groups, start=1)
            if group[0].standing
        ),
    )


def _retractions(records: Sequence[Record]) -> tuple[str, ...]:
    """Say which of the sources, in order of their numbers, have been retracted."""
    return tuple(
        MARKED["retracted"].format(n)
        for n, record in enumerate(records, start=1)
        if isinstance(record, Paper) and record.retracted
    )


def _answer_id(request: AskRequest, provenance: Provenance, day: dt.date | None = None) -> str:
    """Name an answer by all that it depends on; `day` where that is one of it."""
    asked = (request.model_dump_json(exclude={"stream"}), provenance.model_dump_json(exclude_none=True))
    named = "".join((*asked, day.isoformat() if day else ""))
    return "ans-" + hashlib.blake2b(named.encode(), digest_size=10).hexdigest()
