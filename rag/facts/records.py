"""Selecting the records that a fact is about, and counting them, by SQL and the index's own filters."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from index.errors import UnknownTopic
from index.records import Kind, Paper, Topic, slugify
from index.snapshot import Snapshot
from index.stores.lexical import Scope, analyze
from rag.facts.reading import Column, FactQuestion
from rag.question import content_terms, spell_out_topic

Keys = NDArray[np.int64]
_BEHIND_NAME = re.compile(r"[:–—?!]")
"""What ends a title's own name: "QMIX: Monotonic Value Function Factorisation"."""

TITLES = 20
"""Papers looked at for a title: a title's own paper is among the first few, but "PPO" stands in many."""
SUFFIX = 2
"""Letters of a word behind its stem from which it is another word: "agent-ic", but "robot-s"."""
OPENING = 3
"""First words of a title that are enough to name it: two, "policy gradient", are a subject."""
SAME_TITLE = 92
"""Likeness of 100 from which a title typed and one stored are the same: a typing error or two."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The records that a question is about: their keys, newest first, and what they have in common.

    `scope` is that of the request's filters, with the question's period. All belong to each of the
    `topics` and have all `authors`, the `venue` and the `affiliation`, and hold each word of `mention`.
    """

    keys: tuple[int, ...]
    scope: Scope
    topics: tuple[Topic, ...] = ()
    authors: tuple[str, ...] = ()
    venue: str = ""
    mention: str = ""
    affiliation: str = ""


class IndexNames:
    """Says which names the index holds; a name is looked for as whole words, in any record."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def is_author(self, name: str) -> bool:
        return self._some(Scope(authors=(name,)))

    def is_venue(self, name: str) -> bool:
        return self._some(Scope(venues=(name,)))

    def is_affiliation(self, name: str) -> bool:
        """Whether a paper names the place. Reads all papers' records: only asked where nothing else fits."""
        return bool(len(name) > 1 and _at_place(self._snapshot, None, name))

    def is_subject(self, name: str) -> bool:
        """Whether it names a topic, or a tag of some paper."""
        topics = self._snapshot.topics.values()
        name = _spelt_out(name, topics)
        try:
            self._snapshot.topic(name)
        except UnknownTopic:
            return bool(_tagged(self._snapshot, None, name, topics))
        return True

    def _some(self, scope: Scope) -> bool:
        return bool(len(self._snapshot.lexical.matching(scope)))


def select(snapshot: Snapshot, fact: FactQuestion, scope: Scope) -> Selection:
    """Return the records of a scope that a question restricts further."""
    works: tuple[Kind, ...] = (fact.works,) if not scope.kinds or fact.works in scope.kinds else ()
    scope = _within(replace(scope, kinds=works), fact)
    topic, mention = _about(snapshot, fact.about)
    # Filters take alternatives; of several authors that a question names, a paper must have each.
    parts = [_records(snapshot, scope) if works else np.empty(0, np.int64)]
    if mention:
        parts.append(_on(snapshot, scope, parts[0], mention))
    parts += [_records(snapshot, replace(scope, authors=(author,))) for author in fact.authors]
    parts += [_records(snapshot, replace(scope, venues=(fact.venue,)))] if fact.venue else []
    parts += [_records(snapshot, replace(scope, topic=topic))] if topic else []
    keys = functools.reduce(np.intersect1d, parts)
    if fact.affiliation:
        keys = np.array(_at_place(snapshot, keys.tolist(), fact.affiliation), np.int64)
    slugs = dict.fromkeys(slug for slug in (scope.topic, topic) if slug)
    return Selection(
        keys=_newest_first(snapshot, keys),
        scope=scope,
        topics=tuple(snapshot.topics[slug] for slug in slugs),
        authors=fact.authors,
        venue=fact.venue,
        mention=mention,
        affiliation=fact.affiliation,
    )


def _within(scope: Scope, fact: FactQuestion) -> Scope:
    if not fact.period:
        return scope
    first = [day for day in (scope.date_from, fact.period.first) if day]
    last = [day for day in (scope.date_to, fact.period.last) if day]
    return replace(scope, date_from=max(first, default=None), date_to=min(last, default=None))


def _about(snapshot: Snapshot, about: str) -> tuple[str | None, str]:
    """Return what papers are about as a topic, or else as words."""
    about = re.sub(r"^(?:the |this )?(?:topic|field|subject)(?: of)?\b ?", "", about, flags=re.I)
    if not about:
        return None, ""
    try:
        return snapshot.topic(about).slug, ""
    except UnknownTopic:
        return None, about


def _on(snapshot: Snapshot, scope: Scope, keys: Keys, subject: str) -> Keys:
    """Return which records have a subject for a tag, or hold each of its words in title or text."""
    topics = [topic for topic in snapshot.topics.values() if topic.slug == scope.topic]
    terms = content_terms(_spelt_out(subject, topics))
    tagged = np.array(_tagged(snapshot, keys.tolist(), subject, topics), np.int64)
    held = np.intersect1d(_records(snapshot, scope, terms), keys)
    return np.union1d(_spelt_so(snapshot, held, subject), tagged)


def _spelt_so(snapshot: Snapshot, keys: Keys, subject: str) -> Keys:
    """Return which records hold the words themselves, not others of their stems: "agentic" is no "agent"."""
    words = [
        word
        for word in re.findall(r"[a-z]+", subject.lower())
        if (stems := analyze(word)) and len(word) - len(stems[0]) >= SUFFIX and word.startswith(stems[0])
    ]
    if not words:
        return keys
    whole = [re.compile(rf"\b{word.removesuffix('s')}") for word in words]

    def holds(key: int) -> bool:
        record = snapshot.record(key)
        text = " ".join((record.title, *(text for _, _, text in record.fields()))).lower()
        return all(pattern.search(text) for pattern in whole)

    return np.array([key for key in keys.tolist() if holds(key)], np.int64)


def _spelt_out(text: str, topics: Iterable[Topic]) -> str:
    """Write out topics' aliases: papers write "offline reinforcement learning" for "offline RL"."""
    return functools.reduce(spell_out_topic, topics, text)


def _tagged(snapshot: Snapshot, keys: Sequence[int] | None, tag: str, topics: Iterable[Topic]) -> list[int]:
    """Return the papers, of some or of all, that have a tag, in whatever spelling of the topics' names."""
    among = "" if keys is None else "WHERE r.key IN (SELECT value FROM json_each(:keys))"
    found = snapshot.catalog.rows(
        f"SELECT DISTINCT r.key, a.value FROM records r, json_each(r.body, '$.tags') a {among}",  # noqa: S608
        {} if keys is None else {"keys": json.dumps(list(keys))},
    )
    topics = tuple(topics)
    wanted = slugify(_spelt_out(tag, topics))
    same = {value: slugify(_spelt_out(value, topics)) == wanted for value in {value for _, value in found}}
    return sorted({key for key, value in found if same[value]})


def _records(snapshot: Snapshot, scope: Scope, terms: Sequence[str] = ()) -> Keys:
    keys = snapshot.lexical.matching(scope, holding=terms)
    return np.unique(snapshot.record_keys_of(snapshot.rows_of_keys(keys)))


def _newest_first(snapshot: Snapshot, keys: Keys) -> tuple[int, ...]:
    return _ordered(snapshot, keys.tolist(), "r.date IS NULL, r.date DESC, r.title, r.key")


def oldest_first(snapshot: Snapshot, keys: Sequence[int]) -> tuple[int, ...]:
    """Return records in the order of their dates, undated ones last."""
    return _ordered(snapshot, keys, "r.date IS NULL, r.date, r.title, r.key")


def _ordered(snapshot: Snapshot, keys: Sequence[int], order: str) -> tuple[int, ...]:
    found = snapshot.catalog.rows(
        f"SELECT r.key FROM json_each(?) k JOIN records r ON r.key = k.value ORDER BY {order}",  # noqa: S608 - ours
        (json.dumps(list(keys)),),
    )
    return tuple(key for (key,) in found)


def ids_of(snapshot: Snapshot, keys: Sequence[int]) -> tuple[str, ...]:
    """Return the records' ids, in the order of the keys."""
    found = snapshot.catalog.rows(
        "SELECT r.id FROM json_each(?) k JOIN records r ON r.key = k.value ORDER BY k.key",
        (json.dumps(list(keys)),),
    )
    return tuple(record_id for (record_id,) in found)


def _at_place(snapshot: Snapshot, keys: Sequence[int] | None, name: str) -> list[int]:
    """Return the papers, of some or of all, that name a place among their affiliations, as whole words."""
    among = "" if keys is None else "AND r.key IN (SELECT value FROM json_each(:keys))"
    found = snapshot.catalog.rows(
        "SELECT DISTINCT r.key, a.value FROM records r, json_each(r.body, '$.affiliations') a "  # noqa: S608
        f"WHERE r.kind = 'paper' AND instr(lower(a.value), lower(:name)) {among}",
        {"name": name} | ({} if keys is None else {"keys": json.dumps(list(keys))}),
    )
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.I)
    return sorted({key for key, place in found if whole.search(place)})


def ranked(snapshot: Snapshot, keys: Sequence[int], column: Column) -> list[tuple[str, tuple[int, ...]]]:
    """Return each value of a column with the papers that have it, in the order of `keys`: most papers first.

    Values are counted as they are stored: two people of one name are one, and one under two names is two.
    """
    papers: dict[str, list[int]] = {}
    found = snapshot.catalog.rows(
        "SELECT DISTINCT a.value, r.key FROM json_each(?) k JOIN records r ON r.key = k.value, "
        "json_each(r.body, ?) a WHERE a.value <> ''",
        (json.dumps(list(keys)), f"$.{column}"),
    )
    for value, key in found:
        papers.setdefault(value, []).append(key)
    place = {key: number for number, key in enumerate(keys)}
    ordered = sorted(papers.items(), key=lambda item: (-len(item[1]), item[0]))
    return [(value, tuple(sorted(of, key=place.__getitem__))) for value, of in ordered]


def by_period(snapshot: Snapshot, keys: Sequence[int], *, month: bool) -> list[tuple[str, tuple[int, ...]]]:
    """Return each year, or month, with its papers in the order of `keys`, latest first; no undated ones."""
    found = snapshot.catalog.rows(
        "SELECT substr(r.date, 1, ?), r.key FROM json_each(?) k JOIN records r ON r.key = k.value "
        "WHERE r.date IS NOT NULL ORDER BY k.key",
        (7 if month else 4, json.dumps(list(keys))),
    )
    periods: dict[str, list[int]] = {}
    for period, key in found:
        periods.setdefault(period, []).append(key)
    return [(period, tuple(of)) for period, of in sorted(periods.items(), reverse=True)]


def find_paper(snapshot: Snapshot, title: str, scope: Scope) -> Paper | None:
    """Return the paper of a scope that a title names; None where none or several could be meant.

    A title may be typed whole, or as the name before its colon ("QMIX"), or as its first words.
    """
    from rapidfuzz import fuzz

    keys, _ = snapshot.lexical.search(analyze(title), replace(scope, kinds=("paper",)), TITLES)
    papers = [
        record
        for key in dict.fromkeys(snapshot.record_keys_of(snapshot.rows_of_keys(keys)))
        if isinstance(record := snapshot.record(key), Paper)
    ]
    wanted = _folded(title)
    labels = (label for topic in snapshot.topics.values() for label in (topic.name, *topic.aliases))
    if wanted in map(_folded, labels):
        return None
    ways: tuple[Callable[[str], bool], ...] = (
        lambda stored: _folded(stored) == wanted,
        lambda stored: fuzz.ratio(_folded(stored), wanted) >= SAME_TITLE,
        lambda stored: _folded(_BEHIND_NAME.split(stored, maxsplit=1)[0]) == wanted,
        lambda stored: len(wanted.split()) >= OPENING and _folded(stored).startswith(f"{wanted} "),
    )
    for is_meant in ways:
        found = [paper for paper in papers if is_meant(paper.title)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _folded(title: str) -> str:
    return " ".join(re.findall(r"\w+", title.casefold()))
