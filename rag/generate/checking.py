"""What a model wrote, sentence by sentence, against the evidence that it was given."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rag.evidence import Evidence
from rag.generate.handing import Handed
from rag.generate.reply import Written
from rag.orders import is_order
from rag.passages import is_quotable
from rag.verify import Bar, Support, Verdict, Verifier

Outcome = Literal["supported", "reattributed", "replaced", "dropped"]

WRITTEN = Bar(0.66, lacking=2.25)
"""For what a model wrote: as for sentences near their sources' words, and as few words missing as for
rewordings."""

RUN = 4
"""Words in a row that two sentences hardly share by chance."""

MOST_CITED = 3
"""Evidence sentences that one sentence may stand on: halves of more, put together, say something new."""

# What looks like a citation and is none: numbers, authors and years, notes, in whatever brackets.
_FOREIGN = re.compile(
    r"\s*(?:\[\s*\^?[\d\s,;–-]+\]|\[\^[^\]]*\]|【[^】]*】|\((?:\s*\d{1,3}\s*[,;–-]?)+\)"
    r"|[\[(](?:see\s+|e\.g\.,?\s+)?[A-Z][^()\[\]]{0,120}?,?\s*(?:19|20)\d\d[a-z]?[\])]"
    r"|[¹²³⁰⁴-⁹]+(?=[\s.,;]|$))"
)
_BULLET = re.compile(r"^\s*(?:[-*•–]|\d{1,2}[.)])\s+")
_EMPHASIS = re.compile(r"(\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Shown:
    """A sentence as it may be shown: its text, and the evidence that it stands on.

    `quotes` are evidence with the span of its sentence's text, in code points, that is quoted.
    """

    text: str
    support: Support
    quotes: tuple[tuple[Evidence, int, int], ...]
    outcome: Outcome


class Checker:
    """Checks one reply; remembers what was said, so that nothing is said twice."""

    def __init__(self, verifier: Verifier, handed: Handed) -> None:
        self._verifier, self._handed = verifier, handed
        self._said: set[str] = set()
        self._runs = [(each, _runs(each.sentence.text)) for each in handed.by_id.values()]

    def check(self, written: Written) -> Shown | None:
        """Return what may be shown of a sentence; None if nothing may.

        As it stands on what it cites; else on other evidence that says it; else the evidence that it cites in
        its place.
        """
        cited = self._cited(written.ids)
        text = plain_sentence(written.text)
        found = self._worded(text, cited) if text else None
        if found is None and cited:
            found = _replaced(cited)
        if found is None or (key := _key(found.text)) in self._said:
            return None
        self._said.add(key)
        return found

    def _cited(self, ids: Sequence[str]) -> list[Evidence]:
        known = (self._handed.by_id.get(each) for each in ids)
        return [evidence for evidence in known if evidence is not None][:MOST_CITED]

    def _worded(self, text: str, cited: Sequence[Evidence]) -> Shown | None:
        if cited and (shown := self._on(text, cited, "supported")):
            return shown
        # Each by itself: a claim put together from halves of several sentences is none of theirs.
        for evidence in self._handed.by_id.values():
            if shown := self._on(text, [evidence], "reattributed"):
                return shown
        return None

    def _on(self, text: str, evidence: Sequence[Evidence], outcome: Outcome) -> Shown | None:
        passages = [each.sentence.text for each in evidence]
        if self._borrows(text, evidence) or _rearranges(text, passages):
            return None
        # What a sentence speaks about without naming it. Not the passage around it: a claim put together
        # from other sentences of it would stand on a quote that does not say it.
        context = list(dict.fromkeys(each.passage.record.title for each in evidence))
        verdict = self._verifier.verify(text, passages, context=context)
        if not verdict.supported or verdict.support is None:
            return None
        if verdict.support == "quoted":
            return _quoted(evidence, verdict, outcome)
        spans = tuple((each, 0, len(each.sentence.text)) for each in evidence)
        return Shown(text, verdict.support, spans, outcome)

    def _borrows(self, text: str, evidence: Sequence[Evidence]) -> bool:
        """Whether a text repeats words in a row of a sentence that it was given and does not stand on.

        Half of one sentence with half of another may hold nearly all words of either, and say what neither
        does.
        """
        own = frozenset[tuple[str, ...]]().union(
            *(_runs(each.sentence.text) | _runs(each.passage.record.title) for each in evidence)
        )
        foreign = _runs(text) - own
        return any(not foreign.isdisjoint(runs) for each, runs in self._runs if each not in evidence)


def plain_sentence(text: str) -> str:
    """Return a sentence without foreign markers, bullets and emphasis; nothing if it cannot be shown.

    What would be a link, markup or an address is not shown whatever supports it.
    """
    text = "".join(
        " " if char.isspace() else char
        for char in unicodedata.normalize("NFC", text)
        if char.isspace() or unicodedata.category(char)[0] != "C"
    )
    text = _BULLET.sub("", _FOREIGN.sub("", text))
    text = _SPACE.sub(" ", _EMPHASIS.sub(r"\2", text)).strip()
    if text and text[-1] not in '.!?)”"’':
        text += "."
    return text if text and is_quotable(text) and not is_order(text) else ""


def _quoted(evidence: Sequence[Evidence], verdict: Verdict, outcome: Outcome) -> Shown | None:
    if verdict.passage is None or verdict.span is None:
        return None
    source = evidence[verdict.passage]
    start, end = verdict.span
    quote = source.sentence.text[start:end]
    return Shown(quote, "quoted", ((source, start, end),), outcome) if is_quotable(quote) else None


def _replaced(cited: Sequence[Evidence]) -> Shown | None:
    best = next((each for each in cited if each.sentence.is_quotable and not each.sentence.is_order), None)
    if best is None:
        return None
    text = best.sentence.text
    return Shown(text, "quoted", ((best, 0, len(text)),), "replaced")


def _rearranges(text: str, passages: Sequence[str]) -> bool:
    """Whether a text has the words of a sentence in another order: who did it to whom may be exchanged."""
    words = _words(text)
    return any(
        words != own and sorted(words) == sorted(own) for own in (_words(passage) for passage in passages)
    )


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = _words(text)
    return frozenset(zip(*(words[start:] for start in range(RUN)), strict=False))


def _key(text: str) -> str:
    return " ".join(_words(text))
