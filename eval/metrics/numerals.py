"""The numbers that a text states, written so that typographic variants are equal.

"38%", "38 percent" and "38.0 per cent" are one number; so are "1,500,000" and "1.5 million",
and "twelve" and "12". "0.38" is not "38%": whether it means the same depends on what is counted. A sign
counts. A range states both ends, each with the unit behind it.

Not numbers: citation markers ("[2]"), list enumerators ("2. "), and digits that belong to a name because a
letter comes right before them, with a hyphen or without ("GPT-4", "Q1", "CIFAR-10", "x_1"). Digits before
letters are a number with its unit ("7B", "4-bit", "3D"). "Llama 2" cannot be told from an amount, and is
read as one.

The verifier (`rag.verify.numbers`) reads numbers too; this is kept apart from it, since it measures answers
that the verifier has let through, and what both were blind to nobody would see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple

_UNITS = ("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
          "sixteen seventeen eighteen nineteen").split()  # fmt: skip
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SCALES = {
    "hundred": Decimal(10**2), "thousand": Decimal(10**3), "million": Decimal(10**6),
    "billion": Decimal(10**9), "trillion": Decimal(10**12),
    # Written right behind the digits only; a small letter would be metres or minutes.
    "k": Decimal(10**3), "K": Decimal(10**3), "M": Decimal(10**6), "B": Decimal(10**9),
}  # fmt: skip
_HYPHEN = "[-‐‑]"

_TOKEN = re.compile(
    # What holds digits and is no number: a marker, an enumerator, a name.
    rf"(?P<skipped>\[[0-9]{{1,3}}\]|^[ \t]*[0-9]{{1,2}}[.)][ \t]"
    rf"|[^\W\d](?:{_HYPHEN}|_)?[0-9](?:[.\-‐‑/]?\w)*+)"
    # Digits, with commas or narrow spaces between thousands. A plain space would join the items of a list.
    r"|(?<![\w.])(?P<sign>[-−](?=[.0-9]))?"
    r"(?P<digits>[0-9]{1,3}(?:(?:,|\{,\}|[\u00a0\u2009\u202f])[0-9]{3})+(?![0-9])(?:\.[0-9]+)?"
    r"|[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?P<exponent>[eE][-+−]?[0-9]{1,3}(?!\w))?(?P<suffix>(?-i:[kKMB])(?!\w))?"
    # Words, unless they are the end of a compound: "non-zero".
    rf"|(?<!\w)(?<!\w{_HYPHEN})(?P<words>(?:{'|'.join(_TENS)})(?:(?:{_HYPHEN}|\s)(?:{'|'.join(_UNITS[1:10])}))?"
    rf"|{'|'.join(_UNITS)})(?!\w)",
    re.IGNORECASE | re.MULTILINE,
)
_BEHIND = re.compile(
    r"(?:[\s-]?(?P<scale>hundred|thousand|million|billion|trillion)\b)?"
    r"(?P<percent>\s?\\?[%％]|[\s-]?(?:percent|per\scent|pct)\b)?",
    re.IGNORECASE,
)
_SPACED = re.compile(r"(?<=[0-9])[ ](?=[0-9]{3}(?![0-9]))")
_TO = re.compile(r"\s?[-‐‑–—−]\s?|\s+to\s+", re.IGNORECASE)
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s+\Z", re.IGNORECASE)
_LOOK_BACK = 16
"""Characters before a number in which "between" is looked for: the word, and more white space than stands."""


class Number(NamedTuple):
    """A value and whether it is a percentage."""

    value: Decimal
    percent: bool = False

    def __str__(self) -> str:
        return f"{self.value.normalize():f}{'%' if self.percent else ''}"


@dataclass(frozen=True, slots=True)
class Stated:
    """A number and where it stands: `text[start:end]`, unit included. `scale` is part of the value."""

    number: Number
    start: int
    end: int
    scale: Decimal

    @property
    def bare(self) -> bool:
        """Whether it has no unit, so that it takes the one behind its range."""
        return self.scale == 1 and not self.number.percent


def stated_numbers(text: str, *, one: bool = False) -> list[Stated]:
    """Return the numbers that a text states, in order.

    `one` says whether that word counts: as a pronoun ("one of them") it states nothing, so what a text
    *claims* is read without, and what a text *holds* with it.
    """
    found: list[Stated] = []
    for stated in _scan(text, one=one):
        if found and found[-1].bare and _is_range(text, found[-1], stated):
            lower = found[-1].number.value * stated.scale
            found[-1] = replace(found[-1], number=Number(lower, stated.number.percent))
        found.append(stated)
    return found


def numbers_in(text: str, *, one: bool = False) -> list[Number]:
    """Return the numbers of a text, in order, with repetitions."""
    return [stated.number for stated in stated_numbers(text, one=one)]


def numbers_held(text: str) -> frozenset[Number]:
    """Return all numbers that a text may be said to hold: "one" among them, and "86 476" as one number too.

    Texts are stored with plain spaces between thousands, which a list may have as well; here both readings
    are right.
    """
    return frozenset(numbers_in(text, one=True) + numbers_in(_SPACED.sub("", text), one=True))


def _scan(text: str, *, one: bool) -> Iterator[Stated]:
    for match in _TOKEN.finditer(text):
        if match["skipped"]:
            continue
        unit = _BEHIND.match(text, match.end())
        assert unit is not None  # each of its parts may be empty
        if (match["words"] or "").lower() == "one" and not (one or unit["scale"]):
            continue
        scale = _SCALES.get(match["suffix"] or (unit["scale"] or "").lower(), Decimal(1))
        yield Stated(
            number=Number(_value(match) * scale, bool(unit["percent"])),
            start=match.start(),
            end=unit.end(),
            scale=scale,
        )


def _value(match: re.Match[str]) -> Decimal:
    if match["words"]:
        tens, _, ones = re.sub(r"[\s‐‑]", "-", match["words"].lower()).partition("-")
        if tens in _UNITS:
            return Decimal(_UNITS.index(tens))
        return Decimal(20 + 10 * _TENS.index(tens) + (_UNITS.index(ones) if ones else 0))
    digits = re.sub(r"[^0-9.]", "", match["digits"])
    value = Decimal(digits + (match["exponent"] or "").replace("−", "-"))
    return -value if match["sign"] else value


def _is_range(text: str, first: Stated, second: Stated) -> bool:
    between = text[first.end : second.start]
    return bool(
        _TO.fullmatch(between)
        or (_AND.fullmatch(between) and _BETWEEN.search(text, max(0, first.start - _LOOK_BACK), first.start))
    )
