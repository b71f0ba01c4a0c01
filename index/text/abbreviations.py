"""Abbreviations that a text itself explains: "hierarchical reinforcement learning (HRL)".

The algorithm of Schwartz and Hearst, "A Simple Algorithm for Identifying Abbreviation Definitions in
Biomedical Text" (2003): every character of the short form, from the last to the first, must be found
in the words before it, the first one at the beginning of a word. Initials are tried first: in "proximal
policy optimization (PPO)" the algorithm alone is content with the last two words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MIN_SHORT, MAX_SHORT = 2, 10
"""Characters of a short form, as in the paper."""
MIN_CAPITALS = 2
"""Capitals of a short form: with one or none, "(red)" and "(Left)" would abbreviate something."""

_PARENTHESIS = re.compile(r"[(\[]([^()\[\]]{2,80})[)\]]")
_SHORT = re.compile(r"[A-Za-z0-9][A-Za-z0-9./-]*")
_WORD = re.compile(r"[^\s()\[\],;:]+")
_PART = re.compile(r"[^\W_]+")
_BOUNDARY = re.compile(r"[.!?;:]\s|[()\[\]\"“”]|\n\s*\n")
_BEFORE = 160
"""Characters before a parenthesis in which a long form lies: 15 words of ten letters."""


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A short form and what it stands for, both as the text writes them."""

    short: str
    long: str


def find_abbreviations(text: str) -> Iterator[Abbreviation]:
    """Yield the abbreviations that a text explains in parentheses, whichever form comes first."""
    for match in _PARENTHESIS.finditer(text):
        inside = match[1].replace(";", ",").partition(",")[0].strip(" '\"“”")
        start = max(0, match.start() - _BEFORE)
        if is_short_form(inside):
            short = _singular(inside)
            before = _BOUNDARY.split(text[start : match.start()].rstrip(' "“”'))[-1]
            words = list(_WORD.finditer(before))[-_longest(short) :]
            long = best_long_form(short, before[words[0].start() :]) if words else None
        elif " " in inside:
            short = _singular(text[start : match.start()].rpartition(" ")[0].rpartition(" ")[2])
            long = best_long_form(short, inside) if is_short_form(short) else None
            long = long if long == inside else None
        else:
            continue
        if long is not None and _is_plausible(short, long):
            yield Abbreviation(short, " ".join(long.split()))


def is_short_form(text: str) -> bool:
    """Whether a text has the look of an abbreviation: one short word with capitals."""
    return (
        MIN_SHORT <= len(text) <= MAX_SHORT
        and _SHORT.fullmatch(text) is not None
        and sum(char.isupper() for char in text) >= MIN_CAPITALS
    )


def best_long_form(short: str, candidate: str) -> str | None:
    """Return the end of `candidate` that the short form stands for: by initials, or by Schwartz and Hearst.

    Letters are compared without case.
    """
    parts = list(_PART.finditer(candidate))[-len(short) :]
    if "".join(part[0][0] for part in parts).lower() == short.lower():
        return candidate[parts[0].start() :]
    at = len(candidate) - 1
    for position in range(len(short) - 1, -1, -1):
        char = short[position].lower()
        if not char.isalnum():
            continue
        while at >= 0 and (
            candidate[at].lower() != char or (position == 0 and at > 0 and candidate[at - 1].isalnum())
        ):
            at -= 1
        if at < 0:
            return None
        at -= 1
    # The whole first word, also where the first character stands behind a hyphen in it.
    while at >= 0 and not candidate[at].isspace():
        at -= 1
    return candidate[at + 1 :]


def _longest(short: str) -> int:
    """Return how many words a long form may have, as in the paper."""
    return min(len(short) + 5, len(short) * 2)


def _singular(short: str) -> str:
    return short[:-1] if len(short) > MIN_SHORT and short[-1] == "s" and short[:-1].isupper() else short


def _is_plausible(short: str, long: str) -> bool:
    words = long.split()
    return (
        len(long) > len(short)
        and len(words) <= _longest(short)
        and short.lower() not in (word.lower() for word in words)
        and not any(char in long for char in "\\${}=")
    )
