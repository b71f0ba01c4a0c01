"""From a request to an answer or to search results, over one snapshot of the index."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace

from index.encoder import Encoder
from index.records import Record, Topic
from index.snapshot import Snapshot
from rag.answer import (
    MOST_SOURCES,
    Answer,
    AskRequest,
    Provenance,
    SearchRequest,
    SearchResponse,
    SourceRef,
    Turn,
)
from rag.antecedent import NEAREST, Antecedent
from rag.draft import Draft
from rag.drafting import EXTRACTIVE, Asked, Drafter, answer_id
from rag.facts.catalog import Fact, answer_fact
from rag.facts.records import IndexNames
from rag.facts.telling import Told
from rag.followup import TURNS
from rag.going_on import UNANSWERED, GoingOn
from rag.meant import Meant, meant_by
from rag.question import clean_question, read_question
from rag.rerank import Reranker
from rag.said_by import said_by
from rag.scope import scope_of
from rag.search import Search
from rag.settings import AnswerSettings
from rag.several import combine, id_of, parts_of_question, quoted_by
from rag.timing import Timer

OF_EACH = 2
"""Sentences of each source that a question about several is answered with."""


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
        self._going_on = GoingOn(self._drafter, self._search.wording, settings.evidence_bar)

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
        meant = meant_by(request, antecedent)
        if by := said_by(meant.text, IndexNames(self.snapshot)):
            filters = meant.filters.model_copy(update={"authors": (*meant.filters.authors, by[0])})
            meant = replace(meant, text=by[1], filters=filters)
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
        if fact:
            return self._drafter.draft(asked, fact)
        if meant.leans:
            return self._going_on.answered(asked, meant, antecedent)
        alone = self._drafter.draft(asked)
        return self._otherwise(asked, alone, meant, topic, antecedent) or alone

    def _otherwise(
        self, asked: Asked, alone: Draft, meant: Meant, topic: Topic | None, antecedent: Antecedent
    ) -> Draft | None:
        """Answer a question in another way than by itself, as `alone` does: from the last answer's source; or
        by listing what holds its words, where it asks for papers on something and no sentence answers it."""
        if meant.may_go_on and (near := self._going_on.instead(asked, alone, antecedent)):
            return near
        reason = alone.answer.reason
        if reason is None or reason.code not in UNANSWERED:
            return None
        listed = self._fact(asked.request, meant, topic, antecedent, by_mention=True)
        return self._drafter.draft(asked, listed) if listed and isinstance(listed.told, Told) else None

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

    def _fact(
        self,
        request: AskRequest,
        meant: Meant,
        topic: Topic | None,
        antecedent: Antecedent,
        *,
        by_mention: bool = False,
    ) -> Fact | None:
        """Answer from the catalog, where the question is for a fact of the collection.

        As it was meant, then as it was typed: "who wrote that?" has a pronoun that the catalog reads itself.
        `by_mention` as in `answer_fact`.
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
                by_mention=by_mention,
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
