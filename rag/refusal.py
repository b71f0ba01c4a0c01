"""When a question is not answered, and what is said instead."""

from __future__ import annotations

import re
from collections.abc import Sequence

from index.records import Topic
from index.stores.lexical import analyze
from rag.answer import Reason
from rag.confidence import Confidence
from rag.evidence import Evidence
from rag.findings import states_amount
from rag.question import Question, has_content

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


NO_DATE = Reason(
    code="weak_evidence",
    message="The sources found on this question give no date. The nearest ones are listed.",
)
NO_NUMBER = Reason(
    code="weak_evidence",
    message="The sources found on this question give no number for it. The nearest ones are listed.",
)

_ASKS_WHEN = re.compile(
    r"^\W*(and )?(since |until )?(when (?!should|do |does |to )|(in )?(which|what) year)", re.I
)
_YEAR = re.compile(r"\b(1[89]|20)\d\d\b")
_ASKS_AMOUNT = re.compile(r"\bhow (?:much|many) (?:(?:more|less|fewer|\w+er)\b\s*)?(\w*)", re.I)


def reason_not_to_search(question: Question) -> Reason | None:
    """Return why looking for an answer is pointless, if it is."""
    if question.foreign:
        return LANGUAGE
    if question.about_collection:
        return ABOUT_THE_COLLECTION
    if not question.has_content:
        return NOT_A_QUESTION
    return None


def reason_not_to_answer(
    chosen: Sequence[Evidence], confidence: Confidence, bar: float, question: Question, topic: Topic | None
) -> Reason | None:
    """Return why what was found is no answer, if it is none.

    Nothing quotable; below the bar; or not of the kind that was asked for: a date, an amount.
    """
    if not chosen:
        return NO_EVIDENCE
    if confidence.value < bar:
        where = f" about {topic.name}" if topic else ""
        return Reason(
            code="weak_evidence",
            message=f"The sources{where} do not answer this question well enough to be quoted. "
            "The nearest ones are listed.",
        )
    texts = [evidence.sentence.text for evidence in chosen]
    if _ASKS_WHEN.search(question.text) and not any(map(_YEAR.search, texts)):
        return NO_DATE
    if (asked := _ASKS_AMOUNT.search(question.text)) and not any(
        states_amount(evidence.sentence.text) and _counted(asked[1]) <= evidence.sentence.terms
        for evidence in chosen
    ):
        return NO_NUMBER
    return None


def _counted(noun: str) -> frozenset[str]:
    """Return the terms of what "how many" counts; none for "how much does it cost"."""
    return frozenset(analyze(noun)) if has_content(noun) else frozenset()
