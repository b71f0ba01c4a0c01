"""Telling a fact: sentences computed from records, each with the records that it was computed from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from index.records import Paper, Record
from index.snapshot import Snapshot
from rag.answer import Citation, Counted
from rag.facts.forms import FactKind
from rag.facts.reading import Column, FactQuestion
from rag.facts.records import Selection, by_period, ids_of, oldest_first, ranked
from rag.facts.statistics import statistics_of
from rag.inert import inert

MOST_COUNTED = 1_000
"""Ids of counted records that an answer carries: what a page can list, some 20 kB."""
MOST_NAMED = 30
"""Authors of a paper that are named; some papers have hundreds."""
MONTHS = 12
FEW = 10
"""Records of which all are cited where they are counted."""
LISTED = 5
"""Values of a ranking told where the question gives no number; records cited for a count of more."""

NEWEST, OLDEST, LISTING = "The newest papers:", "The oldest papers:", "The papers, newest first:"
NEWEST_EXPLAINERS, OLDEST_EXPLAINERS = "The newest explainers:", "The oldest explainers:"
LISTING_EXPLAINERS = "The explainers, newest first:"
RANKED, YEARS, MONTHLY = "Most papers first:", "Papers by year:", "Papers by month:"
CONNECTING = frozenset(
    {
        NEWEST, OLDEST, LISTING, NEWEST_EXPLAINERS, OLDEST_EXPLAINERS, LISTING_EXPLAINERS,
        RANKED, YEARS, MONTHLY,
    }
)  # fmt: skip
"""The phrases of an answer that cite nothing, for they state nothing."""


@dataclass(frozen=True, slots=True)
class Told:
    """An answer computed from records: its text, what it cites, and the records cited, in order of number."""

    text: str
    citations: tuple[Citation, ...]
    records: tuple[Record, ...]
    counted: Counted | None = None
    notices: tuple[str, ...] = ()


@dataclass(slots=True)
class _Page:
    """The text so far. Sources are numbered in order of first use."""

    snapshot: Snapshot
    most: int
    text: str = ""
    citations: list[Citation] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)

    def say(self, sentence: str, keys: Sequence[int], before: str = " ") -> None:
        """Write a sentence and cite the first of the records that it was computed from, as room permits."""
        self.text += before if self.text else ""
        start, end = len(self.text), len(self.text) + len(sentence)
        self.text += sentence
        for key in keys:
            if key not in self.numbers and len(self.numbers) >= self.most:
                continue
            n = self.numbers.setdefault(key, len(self.numbers) + 1)
            self.text += f" [{n}]"
            self.citations.append(self._citation(n, key, start, end))

    def connect(self, phrase: str) -> None:
        assert phrase in CONNECTING
        self.text += phrase

    def _citation(self, n: int, key: int, start: int, end: int) -> Citation:
        record = self.snapshot.record(key)
        return Citation(
            n=n,
            source_id=record.id,
            start_index=start,
            end_index=end,
            quote=record.title,
            chunk_id="",
            field="title",
            quote_start=0,
            quote_end=len(record.title),
            support="counted",
            score=1.0,
        )


def tell_paper(snapshot: Snapshot, kind: FactKind, paper: Paper) -> Told | str:
    """Tell a fact of one paper, or say in a sentence that its record lacks it."""
    title = f"“{inert(paper.title)}”"
    missing = f"The record of {title} {{}}"
    if kind in {"authors", "author_count"}:
        if not paper.authors:
            return missing.format("names no authors.")
        others = (paper.authors_total or 0) - len(paper.authors)
        names = [*map(inert, paper.authors[:MOST_NAMED])]
        if len(names) < len(paper.authors):
            names.append(f"{len(paper.authors) - MOST_NAMED} others")
        if others > 0:
            names.append(f"{others} {'other' if others == 1 else 'others'} that the source does not name")
        sentence = f"{title} is by {_joined(names)}."
        if kind == "author_count":
            count = len(paper.authors) + max(others, 0)
            sentence = f"{title} has {count:,} {'author' if count == 1 else 'authors'}: {_joined(names)}."
    elif kind == "date":
        if paper.date is None:
            return missing.format("gives no date.")
        venue = f" and appeared at {inert(paper.venue)}" if paper.venue else ""
        sentence = f"{title} is dated {spelt(paper.date)}{venue}."
    elif kind == "venue":
        if not paper.venue:
            return missing.format("names no venue.")
        dated = f", dated {spelt(paper.date)}" if paper.date else ""
        sentence = f"{title} appeared at {inert(paper.venue)}{dated}."
    elif kind == "affiliations":
        if not paper.affiliations:
            return missing.format("names no affiliations.")
        sentence = f"The authors of {title} are affiliated with {'; '.join(map(inert, paper.affiliations))}."
    else:
        if not paper.tags:
            return missing.format("has no tags.")
        sentence = f"{title} is tagged {_joined([*map(inert, paper.tags)])}."
    page = _Page(snapshot, 1)
    key = snapshot.catalog.record_key(paper.id)
    assert key is not None  # it was found there
    page.say(sentence, (key,))
    return _told(page)


def tell(
    snapshot: Snapshot, fact: FactQuestion, selection: Selection, today: dt.date, most: int
) -> Told | str:
    """Tell a fact of the records selected, of which there is at least one, citing up to `most` of them.

    Or say in a sentence that they lack what is asked for.
    """
    page = _Page(snapshot, most)
    told = _TELLERS[fact.kind](page, fact, selection, today)
    if not page.citations:
        return f"The records name no {_PLURALS[fact.column] if fact.column else 'dates'}."
    shown, total = told if told else (None, None)
    done = "cited" if fact.kind == "count" else "shown"
    notices = (
        (f"{shown:,} of {total:,} are {done}.",) if shown is not None and total and shown < total else ()
    )
    return _told(page, _counted(snapshot, fact, selection, today), notices)


Shown = tuple[int, int] | None
"""How many are told, of how many."""


def _count(page: _Page, fact: FactQuestion, selection: Selection, _: dt.date) -> Shown:
    if fact.column is None:
        is_few = len(selection.keys) <= min(page.most, FEW)
        few = selection.keys if is_few else selection.keys[:LISTED]
        page.say(_there_are(fact, selection), few)
        return len(page.numbers), len(selection.keys)
    values = ranked(page.snapshot, selection.keys, fact.column)
    if values:
        plural = _PLURALS[fact.column] if len(values) > 1 else _PLURALS[fact.column].removesuffix("s")
        page.say(
            f"{described(fact, selection, len(selection.keys))}: {len(values):,} different {plural} in all.",
            selection.keys[:LISTED],
        )
    return None


def _there_are(fact: FactQuestion, selection: Selection) -> str:
    count = len(selection.keys)
    return f"There {'is' if count == 1 else 'are'} {described(fact, selection, count)}."


def _list(page: _Page, fact: FactQuestion, selection: Selection, _: dt.date) -> Shown:
    keys = oldest_first(page.snapshot, selection.keys) if fact.kind == "oldest" else selection.keys
    limit = min(fact.limit or page.most, page.most)
    if fact.limit == 1:
        record = page.snapshot.record(keys[0])
        dated = f"dated {spelt(record.date)}" if record.date else "without a date"
        which = "oldest" if fact.kind == "oldest" else "newest"
        page.say(f"The {which} {fact.works} is “{inert(record.title)}”, {dated}.", keys[:1])
        return None
    page.connect(_LEADS[fact.works][fact.kind])
    for key in keys[:limit]:
        record = page.snapshot.record(key)
        dated = f", {spelt(record.date)}" if record.date else ", undated"
        page.say(f"“{inert(record.title)}”{dated}", (key,), before="\n- ")
    return (min(limit, len(keys)), len(keys)) if fact.limit is None or fact.limit > limit else None


def _ranking(page: _Page, fact: FactQuestion, selection: Selection, _: dt.date) -> Shown:
    assert fact.column is not None  # a ranking is of something
    values = ranked(page.snapshot, selection.keys, fact.column)
    return _tallied(page, fact, values, RANKED, fact.limit or LISTED)


def _trend(page: _Page, fact: FactQuestion, selection: Selection, _: dt.date) -> Shown:
    periods = by_period(page.snapshot, selection.keys, month=fact.by_month)
    if fact.by_month:
        return _tallied(page, fact, periods, MONTHLY, MONTHS)
    return _tallied(page, fact, periods, YEARS, page.most)


def _tallied(
    page: _Page, fact: FactQuestion, tally: Sequence[tuple[str, tuple[int, ...]]], lead: str, limit: int
) -> Shown:
    shown = tally[: min(limit, page.most)]
    if shown:
        page.connect(lead)
    for value, keys in shown:
        page.say(f"{inert(value)}: {len(keys):,} {_works(fact, len(keys))}", keys[:1], before="\n- ")
    return len(shown), len(tally)


def _statistics(page: _Page, fact: FactQuestion, selection: Selection, today: dt.date) -> Shown:
    found = statistics_of(page.snapshot, selection.keys, today)
    page.say(_there_are(fact, selection), selection.keys[:1])
    page.say(found.recent_sentence(), found.recent[:1] or selection.keys[:1])
    if found.recent:
        page.say(found.share_sentence(), found.recent[:1])
    for topic in selection.topics:
        if published := found.published_sentence(topic):
            key = page.snapshot.catalog.record_key(topic.id)
            page.say(published, () if key is None else (key,))
    return None


_TELLERS: dict[FactKind, Callable[[_Page, FactQuestion, Selection, dt.date], Shown]] = {
    "count": _count,
    "newest": _list,
    "oldest": _list,
    "list": _list,
    "ranking": _ranking,
    "trend": _trend,
    "statistics": _statistics,
}
_LEADS: dict[str, dict[FactKind, str]] = {
    "paper": {"newest": NEWEST, "oldest": OLDEST, "list": LISTING},
    "explainer": {"newest": NEWEST_EXPLAINERS, "oldest": OLDEST_EXPLAINERS, "list": LISTING_EXPLAINERS},
}
_ARTICLES = {"paper": "a paper", "explainer": "an explainer"}
_PLURALS: dict[Column, str] = {
    "authors": "authors", "venue": "venues", "affiliations": "affiliations", "tags": "tags"
}  # fmt: skip


def described(fact: FactQuestion, selection: Selection, count: int) -> str:
    """Say how many records of what: "18 papers on Reinforcement Learning by Sergey Levine, dated 2025"."""
    words = [f"{count:,} {_works(fact, count)}"] if count else [f"no {_works(fact, 0)}"]
    if selection.topics:
        words.append("on " + _joined([inert(topic.name) for topic in selection.topics]))
    if selection.mention:
        words.append(f"{'and ' if selection.topics else ''}about “{inert(selection.mention)}”")
    if selection.authors:
        words.append("by " + _joined([*map(inert, selection.authors)]))
    if any_of := selection.scope.authors:
        words.append("by " + _joined([*map(inert, any_of)], " or "))
    if selection.affiliation:
        words.append(f"from {inert(selection.affiliation)}")
    if venues := [*filter(None, (selection.venue, *selection.scope.venues))]:
        words.append("at " + " or ".join(map(inert, venues)))
    text = " ".join(words)
    dates = _dates(selection)
    return f"{text}, dated {dates}" if dates else text


def definition(fact: FactQuestion, selection: Selection, today: dt.date) -> str:
    """Say what was counted, so that a reader can count again."""
    parts = [f"Counted on {today.isoformat()}: {described(fact, selection, len(selection.keys))}"]
    parts += [
        f"{_ARTICLES[fact.works]} is on {inert(topic.name)} if its source says so or its text names the topic"
        for topic in selection.topics
    ]
    if selection.mention:
        parts.append(
            f"it is about “{inert(selection.mention)}” if tagged so, or if title and text hold each of "
            "these words"
        )
    if selection.authors or selection.venue or selection.affiliation:
        parts.append("names count as they are written in the records")
    return "; ".join(parts) + "."


def spelt(day: dt.date) -> str:
    """Return a date as people write it: 10 July 2018."""
    return f"{day.day} {day:%B %Y}"


def _dates(selection: Selection) -> str:
    first, last = selection.scope.date_from, selection.scope.date_to
    if first and last:
        if (first.month, first.day, last.month, last.day) == (1, 1, 12, 31) and first.year == last.year:
            return str(first.year)
        return first.isoformat() if first == last else f"{first.isoformat()} to {last.isoformat()}"
    return f"{first.isoformat()} or later" if first else f"{last.isoformat()} or earlier" if last else ""


def _works(fact: FactQuestion, count: int) -> str:
    return fact.works if count == 1 else f"{fact.works}s"


def _joined(names: Sequence[str], last: str = " and ") -> str:
    return f"{', '.join(names[:-1])}{last}{names[-1]}" if len(names) > 1 else "".join(names)


def _counted(snapshot: Snapshot, fact: FactQuestion, selection: Selection, today: dt.date) -> Counted:
    ids = ids_of(snapshot, selection.keys[:MOST_COUNTED])
    return Counted(total=len(selection.keys), definition=definition(fact, selection, today), ids=ids)


def _told(page: _Page, counted: Counted | None = None, notices: tuple[str, ...] = ()) -> Told:
    return Told(
        page.text.lstrip("\n"),
        tuple(page.citations),
        tuple(page.snapshot.record(key) for key in page.numbers),
        counted,
        notices,
    )
