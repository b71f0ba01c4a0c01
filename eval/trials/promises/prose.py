"""The words of an answer that no citation covers: they may only connect.

The phrases are written down here anew, so that one which is added to the answers has to be added here too,
by somebody who has asked whether it states anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from eval.trials.promises.checks import MARKER, Given
from rag.answer import SourceRef

CONNECTING = frozenset(
    {
        "The newest papers:", "The oldest papers:", "The papers, newest first:", "The newest explainers:",
        "The oldest explainers:", "The explainers, newest first:", "Most papers first:", "Papers by year:",
        "Papers by month:",
    }
)  # fmt: skip
"""Phrases that state nothing and stand before what is listed."""
_LEAD = re.compile(
    r"(?:By contrast, |As for (?P<side>[^\n:*]{1,60}): )?"
    r"(?:(?:\*(?P<title>[^*\n]+)\*|One paper)(?: \((?P<about>[^()\n]*)\))?: ?)?"
)
"""What may introduce a sentence: one side of a comparison, and the name and year of the source cited next."""
_ABOUT = re.compile(r"(?P<year>\d{4})?(?:, )?(?:retracted|superseded)?")
_BULLET = re.compile(r"^[-*]?\s*$", re.MULTILINE)


def uncited_sentences(given: Given) -> Iterator[str]:
    """Every word stands in a cited sentence, or in a phrase that connects and states nothing."""
    text = given.answer.answer
    spans = sorted({(one.start_index, one.end_index) for one in given.answer.citations})
    at = 0
    for start, end in (*spans, (len(text), len(text))):
        between = MARKER.sub("", text[at:start])
        following = {one.source_id for one in given.answer.citations if one.start_index == start}
        for piece in between.split("\n"):
            said = piece.strip(" -.!?\t")
            if any(map(str.isalnum, said)) and not _connects(piece, given, following):
                yield f"uncited: {piece.strip()!r}"
        at = max(at, end)


def _connects(piece: str, given: Given, following: set[str]) -> bool:
    """Whether words between two cited sentences are a phrase, or name the source that comes next."""
    if piece.strip() in CONNECTING:
        return True
    match = _LEAD.fullmatch(piece.strip(" -.!?").strip() + " ") or _LEAD.fullmatch(piece.lstrip(" .!?-"))
    if match is None:
        return False
    named = next((source for source in given.answer.sources if source.id in following), None)
    introduces = match["title"] or match["about"]
    if introduces and (named is None or not _names(match["title"] or "", match["about"] or "", named)):
        return False
    asked = " ".join((given.request.question, *(turn.question for turn in given.request.history)))
    side = match["side"] or "both"
    return side == "both" or _folded(side) in _folded(f"{asked} {given.answer.understood.text}")


def _names(title: str, about: str, source: SourceRef) -> bool:
    """Whether a title, perhaps cut short, and what is in brackets behind it are those of the source."""
    known = _ABOUT.fullmatch(about)
    year = known["year"] if known else None
    dated = year is None or (source.date is not None and str(source.date.year) == year)
    return known is not None and dated and _folded(source.title).startswith(_folded(title))


def _folded(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
