"""A topic's part of a corpus, as a file: what a set is asked over that needs no more than one topic."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eval.questions.question import EvalQuestion
from index.records import Paper, Record, Topic
from index.topics import Membership


def topic_corpus(records: Iterable[Record], topic: Topic) -> Iterator[Record]:
    """Yield the topic, then the papers that belong to it by tag or by a match of its name or an alias.

    In the order read, each id once. Four thousand papers of a list of 86,000 are indexed in a minute
    instead of in twenty.
    """
    membership = Membership([topic])
    seen: set[str] = set()
    yield topic
    for record in records:
        if isinstance(record, Paper) and record.id not in seen and topic.slug in membership.of(record):
            seen.add(record.id)
            yield record


def left_out_by(questions: Iterable[EvalQuestion]) -> frozenset[str]:
    """Return the ids that may not be in the index which these questions are asked of."""
    return frozenset(source for question in questions for source in question.without)
