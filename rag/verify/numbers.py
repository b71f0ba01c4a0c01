"""Numbers: every number of a claim has to stand in its passages, however it is written.

`eval.metrics.numerals` reads numbers too, on purpose by itself: it measures answers that this check has let
through, and what both were blind to nobody would see. This one is generous to passages, so as to raise no
false alarm; that one is literal.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rag.verify.lexicon import IMPLIED, MULTIPLES, SCALES, TENS, UNITS
from rag.verify.names import abbreviates

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_PERCENT = re.compile(r"\s?(?:%|percent\b|per cent\b|percentage points?\b|pct\b)", re.I)
_NUMBER = re.compile(
    rf"(?P<sign>(?<![\w)\].%-])[-+](?=[\d.]))?(?P<value>{_DIGITS})"
    r"(?:\s?[×x*]\s?10\s?\^(?P<power>[-+]?\d+)|(?P<e>[eE][-+]?\d+)\b|\^(?P<exponent>[-+]?\d+))?"
    r"(?P<suffix>(?:k|K|M|bn|B)\b)?"
    r"(?:\s(?P<scale>hundred|thousand|million|billion|trillion)\b)?"
)
_SUFFIXES = {"k": 1e3, "K": 1e3, "M": 1e6, "bn": 1e9, "B": 1e9}
# What stands in a name, not in a quantity: HER2, GPT-4, n-3, but not week-12. Names have their own check.
_IN_NAME = re.compile(r"(?:[^\W\d_]|(?:(?<!\w)[^\W\d_]{1,3}|[A-Z]\w*)-)\Z")
_WORDS = re.compile(
    r"\b(?:{words})(?:(?:[\s-]|\sand\s)(?:{words}))*\b".format(words="|".join([*UNITS, *TENS, *SCALES])),
    re.I,
)
# A "double-strand break" is no factor of two.
_FACTOR = re.compile(r"\b(?:" + "|".join(MULTIPLES) + r")\b(?!-)", re.I)
_IMPLIED = re.compile(r"\b(?:" + "|".join(IMPLIED) + r")s?\b", re.I)
_SPACED = re.compile(r"(?<![\d.,^-])\d{1,3}(?: \d{3})+(?![\d^])")
# "12, 14 and 18%", "10-20%": one sign for all.
_LIST = re.compile(r"\s*(?:,|-|/|±|\+/-|and|or|to|vs\.?|versus|,\s*and)\s*")
# The words before a number that it may number, up to five.
_NAMED = re.compile(r"(?:(?<![^\W_])[^\W\d_]+[\s-]){1,5}\Z")
_APPROXIMATE = re.compile(
    r"(?:\b(?:about|approximately|around|roughly|nearly|almost|some|over|under|more than|less than|at least"
    r"|up to|circa|ca\.|close to)|[~≈])\s*\Z",
    re.I,
)
_LOOK_BACK = 24
"""Characters before a number in which the words above or the name it belongs to end."""
_LOOK_BACK_NAME = 80
"""Characters that these words take at most."""
_DIGITS_KEPT = 10
"""Significant digits compared: more than anyone writes, fewer than floating point gets wrong."""


Reading = tuple[float, bool]
"""A value, and whether it is in percent."""
_FIGURES = frozenset("0123456789%")


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written in a text at [start, end), its value, and whether it is in percent."""

    written: str
    value: float
    percent: bool
    start: int
    end: int
    approximate: bool = False


def check_numbers(claim: str, evidence: Sequence[str], passages: Sequence[str]) -> list[str]:
    """Say which numbers of a claim stand in none of the sentences that it stands on.

    `evidence` are these sentences, `passages` all there are; texts are in the spelling of `plain`. A claim
    may not state a number more often than they do: that one then stands for another.
    """
    wanted = list(_stated(claim, strict=True))
    if not wanted:
        return []
    held = sum((_held(sentence) for sentence in evidence), Counter[Reading]())
    missing = [
        number for number in wanted if not _matches(number, held) and not _in_name_of(number, claim, passages)
    ]
    # Thousands set apart by a space: stored texts have it plain, so "86 476" reads as two numbers too.
    for match in _SPACED.finditer(claim) if missing else ():
        value = float(match[0].replace(" ", ""))
        if (value, False) in held or (value, True) in held:
            missing = [number for number in missing if not match.start() <= number.start < match.end()]
    notes = dict.fromkeys(
        f"the number {number.written} stands in the quotes, but not where they speak of this"
        if any(_matches(number, _held(passage)) for passage in passages)
        else f"the number {number.written} stands in none of the quotes"
        for number in missing
    )
    stated = Counter((number.value, number.percent) for number in wanted if number.written[-1:] in _FIGURES)
    notes |= {
        f"the number {_figure(reading)} is said {count} times, by the quotes {held[reading]}": None
        for reading, count in stated.items()
        if 0 < held[reading] < count
    }
    return list(notes)


def _in_name_of(number: Number, claim: str, passages: Sequence[str]) -> bool:
    """Whether a number of the claim ends a name that passages write as one.

    "BRCA 1" of "BRCA1", "interleukin-6" of "IL-6", "fibroblast growth factor 21" of "FGF21".
    """
    if not number.written.isdigit():
        return False
    before = _NAMED.search(claim, max(0, number.start - _LOOK_BACK_NAME), number.start)
    if before is None:
        return False
    words = re.split(r"[\s-]+", before[0].strip(" -").lower())
    initials = "".join(word[0] for word in words)
    # Behind a space it may count something: "week 12".
    named = re.compile(rf"(?<![^\W_])([^\W\d_]+)-?{number.written}(?!\d)")
    return any(
        name == words[-1] or (len(name) > 1 and (initials.endswith(name) or abbreviates(name, words[-1])))
        for passage in passages
        for name in named.findall(passage.lower())
    )


@functools.lru_cache(4_096)
def _held(passage: str) -> Counter[Reading]:
    """Count the values that a sentence holds, read as generously as it can be."""
    values = [(number.value, number.percent) for number in _stated(passage, strict=False)]
    values += [
        (float(match[0].replace(" ", "")), _is_percent(passage, match.end()))
        for match in _SPACED.finditer(passage)
    ]
    values += [(IMPLIED[match[0].lower().removesuffix("s")], False) for match in _IMPLIED.finditer(passage)]
    # "ratio 0.14" and "14%"; "half" and "50%".
    values += [(_rounded(value * 100), True) for value, percent in values if not percent and 0 < value <= 1]
    return Counter(values)


def _stated(text: str, *, strict: bool) -> Iterator[Number]:
    found = list(_in_digits(text))
    yield from _with_percent(text, found)
    for match in _WORDS.finditer(text):
        words = re.split(r"[\s-]+", match[0].lower())
        # "one" is mostly a pronoun, a scale alone ("thousands", "a million") mostly a figure of speech.
        if strict and words in (["one"], *([scale] for scale in SCALES)):
            continue
        yield Number(match[0], _spelled(words), _is_percent(text, match.end()), *match.span())
    for match in _FACTOR.finditer(text):
        yield Number(match[0], MULTIPLES[match[0].lower()], False, *match.span())


def _in_digits(text: str) -> Iterator[Number]:
    for match in _NUMBER.finditer(text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        if _IN_NAME.search(before):
            continue
        percent = _PERCENT.match(text, match.end())
        end = percent.end() if percent else match.end()
        yield Number(
            text[match.start() : end].strip(),
            _value(match),
            percent is not None,
            match.start(),
            end,
            _APPROXIMATE.search(before) is not None,
        )


def _with_percent(text: str, numbers: Sequence[Number]) -> list[Number]:
    """Give each number the percent sign that ends its list or range."""
    found: list[Number] = []
    for number in reversed(numbers):
        if found and found[-1].percent and not number.percent:
            between = text[number.end : found[-1].start]
            if _LIST.fullmatch(between):
                number = Number(
                    number.written, number.value, True, number.start, number.end, number.approximate
                )
        found.append(number)
    return found[::-1]


def _is_percent(text: str, end: int) -> bool:
    return _PERCENT.match(text, end) is not None


def _value(match: re.Match[str]) -> float:
    value = float(match["value"].replace(",", "") + (match["e"] or ""))
    if match["power"]:
        value *= 10.0 ** _bounded(match["power"])
    if match["exponent"] and value == 10:
        value = 10.0 ** _bounded(match["exponent"])
    if match["suffix"]:
        value *= _SUFFIXES[match["suffix"]]
    if match["scale"]:
        value *= SCALES[match["scale"]]
    return _rounded(-value if match["sign"] == "-" else value)


def _figure(reading: Reading) -> str:
    value, percent = reading
    return f"{value:.{_DIGITS_KEPT}g}{'%' if percent else ''}"


def _bounded(power: str) -> int:
    return max(-300, min(300, int(power[:5])))


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS_KEPT}g}")


def _spelled(words: Iterable[str]) -> float:
    """Value of number words: "two hundred and five thousand"."""
    total = part = 0.0
    for word in words:
        if word in SCALES:
            scale = SCALES[word]
            if scale == SCALES["hundred"]:
                part = (part or 1) * scale
            else:
                total, part = total + (part or 1) * scale, 0.0
        else:
            part += UNITS.get(word, TENS.get(word, 0))
    return total + part


def _matches(number: Number, held: Mapping[Reading, int]) -> bool:
    value, percent = number.value, number.percent
    if (value, percent) in held:
        return True
    if not percent and 0 < value <= 1 and (_rounded(value * 100), True) in held:
        return True
    # "fell by 5%" of a change of -5%.
    if value > 0 and (-value, percent) in held:
        return True
    if _rounds(number, held):
        return True
    if not number.approximate:
        return False
    # "about 5,200" of 5,183: within half of the last digit that is not a padding zero.
    digits = re.sub(r"[^\d.]", "", number.written).rstrip(".")
    tolerance = 0.5 * (
        10.0 ** -len(digits.partition(".")[2])
        if "." in digits
        else 10.0 ** (len(digits) - len(digits.rstrip("0")))
    )
    return any(percent == other_percent and abs(value - other) <= tolerance for other, other_percent in held)


def _rounds(number: Number, held: Mapping[Reading, int]) -> bool:
    """Whether one of the numbers held, written to fewer decimals, is this: "76%" of "76.3%"."""
    figure = re.match(r"0*((?:\d|\.(?=\d))*)", number.written)
    digits = figure[1] if figure else ""
    # Of one digit, that would be anything from half to half as much again.
    if len(digits.replace(".", "").lstrip("0")) < 2 or "," in number.written:
        return False
    decimals = len(digits.partition(".")[2])
    return any(
        percent == number.percent and value != number.value == round(value, decimals)
        for value, percent in held
    )
