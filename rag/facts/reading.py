"""Reading a question for a fact of the collection: what is asked for, and of which records."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from rag.dates import NUMBERS, Period, find_period
from rag.facts.forms import (
    ABOUT,
    FILLER,
    FIRST_OF_ALL,
    KEYWORD,
    OF_ONE_PAPER,
    OF_THE_COLLECTION,
    OLDEST,
    OPENING,
    PAPER_CALLED,
    POINTS_AT_SEVERAL,
    POINTS_BACK,
    POLITE,
    TELLING,
    THE_PAPER,
    TRAILING,
    UNREAD,
    FactKind,
)

Column = Literal["authors", "venue", "affiliations", "tags"]
"""What papers are counted by."""


LONGEST = 300
"""Code points of the longest question that is looked at: a title and some words."""


class Names(Protocol):
    """What the index knows of names."""

    def is_author(self, name: str) -> bool: ...
    def is_venue(self, name: str) -> bool: ...
    def is_affiliation(self, name: str) -> bool: ...
    def is_subject(self, name: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class FactQuestion:
    """A question for a fact.

    `title` names the one paper it is about, as typed, or it `points_back` to an earlier turn for it, or
    it is the `first_of` what another question lists: "the newest paper on walking".
    Otherwise it is about all records of the `works` asked for that lie in the `period`, have all
    `authors`, the `venue` and the `affiliation`, and are `about` something. `column` is what is ranked, or
    counted in place of works; `limit` how many are asked for.
    """

    kind: FactKind
    title: str = ""
    points_back: bool = False
    first_of: FactQuestion | None = None
    works: Literal["paper", "explainer"] = "paper"
    column: Column | None = None
    limit: int | None = None
    by_month: bool = False
    period: Period | None = None
    authors: tuple[str, ...] = ()
    venue: str = ""
    affiliation: str = ""
    about: str = ""


def read_fact(text: str, today: dt.date, names: Names, *, by_mention: bool = False) -> FactQuestion | None:
    """Read a question for a fact of the collection; None where it is not, or not surely, one.

    `text` is the question as typed, in any case. Every word of it must be understood, so that "How many
    papers did the survey review?" is left to what papers say. So is "Which papers are about exploration?",
    unless they are to be listed `by_mention`.
    """
    asked = POLITE.sub("", text.strip()).strip(" \t?!.")
    words = _WORD.findall(asked.lower())
    if len(text) > LONGEST or not words or TELLING.isdisjoint(words):
        return None
    if words[0] not in OPENING and not words[0].isdigit():
        return None
    found = _of_one_paper(asked, today, names) or _of_the_collection(asked, today, names)
    return None if found and _asks_what_papers_say(found) and not by_mention else found


def read_first(text: str, today: dt.date, names: Names) -> FactQuestion | None:
    """Read which papers a phrase names the first of: "the newest paper on walking"; None for another one."""
    if not FIRST_OF_ALL.fullmatch(text):
        return None
    found = _of_the_collection(text, today, names)
    return found if found and found.kind in {"newest", "oldest"} and found.limit == 1 else None


# --------------------------------------------------------------- a paper named by its title

_WORD = re.compile(r"[a-z0-9]+")
_PRONOUNS = frozenset(
    {"him", "her", "them", "me", "us", "you", "it", "this", "that", "these", "those", "whom"}
)
_RECENT = frozenset({"new", "recent", "newer", "latest"})
_INTEREST = re.compile(
    r"^(?:(?:the )?(?:number|count|amount) of (?:new )?(?:papers?|articles|publications)\b|interest|activity"
    r"|(?:the |this )?(?:topic|field|subject|area)\b|on\b|about\b|for\b|of\b|in\b|are\b|is\b|\s)*",
    re.I,
)
_ET_AL = re.compile(r"\bet al\b\.?")
_QUOTES = "“”„\"'‘’«»`*_ "


def _of_one_paper(asked: str, today: dt.date, names: Names) -> FactQuestion | None:
    for kind, pattern in OF_ONE_PAPER:
        if match := pattern.fullmatch(asked):
            if POINTS_AT_SEVERAL.fullmatch(match["title"]):
                return None
            if POINTS_BACK.fullmatch(match["title"]):
                return FactQuestion(kind, points_back=True)
            if first := read_first(match["title"], today, names):
                return FactQuestion(kind, first_of=first)
            title = PAPER_CALLED.sub("", match["title"])
            if the_paper := THE_PAPER.match(title):
                title = the_paper["title"]
            if title := title.strip(_QUOTES):
                return FactQuestion(kind, title=title)
    return None


# --------------------------------------------------------------- the collection

_COLUMNS: dict[str, Column] = {
    "author": "authors", "researcher": "authors", "people": "authors",
    "venue": "venue", "conference": "venue", "journal": "venue",
    "affiliation": "affiliations", "institution": "affiliations", "universit": "affiliations",
    "tag": "tags",
}  # fmt: skip
_PLACING = frozenset({"in", "on", "of", "at", "from", "have", "has", "do", "does", "did"})
"""Words that may stand before nothing that restricts: "in this index", "do you have"."""
Restriction = Literal["author", "venue", "affiliation"]
_AUTHOR: tuple[Restriction, ...] = ("author",)
_VENUE: tuple[Restriction, ...] = ("venue",)
_ANY: tuple[Restriction, ...] = ("venue", "author", "affiliation")
_MEANINGS: dict[str, tuple[Restriction, ...]] = {
    **dict.fromkeys(("by", "list", "lists", "listing", "have", "has", "did", "does", "do"), _AUTHOR),
    "at": ("venue", "affiliation"),
    "with": ("author", "affiliation"),
    **dict.fromkeys(("in", "from", "of"), _ANY),
}
"""What the name behind a word may be of, likeliest first: papers are "from" a venue, a person or a place."""


def _of_the_collection(asked: str, today: dt.date, names: Names) -> FactQuestion | None:
    for kind, pattern in OF_THE_COLLECTION:
        if match := pattern.fullmatch(asked):
            found = _restricted(_headed(kind, match), match, today, names)
            if found is not None:
                return found
    return None


def _headed(kind: FactKind, match: re.Match[str]) -> FactQuestion:
    groups = match.groupdict()
    column = groups.get("column")
    number = groups.get("number") or groups.get("number2")
    end = (groups.get("end") or "").lower()
    works = (groups.get("works") or "papers").lower()
    singular = works in {"paper", "article", "publication", "preprint", "explainer"}
    limit = None if number is None else NUMBERS.get(number.lower()) or int(number)
    if kind == "newest" and end in OLDEST:
        kind = "oldest"
    return FactQuestion(
        kind,
        works="explainer" if works.startswith("explainer") else "paper",
        column=_column(column) if column else "authors" if kind == "ranking" else None,
        limit=limit or (1 if singular and kind in {"newest", "oldest"} else None),
        by_month=(groups.get("unit") or "").lower() == "month",
    )


def _column(word: str) -> Column:
    return next(column for start, column in _COLUMNS.items() if word.lower().startswith(start))


def _restricted(
    fact: FactQuestion, match: re.Match[str], today: dt.date, names: Names
) -> FactQuestion | None:
    """Read what restricts the records; None where a word is left over that is not understood."""
    groups = match.groupdict()
    rest = " ".join(groups[name] for name in ("rest", "rest2") if groups.get(name))
    period, rest = find_period(rest, today)
    fact = replace(fact, period=period)
    if groups.get("news"):
        if groups["news"].lower() != "new" and not period:
            return None  # "What is added by the critic?"
        fact = replace(fact, kind="list" if period else "newest")
    if person := groups.get("person"):
        named = _authored(fact, person, names) if may_be_a_name(person) else None
        if named is None:
            return None
        fact = named
    if UNREAD.search(rest):
        return None
    if fact.kind == "statistics":
        return _of_interest(fact, rest, names)
    before, segments = _segments(rest)
    if not _is_filler(before):
        return None
    for key, content in segments:
        found = _with(fact, key, content, names)
        if found is None:
            return None
        fact = found
    words = [word for word in (groups.get("adjective") or "").split() if word.lower() not in FILLER]
    if words and (found := _of_kind_named(fact, " ".join(words), today, names)) is None:
        return None
    fact = found if words and found else fact
    is_one = "works" in groups and not (groups["works"] or "").lower().endswith("s")
    if fact.kind == "list" and is_one and not _is_restricted(fact):
        return None  # "Show me the paper" asks which was meant
    return fact


def _is_restricted(fact: FactQuestion) -> bool:
    return bool(fact.period or fact.authors or fact.venue or fact.affiliation)


def _asks_what_papers_say(fact: FactQuestion) -> bool:
    """Whether papers are asked for by their subject alone, which is in what they say."""
    return fact.kind == "list" and bool(fact.about) and not _is_restricted(fact)


def may_be_a_name(person: str) -> bool:
    """Whether a word or more may name a person: in "What does AI show?" the author Ai is not meant."""
    words = _ET_AL.sub("", person).split()
    return len(words) > 1 or all(word.istitle() and len(word) > 2 for word in words)


def _of_interest(fact: FactQuestion, rest: str, names: Names) -> FactQuestion | None:
    """Read whose figures are asked for: a topic's or a tag's. "Is the agent growing?" asks for none."""
    about = _INTEREST.sub("", f"{rest.strip()} ").strip(" ?")
    if _is_filler(about):
        return fact
    return replace(fact, about=about) if names.is_subject(about) else None


def _of_kind_named(fact: FactQuestion, words: str, today: dt.date, names: Names) -> FactQuestion | None:
    """Read what stands before "papers": when, where, by whom or on what they are; None for anything else.

    "Good papers" and "other authors" are told apart by nothing that a record holds.
    """
    if words.lower() in _RECENT:
        return fact if fact.kind in {"newest", "oldest"} or fact.period else _recent(fact, today)
    if fact.column is not None and fact.kind == "count":
        return None
    if fact.period is None and (period := find_period(f"in {words}", today)[0]):
        return replace(fact, period=period)
    if names.is_subject(words):
        return replace(fact, about=f"{words} {fact.about}".strip())
    if not fact.venue and names.is_venue(words):
        return replace(fact, venue=words)
    return _authored(fact, words, names)


def _recent(fact: FactQuestion, today: dt.date) -> FactQuestion:
    period, _ = find_period("in the last 4 weeks", today)
    return replace(fact, period=period)


def _segments(rest: str) -> tuple[str, list[tuple[str, str]]]:
    """Cut at the words that introduce a restriction: ("", [("on", "RL"), ("by", "Sutton")])."""
    quoted = [match.span() for match in re.finditer(r"“[^”]*”|\"[^\"]*\"", rest)]
    keys = [
        match for match in KEYWORD.finditer(rest)
        if not any(start < match.start() < end for start, end in quoted)
    ]  # fmt: skip
    if not keys:
        return rest, []
    ends = [*(key.start() for key in keys[1:]), len(rest)]
    segments = [
        (key["key"].lower(), rest[key.end() : end].strip(" ,")) for key, end in zip(keys, ends, strict=True)
    ]
    return rest[: keys[0].start()], segments


def _with(fact: FactQuestion, key: str, content: str, names: Names) -> FactQuestion | None:
    """Add a restriction; None where it is not understood."""
    name = TRAILING.sub("", f" {content}").strip().strip(_QUOTES)
    if _is_filler(content) and key in _PLACING:
        return fact
    if not _WORD.search(name.lower()) and not any(map(str.isalpha, name)):
        return None
    if ABOUT.fullmatch(key):
        return None if _is_filler(name) else replace(fact, about=f"{fact.about} {name}".strip())
    for kind in _MEANINGS.get(key, _VENUE):
        if kind == "affiliation" and key in {"in", "of"}:
            if not fact.about and names.is_subject(name):
                return replace(fact, about=name)
            if name.islower():
                continue  # "in robotics" is no place, though an institute has that in its name
        if (found := _of_kind(fact, kind, name, names)) is not None:
            return found
    # "on learning in games": the preposition belongs to what the papers are about.
    if fact.about and key in {"in", "with", "from", "of", "by", "at"}:
        return replace(fact, about=f"{fact.about} {key} {name}")
    return None


def _of_kind(fact: FactQuestion, kind: Restriction, name: str, names: Names) -> FactQuestion | None:
    if kind == "author":
        return _authored(fact, name, names)
    if kind == "venue":
        return replace(fact, venue=name) if names.is_venue(name) else None
    return replace(fact, affiliation=name) if names.is_affiliation(name) else None


def _authored(fact: FactQuestion, name: str, names: Names) -> FactQuestion | None:
    name = _ET_AL.sub("", name)
    people = [person.strip(_QUOTES) for person in re.split(r",| and | & ", name) if person.strip(_QUOTES)]
    if not people or len({*people} & _PRONOUNS) or not all(map(names.is_author, people)):
        return None
    return replace(fact, authors=(*fact.authors, *people))


def _is_filler(text: str) -> bool:
    return all(word.lower() in FILLER for word in re.findall(r"[\w-]+", text))
