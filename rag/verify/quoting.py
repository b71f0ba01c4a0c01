"""Quotes: where in a passage a claim stands, word for word or nearly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from index.text.sentences import sentences
from rag.verify.reading import plain

FUZZY_BAR = 92.0
"""Indel similarity, in percent, from which a claim counts as a quote that was written down carelessly: of a
sentence of 20 words, one or two are other words. What is shown then is the source's own text."""
_QUOTED = "\"'“”‘’«» \t\n.,;:!?…"
"""What may stand around a quote without being part of it."""


@dataclass(frozen=True, slots=True)
class Span:
    """Where in the passages a quote stands: `passages[passage][start:end]`, in code points."""

    passage: int
    start: int
    end: int


def exact_quote(claim: str, passages: Sequence[str]) -> Span | None:
    """Find the whole sentence of a passage that a claim repeats, up to spelling, case and spacing.

    A part of a sentence is no quote of it: "the drug helps" stands in "nobody believes that the drug helps".
    """
    wanted = _folded(claim)
    if not wanted:
        return None
    for number, passage in enumerate(passages):
        spans = sentences(passage)
        for first, (start, _) in enumerate(spans):
            folded = ""
            for _, end in spans[first:]:
                folded = _folded(passage[start:end])
                if len(folded) >= len(wanted):
                    if folded == wanted:
                        return Span(number, start, end)
                    break
    return None


def fuzzy_quote(claim: str, passages: Sequence[str]) -> Span | None:
    """Find the sentence of a passage that a claim repeats but for a word or two; the likest of them.

    Says nothing of what the words that differ mean: the exact checks have to agree as well.
    """
    from rapidfuzz import fuzz

    wanted = _folded(claim)
    best, found = FUZZY_BAR, None
    for number, passage in enumerate(passages):
        for start, end in sentences(passage):
            likeness = fuzz.ratio(wanted, _folded(passage[start:end]), score_cutoff=best)
            if likeness > best or (found is None and likeness >= best):
                best, found = likeness, Span(number, start, end)
    return found


def _folded(text: str) -> str:
    return " ".join(plain(text).lower().split()).strip(_QUOTED)
