"""Which sentences of an abstract say what was found, told by form alone.

The sentence most like a question is nearly always the paper's aim, which restates the question. An
answer needs a finding. The features are those by which conclusion sentences can be told from
objective, background and method sentences in structured abstracts; the weights were set by hand, and
`eval.trials.sentence_choice` shows what they do to the choice of sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Unit = Literal["percent", "points", "factor", "magnitude", "time", "count"]
"""What an amount is in: "40%", "4.3 points", "3x", "two orders of magnitude", "5 hours", "20 tasks"."""

_DIGIT = re.compile(r"\d")
_NUMERAL = re.compile(
    r"\b(one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|twenty|thirty|fifty|hundreds?"
    r"|thousands?|millions?|billions?|half|halves|twice|double[sd]?|triple[sd]?|dozens?"
    r"|orders? of magnitude|all|none|most|every)\b"
)
_QUANTITY = re.compile(r"(?<![\w-])\d[\d,.]*(?![\w-]*[A-Za-z])|\d\s*(%|\\%|x\b|×)")
_SPELT = ("fold", "times", "of magnitude")
"""What stands behind an amount in words: "five-fold", "an order of magnitude"."""
_UNITS: tuple[Unit, ...] = ("percent", "points", "factor", "magnitude", "time")
_AMOUNT = re.compile(
    r"(?<![\w.-])(?P<value>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
    r"|(?:two|three|four|five|six|seven|eight|nine|ten|several|an)(?=[- ](?:orders?\b|times\b|fold\b)))"
    r"(?:\s?\\?\)?)(?:"
    r"(?P<points>[ -]?(?:percentage )?points?\b|\s?pp\b)"
    r"|(?P<percent>\s?\\?%|[ -]?percent\b|[ -]per cent\b)"
    r"|(?P<factor>\s?(?:\\times|×|x\b)|[ -]?fold\b|[ -]times\b)"
    r"|(?P<magnitude>[ -]orders? of magnitude\b)"
    r"|(?P<time>[ -]?(?:ms|milliseconds?|s|sec|seconds?|min|minutes?|h|hours?|days?|weeks?|months?|years?)\b)"
    r")?(?![\w-]*[A-Za-z])",
    re.I,
)
_MEASURE = re.compile(r"\d(\.\d+)?\s*(%|\\%|percent|times|x\b|×|\\times|points?|orders? of magnitude|fold)")
# The four below are looked for in lowered text with a space before it: a pattern that opens with `\W` is
# tried only where a word begins, and so takes half the time of one that opens with `\b`.
_RESULT = re.compile(
    r"\W(we|results?|experiments?|evaluations?|analys[ie]s|findings?|evidence|simulations?|ablations?)\b[^.]{0,60}?"
    r"\b(find|found|show|shows|showed|shown|demonstrat\w+|reveal\w*|indicat\w+|confirm\w*|suggest\w*|observ\w+"
    r"|prove\w*|establish\w*|verif\w+)\b",
)
_EFFECT = re.compile(
    r"\W(outperform\w*|surpass\w*|exceed\w*|achiev\w+|attain\w*|reach\w*|improv(es|ed|ing)|reduc(es|ed|ing)"
    r"|increas(es|ed|ing)|decreas(es|ed|ing)|lower(s|ed)|rais(es|ed)|match(es|ed)|yield\w*|gains?|wins?|beats?|solves?"
    r"|converg(es|ed)|surviv(es|ed)|fail(s|ed)|state-of-the-art|significant(ly)?|effective(ly)?|robust(ly)?)\b",
)
_AIM = re.compile(
    r"\W(?:(we|this (paper|work|article|study)|the (paper|work|authors?))\s+(\w+ly\s+)?"
    r"(propose[sd]?|introduce[sd]?|present[s]?|stud(y|ies)|investigate[sd]?|consider[s]?|address(es)?|explore[sd]?"
    r"|examine[sd]?|develop[s]?|aim[s]?|describe[sd]?|ask[s]?|formulate[sd]?)\b"
    r"|(asks?|investigates?|examines?|stud(y|ies)) (how|whether|if|what|why|when)\b)",
)
_BACKGROUND = re.compile(
    r"\W(?:(has|have) (been|become|recently|shown|achieved)\b|(remains?|is|are) (\w+ ){0,2}"
    r"(challeng\w+|difficult|hard|open|critical|important|essential|fundamental|crucial)\b"
    r"|existing (methods?|approaches|work|systems?)\b|however\b|often\b|typically\b)",
)

_CHANGES: frozenset[Unit] = frozenset({"percent", "points", "factor", "magnitude"})
# What the question's words say of the unit; first match decides.
_ASKED: tuple[tuple[re.Pattern[str], frozenset[Unit]], ...] = (
    (
        re.compile(r"\bhow many (times|folds?)\b|\b(speed-?ups?|faster|slower|by what factor)\b", re.I),
        frozenset({"factor", "magnitude", "percent"}),
    ),
    (
        re.compile(
            r"\bhow (long|quickly|soon)\b|\bhow (much|many) (\w+ )?(time|hours|minutes|seconds|days)\b", re.I
        ),
        frozenset({"time"}),
    ),
    (re.compile(r"\bhow many\b", re.I), frozenset({"count"})),
    (
        re.compile(
            r"\b(percent\w*|fraction|share|proportion|rate|accura\w+|scores?|precision|recall|f1"
            r"|how (well|often|good))\b",
            re.I,
        ),
        frozenset({"percent", "points", "count"}),
    ),
)
OTHER_UNIT = 0.6
"""How well an amount fits that is in another unit than the question's: it may be put in other words."""

NUMBER_WEIGHT, MEASURE_WEIGHT = 0.1, 0.2
_WEIGHTS = (
    (_RESULT, 0.35),
    (_EFFECT, 0.25),
    (_AIM, -0.25),
    (_BACKGROUND, -0.2),
)


def finding_score(sentence: str) -> float:
    """Return how much a sentence looks like a finding, in [0, 1]; 0.4 where nothing speaks either way."""
    lowered = f" {sentence.lower()}"  # once, in place of patterns that ignore case: twice as fast
    score = 0.4 + sum(weight for pattern, weight in _WEIGHTS if pattern.search(lowered))
    if _DIGIT.search(lowered):
        score += NUMBER_WEIGHT + (MEASURE_WEIGHT if _MEASURE.search(lowered) else 0.0)
    return min(max(score, 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number that a sentence states of something, and what it is in."""

    value: str
    unit: Unit


def amounts(sentence: str) -> tuple[Amount, ...]:
    """Return the amounts that a sentence states, in order, the plainest reading of each."""
    return tuple(_amounts(sentence)) if has_digit(sentence) or _is_spelt(sentence) else ()


def has_digit(sentence: str) -> bool:
    """Whether a sentence holds a digit, without which few state an amount."""
    return _DIGIT.search(sentence) is not None


def _is_spelt(sentence: str) -> bool:
    return any(unit in sentence for unit in _SPELT)


def _amounts(sentence: str) -> Iterator[Amount]:
    for match in _AMOUNT.finditer(sentence):
        unit: Unit = next((name for name in _UNITS if match[name]), "count")
        yield Amount(match["value"].replace(",", "").lower(), unit)


def units_asked(question: str) -> frozenset[Unit]:
    """Return what an amount that a question asks for may be in; nothing where it may be in anything."""
    return next((units for pattern, units in _ASKED if pattern.search(question)), frozenset())


def fit_of_amounts(sentence: str, units: frozenset[Unit]) -> float:
    """Return how well what a sentence states fits the units asked for: 1, or less for others; 0 for none.

    Where nothing says what is asked for, a change or a share fits better than a count.
    """
    found = {amount.unit for amount in amounts(sentence)}
    if not found:
        return 0.0
    return 1.0 if found & (units or _CHANGES) else OTHER_UNIT


def states_amount(sentence: str) -> bool:
    """Whether a sentence says how much or how many, in digits or in words."""
    return holds_measure(sentence) or _NUMERAL.search(sentence.lower()) is not None


def holds_measure(sentence: str) -> bool:
    """Whether a sentence states a number, other than as part of a name such as "A3C" or "2D"."""
    return _DIGIT.search(sentence) is not None and _QUANTITY.search(sentence) is not None
