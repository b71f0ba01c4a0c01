"""From a request to an answer or to search results, over one snapshot of the index."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from index.encoder import Encoder
from index.records import Paper, Record, Topic
from index.snapshot import Snapshot
from index.stores.lexical import Scope
from rag import library
from rag.answer import (
    MOST_SOURCES,
    Answer,
    AskRequest,
    Filters,
    Provenance,
    Reason,
    SearchRequest,
    SearchResponse,
    SourceRef,
    Turn,
    Understood,
)
from rag.antecedent import NEAREST, Antecedent
from rag.comparison import Side
from rag.compose import arrange, choose, lacking, sides_missing, write
from rag.compose.phrases import MARKED
from rag.confidence import confidence
from rag.dates import Period
from rag.draft import Draft, Material
from rag.evidence import (
    Evidence,
    inverse_frequency,
    of_best_sources,
    select_chunks,
    sentences_of,
    weigh,
)
from rag.facts.catalog import CATALOG, Fact, answer_fact
from rag.facts.telling import Told
from rag.followup import TURNS, resolve
from rag.passages import PassageReader
from rag.period import narrowed, restricting_period, told
from rag.premise import OTHERWISE, denied_by
from rag.question import Question, clean_question, read_question
from rag.refusal import NO_SOURCES, NOT_SEARCHED, of_period, reason_not_to_answer, reason_not_to_search
from rag.rerank import Reranker
from rag.retrieve import Candidate, FloatArray, retrieve
from rag.scope import scope_of
from rag.search import Search
from rag.settings import AnswerSettings
from rag.several import combine, id_of, parts_of_question
from rag.sources import FOLLOWUPS, followups_to, offer, related_to, retractions, source_ref
from rag.timing import Timer

EXTRACTIVE = "extractive/4"
"""Names the way answers are composed, in `provenance`; raised when the same input gives another answer."""
NEAR_BAR = 0.6
"""Share of the bar that suffices in the sources of the answer that a question goes on about."""
HANDED = 64
"""Sentences weighed for a model to write from: more than the tokens that it is handed hold."""


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


@dataclass(frozen=True, slots=True)
class _Meant:
    """A question as it stands by itself, its restrictions, and whether it leans on the last answer."""

    text: str
    filters: Filters
    leans: bool = False
    bare: str = ""


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
        self._search = Search(snapshot, encoder, settings.depth, reranker)
        self._wording = self._search.wording

    def answer(self, request: AskRequest) -> Answer:
        """Answer a question, without a model.

        Raises `BadQuestion`, `UnknownTopic` or `BadFilter`; a question that the sources do not answer is
        no error but an answer with `answered` false.
        """
        return self.draft(request, to_write=False).answer

    def draft(self, request: AskRequest, *, to_write: bool = True) -> Draft:
        """Answer a question as `answer` does; `to_write`, with what a model may write from.

        What the catalog computes, what is refused and what asks several things has no such material: no
        model sees it.
        """
        asked = clean_question(request.question)
        if len(parts := parts_of_question(asked)) > 1:
            return Draft(self._several(request, parts))
        topic = self.snapshot.topic(request.topic) if request.topic else None
        antecedent = self._antecedent(request, topic)
        meant = self._meant(request, asked, antecedent)
        # What is said of the collection is read with its dates; for what papers say they are filters.
        fact = self._fact(request, meant, topic, antecedent)
        if fact is None and meant.leans:
            return self._leaning(request, meant, topic, antecedent, to_write=to_write)
        return self._draft(request, meant.text, meant.filters, topic, fact, to_write=to_write)

    def _leaning(
        self,
        request: AskRequest,
        meant: _Meant,
        topic: Topic | None,
        antecedent: Antecedent,
        *,
        to_write: bool,
    ) -> Draft:
        """Answer a question that goes on about what the last answer spoke of: from its sources, if they do.

        There, the question's own words find the sentence: what they lean on is said all around it. What
        compares with another side is looked for everywhere first, unless those sources speak of both.
        """
        draft = partial(self._draft, request, meant.text, topic=topic, to_write=to_write)
        wordings = dict.fromkeys((meant.bare or meant.text, meant.text))
        near = [
            partial(draft, filters, asked=asked, bar=NEAR_BAR * self._settings.evidence_bar)
            for filters, asked in product(self._near(request, antecedent), wordings)
        ]
        sides = read_question(meant.text, topic=topic, wording=self._wording).sides or ()
        if sides and near:
            found = near[0]()
            if found.answer.answered and all(_speaks_of(found.answer, side) for side in sides):
                return found
        everywhere = partial(draft, meant.filters)
        tries = [everywhere, *near] if sides else [*near, everywhere]
        drafts = (attempt() for attempt in tries)
        refused = None
        for found in drafts:
            if found.answer.answered:
                return found
            refused = found
        assert refused is not None
        return refused

    def search(self, request: SearchRequest) -> SearchResponse:
        """Retrieve without answering: one result a source, best first.

        Raises `BadQuestion`, `UnknownTopic` or `BadFilter`.
        """
        timer = Timer()
        results = self._search.results(request, timer)
        return SearchResponse(results=results, timing_ms=timer.total(), provenance=self._provenance("search"))

    def _several(self, request: AskRequest, parts: Sequence[str]) -> Answer:
        """Answer each part, with those before it as earlier turns, and put the answers together."""
        timer = Timer()
        answers: list[Answer] = []
        for n, part in enumerate(parts):
            before = tuple(Turn(question=earlier) for earlier in parts[:n])
            answers.append(
                self.answer(
                    request.model_copy(update={"question": part, "history": (*request.history, *before)})
                )
            )
        understood = answers[0].understood.model_copy(
            update={
                "text": " ".join(answer.understood.text for answer in answers),
                "parts": tuple(answer.understood.text for answer in answers),
            }
        )
        whole = answers[0].model_copy(
            update={
                "id": id_of(_answer_id(request, self._provenance(EXTRACTIVE)), answers),
                "question": request.question,
                "understood": understood,
                "timing_ms": timer.total(),
            }
        )
        return combine(whole, [answer.understood.text for answer in answers], answers)

    def _antecedent(self, request: AskRequest, topic: Topic | None) -> Antecedent:
        def answered(turn: Turn, before: Sequence[Turn]) -> tuple[str, Sequence[SourceRef]]:
            again = request.model_copy(update={"question": turn.question, "history": tuple(before)})
            answer = self.answer(again)
            return answer.answer, answer.sources

        def nearest(text: str) -> list[Record]:
            question = read_question(text, topic=topic, wording=self._wording)
            _, candidates = self._search.candidates(question, scope_of(request.filters, topic), Timer())
            found = (self.snapshot.record_of(candidate.row) for candidate in candidates[:NEAREST])
            return list({record.id: record for record in found}.values())

        scope = scope_of(request.filters, topic)
        return Antecedent(request.history[-TURNS:], self.snapshot, scope, answered, nearest)

    def _meant(self, request: AskRequest, asked: str, antecedent: Antecedent) -> _Meant:
        """Return the question as it stands by itself after the earlier turns.

        A question about one source of the earlier answer names it, and is restricted to it.
        """
        found = resolve(asked, request.history[-TURNS:])
        if found.source is None or found.place is None:
            return _Meant(found.text, request.filters, found.leans, found.bare)
        sources = antecedent.sources
        number = len(sources) if found.source < 0 else found.source
        if not 1 <= number <= len(sources):
            return _Meant(found.text, request.filters)
        source, (start, end) = sources[number - 1], found.place
        text = f"{found.text[:start]}“{source.title}”{found.text[end:]}"
        return _Meant(text, request.filters.model_copy(update={"ids": (source.id,)}))

    def _near(self, request: AskRequest, antecedent: Antecedent) -> list[Filters]:
        """Return the request's filters for what the earlier answer stood on first, then for all of that."""
        allowed = request.filters.ids
        ids = tuple(source.id for source in antecedent.sources if not allowed or source.id in allowed)
        ever_wider = dict.fromkeys((ids[:1], ids))
        return [request.filters.model_copy(update={"ids": some}) for some in ever_wider if some]

    def _draft(
        self,
        request: AskRequest,
        meant: str,
        filters: Filters,
        topic: Topic | None,
        fact: Fact | None = None,
        *,
        asked: str = "",
        bar: float | None = None,
        to_write: bool,
    ) -> Draft:
        """Answer what was meant, from what `asked` finds if it is worded otherwise; `bar` as in `_choose`."""
        timer = Timer()
        today = self._today()
        period, text = (None, meant) if fact else restricting_period(meant, today)
        if period:
            filters = narrowed(filters, period)
        question = read_question(asked or text, topic=topic, wording=self._wording)
        scope = scope_of(filters, topic)
        timer.lap("understand")
        if fact and isinstance(fact.told, Told):
            return Draft(self._computed(request, topic, fact, fact.told, timer))
        query, candidates = self._search.candidates(question, scope, timer)
        choice = (
            _Choice(fact.told)
            if fact and isinstance(fact.told, Reason)
            else self._choose(
                question, topic, scope, query, candidates, request.max_sources, bar=bar, to_write=to_write
            )
        )
        reason = choice.reason
        if period and reason:
            reason = of_period(reason, told(period), is_empty=not candidates)
            # What is near is near without the dates as well.
            wider = scope_of(request.filters, topic)
            query, candidates = self._search.candidates(question, wider, timer)
        timer.lap("weigh")
        groups = arrange(() if reason else choice.evidence, question)
        text, citations = write(groups, question)
        cited = {group[0].source_id for group in groups}
        provenance = self._provenance(EXTRACTIVE)
        timer.lap("compose")
        answer = Answer(
            id=_answer_id(request, provenance, today if fact or period else None),
            question=request.question,
            understood=Understood(
                text=meant if period or asked else question.text,
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
            related=related_to(self.snapshot, candidates, cited),
            followups=self._followups(candidates, cited, topic, reason),
            notices=(*_future(period, today), *_notices(question, choice.denied_by, groups)),
            timing_ms=timer.total(),
            provenance=provenance,
        )
        if not choice.handed:
            return Draft(answer)
        material = Material(
            question=replace(question, text=meant) if asked else question,
            evidence=tuple(choice.handed),
            quoted=tuple(evidence for group in groups for evidence in group),
            idf=partial(inverse_frequency, self.snapshot.lexical.documents, self.snapshot.frequency),
            notices=partial(_notices, question, choice.denied_by),
            related=partial(related_to, self.snapshot, candidates),
            followups=partial(followups_to, self.snapshot, candidates),
        )
        return Draft(answer, material)

    def _fact(
        self, request: AskRequest, meant: _Meant, topic: Topic | None, antecedent: Antecedent
    ) -> Fact | None:
        """Answer from the catalog, where the question is for a fact of the collection.

        As it was typed, since facts have pronouns of their own ("who wrote that?"), then as it was meant.
        """

        asked = ((clean_question(request.question), request.filters), (meant.text, meant.filters))
        # "Who wrote the second one?" names no paper of that title.
        is_of_one = meant.filters != request.filters
        for text, chosen in dict.fromkeys(asked[1:] if is_of_one else asked):
            fact = answer_fact(
                self.snapshot,
                text,
                scope_of(chosen, topic),
                chosen,
                today=self._today(),
                # Ten papers that are asked for are listed, unless the request says that five are enough.
                most=request.max_sources if "max_sources" in request.model_fields_set else MOST_SOURCES,
                earlier=lambda: antecedent.paper,
            )
            if fact is not None:
                return fact
        return None

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
        question: Question,
        topic: Topic | None,
        scope: Scope,
        query: FloatArray,
        candidates: Sequence[Candidate],
        max_sources: int,
        *,
        bar: float | None = None,
        to_write: bool,
    ) -> _Choice:
        """Choose an answer's sentences, or say why there is none.

        `bar` is the confidence that suffices, where that is not what the settings say.
        """
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
        sure = confidence(chosen, weights, question, narrowed=not scope.is_topic_only or bar is not None)
        denied = denied_by(chosen, question, weights)
        reason = reason_not_to_answer(
            chosen,
            sure,
            settings.evidence_bar if bar is None else bar,
            question,
            ranked,
            weights,
            denied=denied is not None,
        )
        handed: Sequence[Evidence] = ()
        if to_write and reason is None:
            # Weighed apart: what an extractive answer quotes does not hang on whether a model writes.
            more = sentences_of(chunks, snapshot, self._passages, question, weights, query, HANDED)
            handed = of_best_sources([*chosen, *more], max_sources)
        return _Choice(reason, chosen, sure.value, handed, denied)

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

    def _followups(
        self, candidates: Sequence[Candidate], cited: set[str], topic: Topic | None, reason: Reason | None
    ) -> tuple[str, ...]:
        """Offer questions that the index can answer; near what is no question, the topic's own examples."""
        if reason and reason.code in NOT_SEARCHED:
            return library.topic_info(self.snapshot, topic, self._today()).examples if topic else ()
        return followups_to(self.snapshot, candidates, cited)

    def _provenance(self, answerer: str) -> Provenance:
        return Provenance(
            index=self.snapshot.name,
            encoder=f"{self._encoder.name}@{self._encoder.fingerprint}",
            answerer=answerer,
            version=self._version,
            reranker=self._reranker.name if self._reranker else None,
        )


def _speaks_of(answer: Answer, side: Side) -> bool:
    said = " ".join((answer.answer, *(source.title for source in answer.sources))).casefold()
    return side.name.casefold() in said


def _future(period: Period | None, today: dt.date) -> tuple[str, ...]:
    """Say that nothing can have been published yet in a period."""
    ahead = period is not None and period.first is not None and period.first > today
    return (f"{period.first} is still to come: today is {today}.",) if period and ahead else ()


def _notices(
    question: Question, denied_by: Evidence | None, groups: Sequence[Sequence[Evidence]]
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


def _answer_id(request: AskRequest, provenance: Provenance, day: dt.date | None = None) -> str:
    """Name an answer by all that it depends on; `day` where that is one of it."""
    asked = (request.model_dump_json(exclude={"stream"}), provenance.model_dump_json(exclude_none=True))
    named = "".join((*asked, day.isoformat() if day else ""))
    return "ans-" + hashlib.blake2b(named.encode(), digest_size=10).hexdigest()
