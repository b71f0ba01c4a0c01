"""Drafts: the answer that the sources give to one question, and what a model may word anew."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from index.encoder import Encoder
from index.records import Paper, Topic
from index.snapshot import Snapshot
from index.stores.lexical import Scope
from rag import library
from rag.answer import Answer, AskRequest, Filters, Provenance, Reason, Understood
from rag.comparison import Side
from rag.compose import arrange, choose, lacking, sides_missing, write
from rag.compose.phrases import MARKED
from rag.confidence import UNSURE, confidence
from rag.dates import Period, wrong_period
from rag.draft import Draft, Material
from rag.evidence import (
    Evidence,
    inverse_frequency,
    of_best_sources,
    select_chunks,
    sentences_of,
    weigh,
)
from rag.facts.catalog import CATALOG, Fact
from rag.facts.telling import Told
from rag.inert import inert
from rag.of_source import is_asked_for, weighed_apart
from rag.passages import PassageReader
from rag.period import narrowed, restricting_period, told
from rag.premise import OTHERWISE, denied_by
from rag.question import Question, read_question
from rag.refusal import (
    ABOUT_THE_COLLECTION,
    NO_SOURCES,
    NOT_SEARCHED,
    of_period,
    reason_not_to_answer,
    reason_not_to_search,
)
from rag.retrieve import Candidate, FloatArray, retrieve
from rag.scope import scope_of
from rag.search import Search
from rag.settings import AnswerSettings
from rag.sources import FOLLOWUPS, followups_to, offer, related_to, retractions, source_ref
from rag.timing import Timer

EXTRACTIVE = "extractive/5"
"""Names the way answers are composed, in `provenance`; raised when the same input gives another answer."""
HANDED = 64
"""Sentences weighed for a model to write from: more than the tokens that it is handed hold."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question to draft an answer to: `text` as it stands by itself, inside a topic, under filters.

    `wording` is what finds the sentences, where the text is not; `bar` the confidence that suffices, where
    the settings' is not; `said` what has been said already, as (chunk id, start) of sentences, and is not
    said again. `to_write` asks for what a model may write from. `most` is how many sentences to say, where
    the settings' are too many. `goes_on` says that the filters are the sources of the last answer.
    """

    request: AskRequest
    text: str
    filters: Filters
    topic: Topic | None
    wording: str = ""
    bar: float | None = None
    said: frozenset[tuple[str, int]] = frozenset()
    to_write: bool = False
    most: int | None = None
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class _Choice:
    """The sentences that would answer, how well they match, and why they are not shown, if they are not.

    `handed` are those that a model may write from, best first, where one is to.
    """

    reason: Reason | None
    evidence: Sequence[Evidence] = ()
    confidence: float = 0.0
    handed: Sequence[Evidence] = ()
    denied_by: Evidence | None = None


class Drafter:
    """Drafts answers over one snapshot. Thread-safe."""

    def __init__(
        self,
        snapshot: Snapshot,
        encoder: Encoder,
        settings: AnswerSettings,
        today: Callable[[], dt.date],
        search: Search,
        provenance: Callable[[str], Provenance],
    ) -> None:
        self._snapshot, self._encoder, self._settings = snapshot, encoder, settings
        self._today, self._search, self._provenance = today, search, provenance
        self._passages = PassageReader(snapshot)

    def draft(self, asked: Asked, fact: Fact | None = None) -> Draft:
        """Answer from what papers say, or tell why nothing does; or tell a fact of the collection."""
        timer = Timer()
        request, topic = asked.request, asked.topic
        today = self._today()
        period, undated = (None, asked.text) if fact else restricting_period(asked.text, today)
        wrong = ""
        if not fact and not period:
            wrong, undated = wrong_period(asked.text, today)
        filters = narrowed(asked.filters, period) if period else asked.filters
        question = read_question(asked.wording or undated, topic=topic, wording=self._search.wording)
        scope = scope_of(filters, topic)
        timer.lap("understand")
        if fact and isinstance(fact.told, Told):
            return Draft(self._computed(request, topic, fact, fact.told, timer))
        query, candidates = self._search.candidates(question, scope, timer)
        choice = (
            _Choice(fact.told)
            if fact and isinstance(fact.told, Reason)
            else self._choose(asked, question, scope, query, candidates)
        )
        reason = choice.reason
        if wrong and reason == ABOUT_THE_COLLECTION:
            reason, wrong = reason.model_copy(update={"message": f"{wrong} Please name another date."}), ""
        if period and reason:
            reason = of_period(reason, told(period), is_empty=not candidates)
            # What is near is near without the dates as well.
            wider = scope_of(request.filters, topic)
            query, candidates = self._search.candidates(question, wider, timer)
        timer.lap("weigh")
        groups = arrange(() if reason else choice.evidence, question)
        text, citations = write(groups, question)
        cited = {group[0].source_id for group in groups}
        is_unsearched = reason is not None and reason.code in NOT_SEARCHED
        is_far = reason is not None and choice.confidence < UNSURE
        provenance = self._provenance(EXTRACTIVE)
        timer.lap("compose")
        answer = Answer(
            id=answer_id(request, provenance, today if fact or period else None),
            question=request.question,
            understood=Understood(
                text=asked.text
                if asked.wording or question.excluded or undated != asked.text
                else question.text,
                topic=topic.slug if topic else None,
                filters=fact.filters if fact else filters,
                kind=fact.question.kind if fact else question.kind,
                sides=tuple(side.name for side in question.sides or ()) if fact is None else (),
            ),
            topic=topic.slug if topic else None,
            answered=reason is None,
            kind="passage" if reason is None else "refusal",
            answer=text,
            citations=tuple(citations),
            sources=tuple(
                source_ref(n, group[0].passage.record, max(evidence.score for evidence in group))
                for n, group in enumerate(groups, start=1)
            ),
            confidence=round(choice.confidence, 4),
            reason=reason,
            related=() if is_unsearched else related_to(self._snapshot, candidates, cited),
            followups=self._followups(candidates, cited, topic, is_far=is_far),
            notices=(*_misdated(period, wrong, today), *_notices(question, choice.denied_by, groups)),
            timing_ms=timer.total(),
            provenance=provenance,
        )
        if not choice.handed:
            return Draft(answer)
        material = Material(
            question=replace(question, text=asked.text) if asked.wording else question,
            evidence=tuple(choice.handed),
            quoted=tuple(evidence for group in groups for evidence in group),
            idf=partial(inverse_frequency, self._snapshot.lexical.documents, self._snapshot.frequency),
            notices=partial(_notices, question, choice.denied_by),
            related=partial(related_to, self._snapshot, candidates),
            followups=partial(followups_to, self._snapshot, candidates),
        )
        return Draft(answer, material)

    def _computed(
        self, request: AskRequest, topic: Topic | None, fact: Fact, told: Told, timer: Timer
    ) -> Answer:
        provenance = self._provenance(CATALOG)
        timer.lap("compute")
        return Answer(
            id=answer_id(request, provenance, self._today()),
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
            sources=tuple(source_ref(n, record, 1.0) for n, record in enumerate(told.records, start=1)),
            confidence=1.0,
            counted=told.counted,
            followups=tuple(offer(paper) for paper in told.records[:FOLLOWUPS] if isinstance(paper, Paper)),
            notices=(
                *told.notices,
                *retractions(told.records),
                *((told.counted.definition,) if told.counted else ()),
            ),
            timing_ms=timer.total(),
            provenance=provenance,
        )

    def _choose(
        self,
        asked: Asked,
        question: Question,
        scope: Scope,
        query: FloatArray,
        candidates: Sequence[Candidate],
    ) -> _Choice:
        """Choose an answer's sentences, or say why there is none."""
        if reason := reason_not_to_search(question, asked.topic):
            return _Choice(reason)
        if not candidates:  # the dense side finds something in every scope that holds anything
            return _Choice(NO_SOURCES)
        snapshot, settings, topic = self._snapshot, self._settings, asked.topic
        weights = weigh(question, snapshot.lexical.documents, snapshot.frequency, topic)
        chunks = select_chunks(candidates, snapshot, question, settings.evidence_chunks)
        ranked = sentences_of(chunks, snapshot, self._passages, question, weights, query)
        is_foreign = False
        if len(scope.ids) == 1 and ranked and (title := ranked[0].passage.record.title) in question.text:
            is_foreign = not is_asked_for(ranked, question, weights, title)
            ranked = weighed_apart(ranked, question, weights, title)
        if question.aspect and question.kind != "reason" and len(scope.ids) == 1:
            # Of one source, what tells no limit is none of its limits. Reasons are told in more ways.
            told = [each for each in ranked if question.aspect.is_told_by(each.sentence.lowered)]
            is_foreign, ranked = is_foreign or not told, told or ranked
        for side in sides_missing(ranked, question):
            ranked += self._on_side(side, topic, scope)
        if asked.said:
            ranked = [each for each in ranked if place_of(each) not in asked.said]
        chosen = choose(
            ranked,
            question,
            asked.request.max_sources,
            asked.most or settings.max_sentences,
            of_one_source=len(scope.ids) == 1,
        )
        sure = confidence(
            chosen,
            weights,
            question,
            narrowed=not scope.is_topic_only or asked.bar is not None,
            goes_on=asked.goes_on,
        )
        if is_foreign:
            sure = replace(sure, value=min(sure.value, UNSURE))
        denied = denied_by(chosen, question, weights)
        reason = reason_not_to_answer(
            chosen,
            sure,
            settings.evidence_bar if asked.bar is None else asked.bar,
            question,
            ranked,
            weights,
            denied=denied is not None,
        )
        handed: Sequence[Evidence] = ()
        if asked.to_write and reason is None:
            # Weighed apart: what an extractive answer quotes does not hang on whether a model writes.
            more = sentences_of(chunks, snapshot, self._passages, question, weights, query, HANDED)
            handed = of_best_sources([*chosen, *more], asked.request.max_sources)
        return _Choice(reason, chosen, sure.value, handed, denied)

    def _on_side(self, side: Side, topic: Topic | None, scope: Scope) -> list[Evidence]:
        """Look for what is said of one side of a comparison, as if asked what that is."""
        read = read_question(side.name, topic=topic, wording=self._search.wording)
        question = replace(read, kind="definition", sides=None)
        query = self._encoder.encode_query(question.search_text)
        snapshot, limit = self._snapshot, self._settings.evidence_chunks // 2
        found = retrieve(snapshot, question, query, scope, self._settings.depth, explain=True)
        weights = weigh(question, snapshot.lexical.documents, snapshot.frequency, topic)
        chunks = select_chunks(found, snapshot, question, limit)
        return sentences_of(chunks, snapshot, self._passages, question, weights, query)

    def _followups(
        self, candidates: Sequence[Candidate], cited: set[str], topic: Topic | None, *, is_far: bool
    ) -> tuple[str, ...]:
        """Offer questions that the index can answer; where nothing is near, the topic's own examples."""
        if is_far:
            return library.examples(self._snapshot, topic) if topic else ()
        return followups_to(self._snapshot, candidates, cited)


def place_of(evidence: Evidence) -> tuple[str, int]:
    """Return what a sentence of the sources is told by: its chunk's id and where it begins."""
    return evidence.passage.chunk.id, evidence.sentence.start


def _misdated(period: Period | None, wrong: str, today: dt.date) -> tuple[str, ...]:
    """Say that nothing can have been published yet in a period, or that wrong dates restrict nothing."""
    if wrong:
        return (f"{wrong} Sources of any date were looked at.",)
    ahead = period is not None and period.first is not None and period.first > today
    return (f"{period.first} is still to come: today is {today}.",) if period and ahead else ()


def _notices(
    question: Question, denied_by: Evidence | None, groups: Sequence[Sequence[Evidence]]
) -> tuple[str, ...]:
    read_as = (f"Showing results for “{question.text}”.",) if question.corrected else ()
    is_left_out = question.excluded and groups
    left_out = (f"What is said of “{inert(question.excluded)}” is left out.",) if is_left_out else ()
    return (
        *read_as,
        *left_out,
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


def answer_id(request: AskRequest, provenance: Provenance, day: dt.date | None = None) -> str:
    """Name an answer by all that it depends on; `day` where that is one of it."""
    asked = (request.model_dump_json(exclude={"stream"}), provenance.model_dump_json(exclude_none=True))
    named = "".join((*asked, day.isoformat() if day else ""))
    return "ans-" + hashlib.blake2b(named.encode(), digest_size=10).hexdigest()
