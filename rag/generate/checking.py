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
from rag.verify import Support, Verdict, Verifier
from rag.verify.reading import read

Outcome = Literal["supported", "reattributed", "replaced", "dropped"]

MOST_CITED = 3
"""Evidence sentences that one sentence may stand on: halves of more, put together, say something new."""
RUN = 4
"""Words in a row that two sentences share only where one is copied from the other."""
SAME = 0.75
"""Share of the words of two sentences that are in both, from which little is reworded and one is quoted: what
a denial or an exchange of places leaves the same."""

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
        self._runs = [_runs(evidence.sentence.text) for evidence in handed.by_id.values()]

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
        return self._once(found) if found else None

    def quote(self, evidence: Evidence) -> Shown | None:
        """Return a sentence of the sources as it stands; None if it was said already."""
        text = evidence.sentence.text
        return self._once(Shown(text, "quoted", ((evidence, 0, len(text)),), "supported"))

    def _once(self, found: Shown) -> Shown | None:
        letters = "".join(_words(found.text))
        if letters in self._said:
            return None
        self._said.add(letters)
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
        # What a sentence speaks about without repeating it. Not the passage that it stands in: halves of two
        # of its sentences would stand there, and so would any sentence of it, cited to any other.
        titles = list(dict.fromkeys(each.passage.record.title for each in evidence))
        verdict = self._verifier.verify(text, passages, context=titles)
        if not verdict.supported or verdict.support is None:
            return None
        if verdict.support == "quoted":
            return _quoted(evidence, verdict, outcome)
        if self._takes_from_others(text, evidence):
            return None
        same = next((each for each in evidence if _same_words(text, each)), None)
        if same is not None:
            whole = (same, 0, len(same.sentence.text))
            return Shown(same.sentence.text, "quoted", (whole,), outcome) if _is_shown(same) else None
        spans = tuple((each, 0, len(each.sentence.text)) for each in evidence)
        return Shown(text, verdict.support, spans, outcome)

    def _takes_from_others(self, text: str, evidence: Sequence[Evidence]) -> bool:
        """Whether a sentence copies a run of words out of evidence that it does not stand on: it begins as
        one sentence and ends as another."""
        runs = _runs(text)
        runs = runs.difference(*(_runs(each.sentence.text) for each in evidence))
        return any(runs & taken for taken in self._runs)


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


def _is_shown(evidence: Evidence) -> bool:
    """Whether a sentence of a source may be shown as it stands."""
    return evidence.sentence.is_quotable and not evidence.sentence.is_order


def _replaced(cited: Sequence[Evidence]) -> Shown | None:
    best = next(filter(_is_shown, cited), None)
    if best is None:
        return None
    text = best.sentence.text
    return Shown(text, "quoted", ((best, 0, len(text)),), "replaced")


def _runs(text: str) -> set[tuple[str, ...]]:
    words = _words(text)
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


def _same_words(text: str, evidence: Evidence) -> bool:
    """Whether a sentence says the words of another, in an order in which who did what may have changed."""
    ours, theirs = read(text).terms, read(evidence.sentence.text).terms
    return len(set(ours) & set(theirs)) >= SAME * len({*ours, *theirs})


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
