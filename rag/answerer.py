"""From a request to an answer or to search results, over one snapshot of the index."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from index.encoder import Encoder
from index.records import Record, Topic
from index.snapshot import Snapshot
from rag.anaphora import named_at
from rag.answer import (
    MOST_SOURCES,
    Answer,
    AskRequest,
    Filters,
    Provenance,
    SearchRequest,
    SearchResponse,
    SourceRef,
    Turn,
)
from rag.antecedent import NEAREST, Antecedent
from rag.aspects import aspect_of
from rag.comparison import Side
from rag.draft import Draft
from rag.drafting import EXTRACTIVE, Asked, Drafter, answer_id
from rag.facts.catalog import Fact, answer_fact
from rag.followup import LAST, TURNS, FollowUp, resolve
from rag.question import clean_question, read_question
from rag.rerank import Reranker
from rag.scope import scope_of
from rag.search import Search
from rag.settings import AnswerSettings
from rag.several import combine, id_of, parts_of_question, quoted_by
from rag.timing import Timer

EACH = 3
"""Sources of an earlier answer that a question about all of them is answered from: each costs an answer."""
OF_EACH = 2
"""Sentences of each of them."""
NEAR_BAR = 0.6
"""Share of the bar that suffices in the sources of the answer that a question goes on about."""


@dataclass(frozen=True, slots=True)
class _Meant:
    """A question as it stands by itself, its restrictions, and whether it leans on the last answer.

    `each` is the same question about each of some sources.
    """

    text: str
    filters: Filters
    leans: bool = False
    bare: str = ""
    each: tuple[_Meant, ...] = ()


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
        self._search = Search(snapshot, encoder, settings.depth, reranker)
        self._drafter = Drafter(snapshot, encoder, settings, today, self._search, self._provenance)

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
        parts = parts_of_question(clean_question(request.question))
        if len(parts) > 1:
            return Draft(self._several(request, parts))
        return self._one(request, to_write=to_write)

    def search(self, request: SearchRequest) -> SearchResponse:
        """Retrieve without answering: one result a source, best first.

        Raises `BadQuestion`, `UnknownTopic` or `BadFilter`.
        """
        timer = Timer()
        results = self._search.results(request, timer)
        return SearchResponse(results=results, timing_ms=timer.total(), provenance=self._provenance("search"))

    def _one(
        self, request: AskRequest, *, said: frozenset[tuple[str, int]] = frozenset(), to_write: bool = False
    ) -> Draft:
        """Answer one question; `said` as in `Asked`."""
        topic = self.snapshot.topic(request.topic) if request.topic else None
        antecedent = self._antecedent(request, topic)
        meant = self._meant(request, antecedent)
        asked = Asked(request, meant.text, meant.filters, topic, said=said, to_write=to_write)
        if meant.each:
            timer = Timer()
            answers = [
                self._drafter.draft(Asked(request, one.text, one.filters, topic, most=OF_EACH)).answer
                for one in meant.each
            ]
            return Draft(self._together(request, answers, timer))
        # What is said of the collection is read with its dates; for what papers say they are filters.
        fact = self._fact(request, meant, topic, antecedent)
        if fact or not meant.leans:
            return self._drafter.draft(asked, fact)
        refused = None
        for attempt in self._attempts(asked, meant, antecedent):
            if attempt.answer.answered:
                return attempt
            refused = attempt
        assert refused is not None
        return refused

    def _attempts(self, asked: Asked, meant: _Meant, antecedent: Antecedent) -> Iterator[Draft]:
        """Answer a question that goes on about what the last answer spoke of, likeliest sources first.

        In that answer's sources the question's own words find the sentence: what they lean on is said all
        around it. What compares with another side is looked for everywhere first, unless those sources
        speak of both.
        """
        # An aspect's own word is not looked for: "its limits?" would be left with nothing.
        bare = "" if aspect_of(meant.text) else meant.bare
        wordings = dict.fromkeys((bare or meant.text, meant.text))
        bar = NEAR_BAR * self._settings.evidence_bar
        near = [
            replace(asked, filters=filters, wording=wording, bar=bar)
            for filters, wording in product(self._near(asked.request, antecedent), wordings)
        ]
        sides = read_question(meant.text, topic=asked.topic, wording=self._search.wording).sides
        if sides and near:
            found = self._drafter.draft(near[0])
            if all(_speaks_of(found.answer, side) for side in sides):
                yield found
        for attempt in (asked, *near) if sides else (*near, asked):
            yield self._drafter.draft(attempt)

    def _several(self, request: AskRequest, parts: Sequence[str]) -> Answer:
        """Answer each part, with those before it as earlier turns, and put the answers together."""
        timer = Timer()
        answers: list[Answer] = []
        said: set[tuple[str, int]] = set()
        for n, part in enumerate(parts):
            before = tuple(Turn(question=earlier) for earlier in parts[:n])
            asked = request.model_copy(update={"question": part, "history": (*request.history, *before)})
            answer = self._one(asked).answer
            if said & quoted_by(answer):
                more = self._one(asked, said=frozenset(said)).answer
                answer = more if more.answered else answer
            said |= quoted_by(answer)
            answers.append(answer)
        return self._together(request, answers, timer)

    def _together(self, request: AskRequest, answers: Sequence[Answer], timer: Timer) -> Answer:
        understood = answers[0].understood.model_copy(
            update={
                "text": " ".join(answer.understood.text for answer in answers),
                "parts": tuple(answer.understood.text for answer in answers),
            }
        )
        whole = answers[0].model_copy(
            update={
                "id": id_of(answer_id(request, self._provenance(EXTRACTIVE)), answers),
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
            question = read_question(text, topic=topic, wording=self._search.wording)
            _, candidates = self._search.candidates(question, scope_of(request.filters, topic), Timer())
            found = (self.snapshot.record_of(candidate.row) for candidate in candidates[:NEAREST])
            return list({record.id: record for record in found}.values())

        scope = scope_of(request.filters, topic)
        return Antecedent(request.history[-TURNS:], self.snapshot, scope, answered, nearest)

    def _meant(self, request: AskRequest, antecedent: Antecedent) -> _Meant:
        """Return the question as it stands by itself after the earlier turns.

        A question about one source of the earlier answer names it, and is restricted to it.
        """
        found = resolve(clean_question(request.question), request.history[-TURNS:])
        sources = antecedent.sources if found.place else ()
        if found.of_each and sources:
            each = tuple(_of_source(found, source, request.filters) for source in sources[:EACH])
            return _Meant(found.text, request.filters, each=each)
        number = len(sources) if found.source == LAST else found.source or 0
        if 1 <= number <= len(sources):
            return _of_source(found, sources[number - 1], request.filters)
        return _Meant(found.text, request.filters, found.leans, found.bare)

    def _near(self, request: AskRequest, antecedent: Antecedent) -> list[Filters]:
        """Return the request's filters for what the earlier answer stood on first, then for all of that."""
        allowed = request.filters.ids
        ids = tuple(source.id for source in antecedent.sources if not allowed or source.id in allowed)
        ever_wider = dict.fromkeys((ids[:1], ids))
        return [request.filters.model_copy(update={"ids": some}) for some in ever_wider if some]

    def _fact(
        self, request: AskRequest, meant: _Meant, topic: Topic | None, antecedent: Antecedent
    ) -> Fact | None:
        """Answer from the catalog, where the question is for a fact of the collection.

        As it was meant, then as it was typed: "who wrote that?" has a pronoun that the catalog reads itself.
        """

        asked = ((meant.text, meant.filters), (clean_question(request.question), request.filters))
        # "Who wrote the second one?" names no paper of that title.
        is_of_one = meant.filters != request.filters
        for text, chosen in dict.fromkeys(asked[:1] if is_of_one else asked):
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

    def _provenance(self, answerer: str) -> Provenance:
        return Provenance(
            index=self.snapshot.name,
            encoder=f"{self._encoder.name}@{self._encoder.fingerprint}",
            answerer=answerer,
            version=self._version,
            reranker=self._reranker.name if self._reranker else None,
        )


def _of_source(found: FollowUp, source: Record, filters: Filters) -> _Meant:
    """Name the source that a question is about, and restrict it to that."""
    assert found.place is not None
    text = named_at(found.text, found.place, f"“{source.title}”")
    return _Meant(text, filters.model_copy(update={"ids": (source.id,)}))


def _speaks_of(answer: Answer, side: Side) -> bool:
    said = " ".join((answer.answer, *(source.title for source in answer.sources))).casefold()
    return side.name.casefold() in said
