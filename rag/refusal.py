"""When a question is not answered, and what is said instead."""

from __future__ import annotations

from index.records import Topic
from rag.answer import Reason
from rag.compose import Confidence
from rag.question import Question
from rag.words import FUNCTION_WORDS

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
    message="Answers quote what papers and explainers say; how many there are, which are the latest and "
    "who wrote them stands in the topic's list of papers.",
)
NO_SOURCES = Reason(
    code="no_sources",
    message="No source matches the topic and filters of this question. Please widen the filters.",
)
NO_EVIDENCE = Reason(code="no_evidence", message="No sentence of the sources speaks about this question.")


def reason_not_to_search(question: Question) -> Reason | None:
    """Return why looking for an answer is pointless, if it is."""
    if question.foreign:
        return LANGUAGE
    if question.about_collection:
        return ABOUT_THE_COLLECTION
    if not question.terms or all(term in FUNCTION_WORDS for term in question.terms):
        return NOT_A_QUESTION
    return None


def reason_not_to_answer(confidence: Confidence, bar: float, topic: Topic | None) -> Reason | None:
    """Return why what was found is no answer, if it is none: nothing quotable, or below the bar."""
    if confidence.value >= bar:
        return None
    if confidence.value == 0.0:
        return NO_EVIDENCE
    where = f" about {topic.name}" if topic else ""
    return Reason(
        code="weak_evidence",
        message=f"The sources{where} do not answer this question well enough to be quoted. "
        "The nearest ones are listed.",
    )
