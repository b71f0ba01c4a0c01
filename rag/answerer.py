"""From a read question to an answer: retrieve, weigh, gate, compose. A function of its arguments."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from index.encoder import Encoder
from index.errors import BadFilter, ModeUnavailable
from index.lexical import Scope
from index.records import Paper, Record, Topic
from index.snapshot import Snapshot
from rag.answer import (
    Answer,
    AskRequest,
    Filters,
    Provenance,
    Reason,
    Related,
    SourceRef,
    Understood,
)
from rag.compose import Confidence, arrange, choose, confidence, write
from rag.evidence import EXPLANATORY, Evidence, select_chunks, sentences_of, weigh
from rag.question import Question, read_question
from rag.retrieve import Candidate, retrieve
from rag.settings import AnswerSettings
from rag.words import FUNCTION_WORDS

EXTRACTIVE = "extractive/1"
RELATED = 5
FOLLOWUPS = 3


@dataclass(frozen=True, slots=True)
class Found:
    """What retrieval and weighing gave for one question."""

    question: Question
    topic: Topic | None
    candidates: list[Candidate]
    chosen: list[Evidence]
    confidence: Confidence


class Timer:
    """Collects named spans of one answer, in milliseconds."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self.spans: dict[str, float] = {}

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.spans[name] = round((now - self._last) * 1_000, 3)
        self._last = now

    def total(self) -> dict[str, float]:
        return {**self.spans, "total": round((time.perf_counter() - self._start) * 1_000, 3)}


def answer(
    request: AskRequest, snapshot: Snapshot, encoder: Encoder, settings: AnswerSettings, version: str
) -> Answer:
    """Answer a question from one snapshot of the index.

    Raises `BadQuestion`, `UnknownTopic`, `BadFilter` or `ModeUnavailable`; a question that the
    sources do not answer is no error but an answer with `answered` false.
    """
    if request.mode == "generative":
        raise ModeUnavailable('no model is configured; ask with mode "extractive" or "auto"')
    timer = Timer()
    question = read_question(request.question, request.history)
    topic = snapshot.topic(request.topic) if request.topic else None
    scope = scope_of(request.filters, topic)
    timer.lap("understand")
    found = _find(question, topic, scope, request, snapshot, encoder, settings, timer)
    reason = _reason(found, scope, snapshot, settings)
    groups = [] if reason else arrange(found.chosen, question)
    text, citations = write(groups)
    sources = tuple(
        _source(n, group[0].record, max(item.score for item in group))
        for n, group in enumerate(groups, start=1)
    )
    cited = {source.id for source in sources}
    provenance = provenance_of(snapshot, encoder, version, EXTRACTIVE)
    timer.lap("compose")
    return Answer(
        id=_answer_id(request, provenance),
        question=request.question,
        understood=Understood(
            text=question.search_text,
            topic=topic.slug if topic else None,
            filters=request.filters,
            kind=question.kind,
        ),
        topic=topic.slug if topic else None,
        answered=reason is None,
        kind="passage" if reason is None else "refusal",
        answer=text,
        citations=tuple(citations),
        sources=sources,
        reason=reason,
        related=_related(found.candidates, snapshot, cited),
        followups=_followups(found.candidates, snapshot, cited) if reason is None else (),
        notices=_notices(groups),
        timing_ms=timer.total(),
        provenance=provenance,
    )


def scope_of(filters: Filters, topic: Topic | None) -> Scope:
    """Turn filters into a scope. Raises `BadFilter` if they can match nothing by construction."""
    if filters.from_ and filters.to and filters.from_ > filters.to:
        raise BadFilter(f"filters.from ({filters.from_}) is after filters.to ({filters.to}); swap them")
    for name, values in (("authors", filters.authors), ("venues", filters.venues), ("ids", filters.ids)):
        if any(not value.strip() for value in values):
            raise BadFilter(f"filters.{name} holds an empty value; leave it out")
    return Scope(
        topic=topic.slug if topic else None,
        date_from=filters.from_,
        date_to=filters.to,
        authors=filters.authors,
        venues=filters.venues,
        kinds=filters.kinds,
        ids=filters.ids,
    )


def provenance_of(snapshot: Snapshot, encoder: Encoder, version: str, answerer: str) -> Provenance:
    return Provenance(
        index=f"{snapshot.generation}-{snapshot.fingerprint}",
        encoder=f"{encoder.name}@{encoder.fingerprint}",
        answerer=answerer,
        version=version,
    )


def _find(
    question: Question,
    topic: Topic | None,
    scope: Scope,
    request: AskRequest,
    snapshot: Snapshot,
    encoder: Encoder,
    settings: AnswerSettings,
    timer: Timer,
) -> Found:
    query: NDArray[np.float32] = encoder.encode_query(question.search_text)
    timer.lap("encode")
    candidates = retrieve(
        snapshot, question.terms, query, scope, settings.depth, explain=question.kind in EXPLANATORY
    )
    timer.lap("retrieve")
    weights = weigh(question, snapshot.lexical.documents, snapshot.frequency, topic)
    chunks = select_chunks(candidates, snapshot, question, settings.evidence_chunks)
    ranked = sentences_of(chunks, snapshot, question, weights, query)
    chosen = choose(ranked, question, request.max_sources, settings.max_sentences)
    timer.lap("weigh")
    return Found(question, topic, candidates, chosen, confidence(chosen, weights, question))


def _reason(found: Found, scope: Scope, snapshot: Snapshot, settings: AnswerSettings) -> Reason | None:
    if found.question.foreign:
        return Reason(
            code="language",
            message="The sources are in English, and so must the question be. Please ask in English.",
        )
    if not found.question.terms or all(term in FUNCTION_WORDS for term in found.question.terms):
        return Reason(
            code="not_a_question",
            message="There is nothing to look for in this question. Please name what you want to know about.",
        )
    if not found.candidates:
        rows = snapshot.rows_of(scope)
        if rows is not None and not len(rows):
            return Reason(
                code="no_sources",
                message="No source matches the topic and filters of this question. Please widen the filters.",
            )
    if not found.chosen:
        return Reason(code="no_evidence", message="No sentence of the sources speaks about this question.")
    if found.confidence.value < settings.evidence_bar:
        where = f" about {found.topic.name}" if found.topic else ""
        return Reason(
            code="weak_evidence",
            message=f"The sources{where} do not answer this question well enough to be quoted. "
            "The nearest ones are listed.",
        )
    return None


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


def _related(candidates: Sequence[Candidate], snapshot: Snapshot, cited: set[str]) -> tuple[Related, ...]:
    related: dict[str, Related] = {}
    for candidate in candidates:
        record = snapshot.record_of(candidate.row)
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


def _followups(candidates: Sequence[Candidate], snapshot: Snapshot, cited: set[str]) -> tuple[str, ...]:
    """Offer questions that the index can answer: about the nearest papers not cited."""
    found: list[str] = []
    for candidate in candidates[: 4 * RELATED]:
        record = snapshot.record_of(candidate.row)
        if isinstance(record, Paper) and record.id not in cited:
            question = f"What did “{record.title}” find?"
            if question not in found:
                found.append(question)
        if len(found) == FOLLOWUPS:
            break
    return tuple(found)


def _notices(groups: Sequence[Sequence[Evidence]]) -> tuple[str, ...]:
    retracted = [
        f"Source [{n}] has been retracted."
        for n, group in enumerate(groups, start=1)
        if isinstance(group[0].record, Paper) and group[0].record.retracted
    ]
    return tuple(retracted)


def _answer_id(request: AskRequest, provenance: Provenance) -> str:
    asked = request.model_dump_json(exclude={"stream"}) + provenance.model_dump_json()
    return "ans-" + hashlib.blake2b(asked.encode(), digest_size=10).hexdigest()
