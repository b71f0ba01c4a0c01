"""Comparisons that lean on earlier turns: "Which of the two is faster?", "and compared with TRPO?"."""

from __future__ import annotations

import re

from rag.anaphora import focus, pronoun
from rag.comparison import sides_of

_WHICH = re.compile(
    r"^which (?:one )?(?:of (?:the two|them|these|both) |one )"
    r"(?P<does>(?:is|does|was|did|are|works?|performs?|learns?)\b.*)$",
    re.I,
)
_APART = re.compile(
    r"^(?:how (?:do|are) (?:they|these|those|the two|both) (?:differ(?:ent)?|compare)\b"
    r"|(?:please )?(?:compare|contrast) (?:them|these|those|the two|both)\b"
    r"|what(?:'s| is| are) the (?:main |key )?differences?(?: between (?:them|these|those|the two|both))?\W*$"
    r"|what (?:distinguishes|separates) (?:them|these|those|the two)\b"
    r"|(?:is|are) (?:one|either)(?: of them| of the two)? better\b)",
    re.I,
)
_WITH = re.compile(
    r"^(?:(?:compared?|in comparison) (?:to|with)|relative to|versus|vs\.?|against"
    r"|what(?:'s| is| are) the (?:main |key )?differences? (?:to|from|with)) (?P<other>.+?)\W*$",
    re.I,
)
_NO_NAMES = frozenset({"paper", "papers", "it", "they", "that", "its limits"})
_THAN = re.compile(r"^than (?P<other>.+?)\W*$", re.I)
_THAN_WHAT = re.compile(r"\bthan (?P<other>.+?)(?P<ends>\W*)$", re.I)


def compared(bare: str, earlier: str, earliest: str) -> str:
    """Write a comparison out whose sides were spoken of in two questions, or in one; nothing for another one.

    `earlier` is the question of the last turn, `earliest` that of the turn before, each as it was meant.
    """
    about = focus(earlier)
    if (match := _THAN.match(bare)) and _THAN_WHAT.search(earlier):
        return _THAN_WHAT.sub(rf"than {match['other']}\g<ends>", earlier)
    if match := _WITH.match(bare):
        return f"How does {about} compare with {match['other']}?" if about else ""
    names = (
        tuple(side.name for side in sides)
        if (sides := sides_of(earlier))
        else (focus(earliest) if earliest else "", about)
    )
    if not all(names) or names[0].casefold() == names[1].casefold():
        return ""
    if any(pronoun(f"{name}?") or name.lower() in _NO_NAMES for name in names):
        return ""  # what was spoken of has no name
    if _APART.match(bare):
        return f"What is the difference between {names[0]} and {names[1]}?"
    if match := _WHICH.match(bare):
        return f"Which {match['does'].rstrip(' ?.!')}, {names[0]} or {names[1]}?"
    return ""
