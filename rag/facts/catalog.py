"""Answers from the catalog: the one way from a question to a fact."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, replace

from index.records import Paper
from index.snapshot import Snapshot
from index.stores.lexical import Scope, analyze
from rag.answer import Filters, Reason
from rag.facts.reading import FactQuestion, read_fact
from rag.facts.records import IndexNames, Selection, find_paper, oldest_first, select
from rag.facts.telling import Told, described, spelt, tell, tell_paper
from rag.inert import inert
from rag.wording import Wording

CATALOG = "catalog/1"
"""Names the way facts are computed and told, in `provenance`; raised when the same gives another answer."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A question for a fact as it was understood, and what is told, or why nothing can be.

    `text` is the question with the paper named that it only pointed back to.
    """

    text: str
    question: FactQuestion
    filters: Filters
    told: Told | Reason


def answer_fact(
    snapshot: Snapshot,
    text: str,
    scope: Scope,
    filters: Filters,
    *,
    today: dt.date,
    most: int,
    earlier: Callable[[], Paper | None],
    by_mention: bool = False,
) -> Fact | None:
    """Answer a question for a fact of the collection from its records, citing up to `most` of them.

    None where it is not one. `scope` is that of `filters` and the topic asked inside; `earlier` gives the
    paper that an earlier turn was about, if any, for "who wrote that?". `by_mention` lists papers on a
    subject as well, by whether they hold its words.
    """
    question = read_fact(text, today, IndexNames(snapshot), by_mention=by_mention)
    if question is None:
        return None
    if question.points_back:
        paper = earlier()
        if paper is None:
            return None
        text, question = f"{text} (“{paper.title}”)", replace(question, title=paper.title)
        return Fact(text, question, filters, _of(snapshot, question, paper))
    if question.first_of:
        selection = select(snapshot, question.first_of, scope)
        paper = _first_of(snapshot, question.first_of, selection)
        if paper is None:
            return Fact(text, question, filters, _none(snapshot, question.first_of, selection, scope))
        return Fact(f"{text} (“{paper.title}”)", question, filters, _of(snapshot, question, paper))
    if question.title:
        return Fact(text, question, filters, _of_paper(snapshot, question, scope))
    selection = select(snapshot, question, scope)
    filters = filters.model_copy(
        update={
            "from_": selection.scope.date_from,
            "to": selection.scope.date_to,
            "authors": (*filters.authors, *selection.authors),
            "venues": (*filters.venues, *filter(None, (selection.venue,))),
            "kinds": selection.scope.kinds,
        }
    )
    if not selection.keys:
        return Fact(text, question, filters, _none(snapshot, question, selection, scope))
    told = tell(snapshot, question, selection, today, most)
    return Fact(text, question, filters, _reason(told) if isinstance(told, str) else told)


def _first_of(snapshot: Snapshot, question: FactQuestion, selection: Selection) -> Paper | None:
    """Return the one paper that a question for the newest, or the oldest, of some is answered with."""
    keys = selection.keys
    if question.kind == "oldest":
        keys = oldest_first(snapshot, keys)
    record = snapshot.record(keys[0]) if keys else None
    return record if isinstance(record, Paper) else None


def _none(snapshot: Snapshot, question: FactQuestion, selection: Selection, scope: Scope) -> Reason:
    """Say that nothing was selected, and of which days such records are, if only the dates exclude them."""
    message = f"There are {described(question, selection, 0)}."
    if question.period and (others := select(snapshot, replace(question, period=None), scope).keys):
        ends = [snapshot.record(keys[0]).date for keys in (oldest_first(snapshot, others), others)]
        if ends[0] and ends[1]:
            last = f" to {spelt(ends[1])}" if ends[0] != ends[1] else ""
            message += f" Those here are dated {spelt(ends[0])}{last}."
    return _reason(message)


def _of_paper(snapshot: Snapshot, question: FactQuestion, scope: Scope) -> Told | Reason:
    paper = find_paper(snapshot, question.title, scope) or _abbreviated(snapshot, question.title, scope)
    if paper is None:
        return _reason(f"No single paper here is called “{inert(question.title)}”. The nearest are listed.")
    return _of(snapshot, question, paper)


def _abbreviated(snapshot: Snapshot, title: str, scope: Scope) -> Paper | None:
    """Find the paper that is called as an abbreviation is spelt out: "TRPO"."""
    terms = analyze(title)
    if len(terms) != 1 or not title.isupper():
        return None
    meaning = Wording(snapshot.vocabulary, snapshot.frequency).meaning(terms[0], scope.topic)
    return find_paper(snapshot, meaning.spelt, scope) if meaning else None


def _of(snapshot: Snapshot, question: FactQuestion, paper: Paper) -> Told | Reason:
    told = tell_paper(snapshot, question.kind, paper)
    return _reason(told) if isinstance(told, str) else told


def _reason(message: str) -> Reason:
    return Reason(code="no_sources", message=message)
