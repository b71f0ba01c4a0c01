"""Questions about the collection itself, with answers computed from its stored records."""

from __future__ import annotations

import datetime as dt
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from eval.questions.question import EvalQuestion, Nugget, folded
from index.records import slugify
from rag.answer import PaperInfo
from rag.engine import Engine

CATEGORY = "catalog"
PAGE = 500
"""Papers fetched at once: some 1 MB."""
MOST_JUDGED = 100
"""Of more papers than this none is named as relevant: rankings are judged to that depth, and a question
with thousands of judgements says nothing about a ranking."""
MOST_LISTED = 10
"""Papers of an author that a list can be asked to name in full."""
_WORKS = ("papers", "articles", "publications")


@dataclass(frozen=True)
class TopicPapers:
    """A topic and all its papers, as the catalog stores them."""

    slug: str
    name: str
    papers: tuple[PaperInfo, ...]


def stored_papers(engine: Engine) -> list[TopicPapers]:
    """Read every topic's papers from an engine's catalog. Raises `IndexMissing` where there is none."""
    found = []
    for topic in engine.topics():
        papers: list[PaperInfo] = []
        while page := engine.papers(topic.slug, len(papers), PAGE).papers:
            papers += page
        found.append(TopicPapers(topic.slug, topic.name, tuple(papers)))
    return found


def catalog_questions(
    topics: Iterable[TopicPapers], *, each: int = 5, as_of: dt.date | None = None, seed: int = 0
) -> list[EvalQuestion]:
    """Return questions about each topic's papers: counts, newest and oldest, authors, dates, lists.

    Of each form `each` are drawn by the seed. With `as_of`, everything is computed over the papers dated
    until then, undated ones left out as a filter by date leaves them out, and the questions carry it. What
    has no single answer is not asked: a title that two papers share, the list of a prolific author. Authors
    of one paper are asked for by its title alone. An author is a name as stored; of a record that shows "+N
    more" authors, only the shown ones count.
    """
    made: list[EvalQuestion] = []
    for topic in topics:
        rng = random.Random(f"{seed} {topic.slug}")  # noqa: S311 - a draw, no secret
        asker = _Asker(topic, as_of)
        if asker.papers:
            for form in _FORMS:
                questions = list(form(asker))
                drawn = sorted(rng.sample(range(len(questions)), min(each, len(questions))))
                made += [questions[at] for at in drawn]
    return made


class _Asker:
    """The papers of one topic that count, and questions about them in one shape."""

    def __init__(self, topic: TopicPapers, as_of: dt.date | None) -> None:
        self.topic, self.as_of = topic, as_of
        self.papers = [
            paper
            for paper in topic.papers
            if as_of is None or (paper.date is not None and paper.date <= as_of)
        ]
        self.dated = [paper for paper in self.papers if paper.date is not None]
        titles = Counter(folded(paper.title) for paper in self.papers)
        self.named = [paper for paper in self.papers if titles[folded(paper.title)] == 1]

    def ask(
        self,
        name: str,
        question: str,
        answer: str,
        nuggets: Sequence[Nugget],
        papers: Sequence[PaperInfo],
        *,
        cite: bool = False,
    ) -> EvalQuestion:
        ids = [paper.id for paper in papers] if len(papers) <= MOST_JUDGED else []
        until = f"-{self.as_of.isoformat()}" if self.as_of else ""
        return EvalQuestion(
            id=f"catalog-{self.topic.slug}-{name}{until}"[:200],
            question=question,
            topic=self.topic.slug,
            category=CATEGORY,
            as_of=self.as_of,
            relevant=dict.fromkeys(ids, 1),
            must_cite=tuple(ids) if cite else (),
            gold_answer=answer,
            nuggets=tuple(nuggets),
            source="computed from the catalog",
        )

    def count(self, name: str, question: str, papers: Sequence[PaperInfo]) -> EvalQuestion:
        n = len(papers)
        works = [works if n != 1 else works[:-1] for works in _WORKS]
        stated = Nugget(
            text=f"{n} {works[0]}", accepted=tuple(f"{n} {other}" for other in works[1:]), numbers=(str(n),)
        )
        return self.ask(name, question, f"{n} {works[0]}.", [stated], papers)


def _total(asker: _Asker) -> Iterator[EvalQuestion]:
    yield asker.count("total", f"How many papers are there on {asker.topic.name}?", asker.papers)


def _per_year(asker: _Asker) -> Iterator[EvalQuestion]:
    for year, papers in _grouped(asker.dated, lambda paper: [f"{paper.date:%Y}"]):
        question = f"How many papers on {asker.topic.name} were published in {year}?"
        yield asker.count(f"year-{year}", question, papers)


def _per_month(asker: _Asker) -> Iterator[EvalQuestion]:
    for month, papers in _grouped(asker.dated, lambda paper: [f"{paper.date:%Y-%m}"]):
        question = f"How many papers on {asker.topic.name} were published in {papers[0].date:%B %Y}?"
        yield asker.count(f"month-{month}", question, papers)


def _per_venue(asker: _Asker) -> Iterator[EvalQuestion]:
    for venue, papers in _grouped(asker.papers, lambda paper: [paper.venue]):
        question = f"How many papers on {asker.topic.name} appeared at {venue}?"
        yield asker.count(f"venue-{slugify(venue)}", question, papers)


def _per_author(asker: _Asker) -> Iterator[EvalQuestion]:
    for author, papers in _by_author(asker):
        question = f"How many papers on {asker.topic.name} list {author} as an author?"
        yield asker.count(f"author-{slugify(author)}", question, papers)


def _lists(asker: _Asker) -> Iterator[EvalQuestion]:
    unique = {paper.id for paper in asker.named}
    for author, papers in _by_author(asker):
        if len(papers) <= MOST_LISTED and all(paper.id in unique for paper in papers):
            yield asker.ask(
                f"list-{slugify(author)}",
                f"Which papers on {asker.topic.name} were written by {author}?",
                "; ".join(paper.title for paper in papers),
                [Nugget(text=paper.title) for paper in papers],
                papers,
                cite=True,
            )


def _newest(asker: _Asker) -> Iterator[EvalQuestion]:
    yield from _extreme(asker, "newest", max)


def _oldest(asker: _Asker) -> Iterator[EvalQuestion]:
    yield from _extreme(asker, "oldest", min)


def _extreme(
    asker: _Asker, which: str, choose: Callable[[Iterable[dt.date]], dt.date]
) -> Iterator[EvalQuestion]:
    dates = [paper.date for paper in asker.dated if paper.date is not None]
    if dates:
        day = choose(dates)
        papers = [paper for paper in asker.dated if paper.date == day]
        titles = [paper.title for paper in papers]
        yield asker.ask(
            which,
            f"What is the {which} paper on {asker.topic.name}?",
            f"{' or '.join(titles)} ({day.isoformat()})",
            [Nugget(text=titles[0], accepted=tuple(titles[1:]))],  # of papers of one day any will do
            papers,
            cite=True,
        )


def _writers(asker: _Asker) -> Iterator[EvalQuestion]:
    for paper in asker.named:
        if paper.authors:
            nuggets = [Nugget(text=author, vital=n == 0) for n, author in enumerate(paper.authors)]
            more = (paper.authors_total or 0) - len(paper.authors)
            yield asker.ask(
                f"who-{paper.id}",
                f"Who wrote “{paper.title}”?",
                ", ".join(paper.authors) + (f" and {more} more" if more > 0 else ""),
                nuggets,
                [paper],
                cite=True,
            )


def _dates(asker: _Asker) -> Iterator[EvalQuestion]:
    for paper in asker.named:
        if paper.date is not None:
            yield asker.ask(
                f"when-{paper.id}",
                f"When was “{paper.title}” published?",
                paper.date.isoformat(),
                [_dated(paper.date)],
                [paper],
                cite=True,
            )


def _dated(day: dt.date) -> Nugget:
    """The month suffices: the day is often that of a conference's opening."""
    month = f"{day:%B %Y}"
    spelt = (f"{day.day} {month}", f"{day:%B} {day.day}, {day.year}", day.isoformat(), f"{day:%Y-%m}")
    return Nugget(text=month, accepted=spelt)


_FORMS: tuple[Callable[[_Asker], Iterator[EvalQuestion]], ...] = (
    _total, _per_year, _per_month, _per_venue, _per_author, _lists, _newest, _oldest, _writers, _dates,
)  # fmt: skip


def _by_author(asker: _Asker) -> Iterator[tuple[str, list[PaperInfo]]]:
    """Yield the authors of several papers; who wrote a single one is asked for by its title."""
    found = _grouped(asker.papers, lambda paper: paper.authors)
    return ((author, papers) for author, papers in found if len(papers) > 1)


def _grouped(
    papers: Iterable[PaperInfo], keys: Callable[[PaperInfo], Iterable[str]]
) -> Iterator[tuple[str, list[PaperInfo]]]:
    """Yield each key, as first written, with its papers; a paper counts once for a key it has twice."""
    groups: dict[str, tuple[str, dict[str, PaperInfo]]] = {}
    for paper in papers:
        for key in keys(paper):
            if key.strip():
                groups.setdefault(folded(key), (" ".join(key.split()), {}))[1][paper.id] = paper
    for key, members in groups.values():
        yield key, list(members.values())
