"""What a question means after earlier turns: its text by itself, and what it is restricted to."""

from __future__ import annotations

from dataclasses import dataclass

from index.records import Paper, Record
from rag.anaphora import named_at
from rag.answer import AskRequest, Filters
from rag.antecedent import Antecedent
from rag.facts.authors import ByAuthors
from rag.followup import LAST, TURNS, FollowUp, resolve
from rag.question import clean_question

EACH = 3
"""Sources of an earlier answer that a question about all of them is answered from: each costs an answer."""


@dataclass(frozen=True, slots=True)
class Meant:
    """A question as it stands by itself, its restrictions, and whether it leans on the last answer.

    `bare` and `may_go_on` as in `FollowUp`; `each` is the same question about each of some sources.
    """

    text: str
    filters: Filters
    leans: bool = False
    bare: str = ""
    may_go_on: bool = False
    each: tuple[Meant, ...] = ()


def meant_by(request: AskRequest, antecedent: Antecedent) -> Meant:
    """Return what a request asks: the sources and authors that it only points at are named.

    A question about one source of the earlier answer is restricted to it.
    """
    filters = request.filters
    found = resolve(clean_question(request.question), request.history[-TURNS:])
    if found.by and (paper := antecedent.paper) and paper.authors:
        return _by_authors(found.by, paper, filters)
    sources = antecedent.sources if found.place else ()
    if found.of_each and sources:
        each = tuple(_of_source(found, source, filters) for source in sources[:EACH])
        return Meant(found.text, filters, each=each)
    number = len(sources) if found.source == LAST else found.source or 0
    if 1 <= number <= len(sources):
        return _of_source(found, sources[number - 1], filters)
    return Meant(found.text, filters, found.leans, found.bare, found.may_go_on)


def _by_authors(by: ByAuthors, paper: Paper, filters: Filters) -> Meant:
    """Name the authors whose papers are asked for; of all of them, papers by any."""
    if by.which == "all":
        any_of = filters.model_copy(update={"authors": paper.authors})
        return Meant(f"{by.before.removesuffix(' by')} there{by.behind}", any_of)
    return Meant(f"{by.before} {paper.authors[0 if by.which == 'first' else -1]}{by.behind}", filters)


def _of_source(found: FollowUp, source: Record, filters: Filters) -> Meant:
    """Name the source that a question is about, and restrict it to that."""
    assert found.place is not None
    text = named_at(found.text, found.place, f"“{source.title}”")
    return Meant(text, filters.model_copy(update={"ids": (source.id,)}))
