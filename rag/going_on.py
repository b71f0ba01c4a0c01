"""Questions that go on about the last answer: looked for in its sources, and elsewhere.

In those sources a question's own words find the sentence, for what they lean on is said all around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from index.stores.lexical import analyze
from rag.answer import Answer, AskRequest, Filters
from rag.antecedent import Antecedent
from rag.aspects import aspect_of
from rag.comparison import Side
from rag.draft import Draft
from rag.drafting import Asked, Drafter
from rag.meant import Meant
from rag.question import NAMING, QuestionKind, read_question
from rag.subject import specific_terms
from rag.wording import Wording

UNANSWERED = frozenset({"weak_evidence", "no_evidence"})
"""Codes of refusals for want of a sentence: another way to look may find one."""
LITTLE = 2
"""Terms of a question that may be asked of the last answer's source though others answer it as well."""
NEAR_BAR = 0.6
"""Share of the bar that suffices in the sources of the answer that a question goes on about."""

_OF_MANY: frozenset[QuestionKind] = frozenset({"list", "comparison"})
_POINTS = re.compile(r"\b(?:the|this|that|these|those|here)\b|^\W*why not\b", re.I)
_ASKS_WHAT_FOR = re.compile(r"\bfor\W*$", re.I)


class GoingOn:
    """Drafts answers to questions that go on, or may go on, about the last answer."""

    def __init__(self, drafter: Drafter, wording: Wording, evidence_bar: float) -> None:
        self._drafter, self._wording, self._bar = drafter, wording, NEAR_BAR * evidence_bar

    def answered(self, asked: Asked, meant: Meant, antecedent: Antecedent) -> Draft:
        """Answer a question that leans on the last answer; the refusal of all sources where none does."""
        refused = None
        for attempt in self._attempts(asked, meant, antecedent):
            if attempt.answer.answered:
                return attempt
            if attempt.answer.understood.filters.ids == asked.filters.ids:
                refused = attempt
        assert refused is not None  # there is an attempt at least
        return refused

    def instead(self, asked: Asked, alone: Draft, antecedent: Antecedent) -> Draft | None:
        """Answer a question whose form does not lean from the last answer's first source, if it goes on.

        It does where nothing else answers it; or where it points at something, asks for little, and what is
        quoted holds it all: "What is the network for?". `alone` is its answer without earlier turns.
        """
        reason = alone.answer.reason
        question = read_question(asked.text, topic=asked.topic, wording=self._wording)
        specific = specific_terms(question)
        if reason and reason.code not in UNANSWERED:
            return None
        names = question.kind in NAMING and _ASKS_WHAT_FOR.search(question.text) is None
        stands = names or question.kind in _OF_MANY or not _POINTS.search(question.text)
        if not reason and (stands or not 0 < len(specific) <= LITTLE):
            return None
        for filters in _sources_of(asked.request, antecedent)[:1]:
            near = self._drafter.draft(replace(asked, filters=filters, bar=self._bar, goes_on=True))
            said = {term for citation in near.answer.citations for term in analyze(citation.quote)}
            if near.answer.answered and (reason or specific <= said):
                return near
        return None

    def _attempts(self, asked: Asked, meant: Meant, antecedent: Antecedent) -> Iterator[Draft]:
        """Yield answers from likelier sources first.

        What compares with another side is looked for everywhere first, unless the last answer's sources
        speak of both.
        """
        # An aspect's own word is not looked for: "its limits?" would be left with nothing.
        bare = "" if aspect_of(meant.text) else meant.bare
        wordings = dict.fromkeys((bare or meant.text, meant.text))
        near = [
            replace(asked, filters=filters, wording=wording, bar=self._bar, goes_on=wording == bare)
            for filters, wording in product(_sources_of(asked.request, antecedent), wordings)
        ]
        sides = read_question(meant.text, topic=asked.topic, wording=self._wording).sides
        if sides and near:
            found = self._drafter.draft(near[0])
            if all(_speaks_of(found.answer, side) for side in sides):
                yield found
        for attempt in (asked, *near) if sides else (*near, asked):
            yield self._drafter.draft(attempt)


def _sources_of(request: AskRequest, antecedent: Antecedent) -> list[Filters]:
    """Return the request's filters for what the last answer stood on first, then for all of that."""
    allowed = request.filters.ids
    ids = tuple(source.id for source in antecedent.sources if not allowed or source.id in allowed)
    ever_wider = dict.fromkeys((ids[:1], ids))
    return [request.filters.model_copy(update={"ids": some}) for some in ever_wider if some]


def _speaks_of(answer: Answer, side: Side) -> bool:
    said = " ".join((answer.answer, *(source.title for source in answer.sources))).casefold()
    return side.name.casefold() in said
