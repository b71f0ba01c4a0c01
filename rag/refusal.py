"""When a question is not answered, and what is said instead."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from index.records import Topic
from index.stores.lexical import analyze
from rag.answer import Reason
from rag.confidence import UNLIKE, Confidence
from rag.evidence import Evidence, Weights
from rag.findings import states_amount
from rag.inert import inert
from rag.out_of_scope import reason_out_of_scope
from rag.question import Question, has_content
from rag.subject import is_general, not_held, phrases_of, subject_of

LANGUAGE = Reason(
    code="language",
    message="The sources are in English, and so must the question be. Please ask in English.",
)
NOT_A_QUESTION = Reason(
    code="not_a_question",
    message="There is nothing to look for in this question. Please name what you want to know about.",
)
ABOUT_THE_COLLECTION = Reason(
    code="about_the_collection",
    message="This seems to ask about the collection itself, in words or with a name that its catalog does "
    "not know. It tells how many papers there are, which are the newest, and who wrote one, by its title.",
)
NO_SOURCES = Reason(
    code="no_sources",
    message="No source matches the topic and filters of this question. Please widen the filters.",
)
NO_EVIDENCE = Reason(code="no_evidence", message="No sentence of the sources speaks about this question.")
NOT_SEARCHED = frozenset({"language", "not_a_question", "out_of_scope", "about_this_service"})
"""Codes of questions that are no questions to the sources: what lies near them is near by chance."""

NO_DATE = "give no date"
NO_NUMBER = "give no number for it"
TOO_WEAK = "do not answer it well enough to be quoted"
"""What the sources found do not do, where they are near the question and no answer."""
NAMED = 3
"""Uncovered phrases that a message names, at most."""

_ASKS_WHEN = re.compile(
    r"^\W*(and )?(since |until )?(when (?!should|do |does |to )|(in )?(which|what) year)", re.I
)
_YEAR = re.compile(r"\b(1[89]|20)\d\d\b")
# What is counted has to stand in the sentence; what "how much" measures is often not named in it.
_ASKS_AMOUNT = re.compile(r"\bhow (?:much\b|many (?:(?:more|less|fewer|\w+er)\b\s*)?(\w*))", re.I)
# What is measured, and the unit or the word that an answer has to hold.
_SIZES = tuple(
    (re.compile(rf"\bhow (?:{asked})\b", re.I), re.compile(told, re.I))
    for asked, told in (
        (
            "heavy (?:is|are|was|were)",
            r"\d\s*(?:kg|g|kilograms?|grams?|pounds?|lbs?|tons?|tonnes?)\b|\bweigh",
        ),
        ("(?:tall|wide|thick) (?:is|are|was|were)", r"\d\s*(?:m|cm|mm|met(?:er|re)s?|feet|inch(?:es)?)\b"),
        ("loud (?:is|are|was|were)", r"\d\s*(?:dB|decibels?)\b"),
        ("old (?:is|are|was|were)", r"\d\s*-?(?:years?|months?|weeks?|days?)\b"),
        (
            r"(?:expensive|costly) (?:is|are|was|were)|much\b.*\b(?:cost|price)",
            r"[$€£]\s*\d|\d\s*(?:dollars?|euros?|usd|eur)\b|\bcosts?\b",
        ),
    )
)


def of_period(reason: Reason, period: str, *, is_empty: bool) -> Reason:
    """Say of a refusal that the dates in the question's words restricted what could answer it."""
    if is_empty:
        return Reason(code="no_sources", message=f"No source is dated {period}. The nearest ones are listed.")
    return reason.model_copy(
        update={"message": f"{reason.message} Only sources dated {period} were asked for."}
    )


def reason_not_to_search(question: Question, topic: Topic | None = None) -> Reason | None:
    """Return why looking for an answer is pointless, if it is."""
    if question.foreign:
        return LANGUAGE
    if reason := reason_out_of_scope(question.text, topic.name if topic else None):
        return reason
    if question.about_collection:
        return ABOUT_THE_COLLECTION
    if not question.has_content:
        return NOT_A_QUESTION
    return None


def reason_not_to_answer(
    chosen: Sequence[Evidence],
    confidence: Confidence,
    bar: float,
    question: Question,
    ranked: Sequence[Evidence],
    weights: Weights,
    *,
    denied: bool = False,
) -> Reason | None:
    """Return why what was found is no answer, if it is none.

    With `denied`, a sentence denies what the question takes for granted, and needs no date or amount.
    Nothing quotable; below the bar; or not of the kind that was asked for: a date, an amount. `ranked`
    is all the evidence that was weighed: what of the question none of it holds is named.
    """
    if not chosen:
        return NO_EVIDENCE
    lacks = TOO_WEAK if confidence.value < bar else None if denied else _lacks_what_is_asked(chosen, question)
    if lacks is None:
        return None
    uncovered = uncovered_in(question, weights, ranked)
    said = f"The sources found for this question {lacks}"
    if uncovered:
        said = f"None of the sources found says anything about {_listed(uncovered[:NAMED])}"
    # What is unlike the question is the nearest by chance.
    if confidence.cosine >= UNLIKE:
        said = f"{said}. The nearest is “{inert(chosen[0].passage.record.title)}”; others are listed"
    return Reason(code="weak_evidence", message=f"{said}.", uncovered=uncovered)


def uncovered_in(question: Question, weights: Weights, ranked: Iterable[Evidence]) -> tuple[str, ...]:
    """Return the subject's words, as typed, that none of the passages weighed holds: names first."""
    passages = {evidence.passage.chunk.id: evidence.passage for evidence in ranked}
    held = frozenset[str]().union(*(passage.terms for passage in passages.values()))
    missing = not_held(subject_of(question, weights), held, weights, question.names)
    phrases = [
        phrase
        for phrase in phrases_of(question.text, missing)
        if not all(is_general(word) for word in phrase.lower().split())
    ]
    return tuple(sorted(phrases, key=lambda phrase: question.names.isdisjoint(analyze(phrase))))


def _lacks_what_is_asked(chosen: Sequence[Evidence], question: Question) -> str | None:
    """Return what the chosen sentences do not do: give the date or the amount asked for."""
    texts = [evidence.sentence.text for evidence in chosen]
    if _ASKS_WHEN.search(question.text) and not any(map(_YEAR.search, texts)):
        return NO_DATE
    if (asked := _ASKS_AMOUNT.search(question.text)) and not any(
        states_amount(evidence.sentence.text) and _counted(asked[1] or "") <= evidence.sentence.terms
        for evidence in chosen
    ):
        return NO_NUMBER
    for asks, tells in _SIZES:
        if asks.search(question.text) and not any(map(tells.search, texts)):
            return NO_NUMBER
    return None


def _listed(phrases: Sequence[str]) -> str:
    *firsts, last = (f"“{inert(phrase)}”" for phrase in phrases)
    return f"{', '.join(firsts)} or {last}" if firsts else last


def _counted(noun: str) -> frozenset[str]:
    """Return the terms of what "how many" counts; none for "how much does it cost" or "how many percent"."""
    return (
        frozenset(analyze(noun))
        if noun and has_content(noun) and not is_general(noun.lower())
        else frozenset()
    )
