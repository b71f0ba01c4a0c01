"""Questions for what the authors of a paper, or people asked about before, wrote besides."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Which = Literal["all", "first", "last"]

_THEY = (
    r"(?P<who>he|she|they|them|him|her|the same (?:authors?|people|team|group)"
    r"|that (?:person|researcher|author)"
    r"|(?:the|its|their) (?:(?P<which>first|lead|main|last|senior) )?authors?)"
)
_WORKS = r"(?:(?:papers?|articles?|publications?|works?|preprints?)\b ?)"
_WROTE = r"(?:written|published|write|publish|have|authored)"
_FORMS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (head, re.compile(rf"{form}(?P<rest>(?: .*)?)", re.I))
    for head, form in (
        (
            "How many papers are by",
            rf"how many (?:other |more )?{_WORKS}?(?:has|have|did|does|do) {_THEY} (?:also )?{_WROTE}",
        ),
        (
            "How many papers are by",
            rf"how many (?:other |more )?{_WORKS}(?:are |is )?(?:there )?(?:by|from) {_THEY}",
        ),
        (
            "Which papers are by",
            rf"(?:what|which) (?:else |other |more )*{_WORKS}?(?:has|have|did|do) {_THEY} (?:also )?{_WROTE}",
        ),
        (
            "Which papers are by",
            r"(?:(?:is|are) there |do you have |show me |list )?(?:any |all )?(?:other |more |further )*"
            rf"{_WORKS}(?:by|from|of) {_THEY}",
        ),
        (
            "Which papers are by",
            rf"(?:did|have|has) {_THEY} (?:also )?{_WROTE} "
            r"(?:(?:anything|something|any|other|more|else|papers?) ?)+",
        ),
    )
)
_BY = re.compile(r"\bby (?P<names>[A-Z][\w.'’-]+(?: (?:and )?[A-Z][\w.'’-]+)*)")


@dataclass(frozen=True, slots=True)
class ByAuthors:
    """A question for papers of people: `before` and `behind` their names, and which of a paper's they are."""

    before: str
    behind: str
    which: Which


def by_authors(text: str) -> ByAuthors | None:
    """Read a question for what people wrote who are only pointed at; None for another one."""
    bare = text.strip().rstrip("?!. ")
    for head, form in _FORMS:
        if match := form.fullmatch(bare):
            which, who = (match["which"] or "").lower(), match["who"].lower()
            first = (
                which in {"first", "lead", "main"}
                or who in {"he", "she", "him", "her"}
                or who.startswith("that")
            )
            return ByAuthors(
                head,
                f"{match['rest'].rstrip()}?",
                "first" if first else "last" if which else "all",
            )
    return None


def people_named(earlier: str) -> str:
    """Return whom an earlier question asked for papers by; nothing if it asked for none."""
    match = _BY.search(earlier)
    return match["names"] if match else ""
