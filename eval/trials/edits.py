"""Edits of a sentence: those that make it say something else, and those that leave its meaning alone.

Each takes a sentence and a source of chance and returns the edited sentence, or None where the sentence
offers nothing to edit. A verifier should catch the first kind and let the second pass.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

Edit = Callable[[str, Random], str | None]

_NUMBER = re.compile(r"(?<![\w.,\-–^{])\d+(?:\.\d+)?(?![\w,]|\.\d)")
_AUXILIARY = re.compile(
    r"\b(is|are|was|were|has|have|had|can|could|will|should|would|may|might|do|does|did)\b"
    r"(?! (?:not|no|never)\b)"
)
_NEGATION = re.compile(r"(?<!or )(?<!if )\b(?:not(?! only\b)|never|without|no|cannot|neither)\b(?! longer\b)")
_UNNEGATED = {"without": "with", "no": "a", "cannot": "can", "neither": "both"}
_OPPOSITES = (
    ("increase", "decrease"), ("increases", "decreases"), ("increased", "decreased"),
    ("increasing", "decreasing"), ("higher", "lower"), ("high", "low"), ("highest", "lowest"),
    ("more", "less"), ("greater", "smaller"), ("larger", "smaller"), ("large", "small"),
    ("better", "worse"), ("best", "worst"), ("improve", "worsen"), ("improves", "worsens"),
    ("improved", "worsened"), ("outperforms", "underperforms"), ("outperform", "underperform"),
    ("before", "after"), ("faster", "slower"), ("longer", "shorter"), ("long", "short"),
    ("stronger", "weaker"), ("strong", "weak"), ("positive", "negative"), ("positively", "negatively"),
    ("early", "late"), ("earlier", "later"), ("activates", "inhibits"), ("activation", "inhibition"),
    ("promotes", "prevents"), ("above", "below"), ("reduces", "raises"), ("reduced", "elevated"),
    ("reduce", "increase"), ("gain", "loss"), ("maximum", "minimum"), ("upregulated", "downregulated"),
    ("superior", "inferior"), ("rich", "poor"), ("common", "rare"), ("susceptible", "resistant"),
    ("similar", "different"), ("success", "failure"), ("simple", "complex"),
)  # fmt: skip
_OPPOSITE = {word: other for pair in _OPPOSITES for word, other in (pair, pair[::-1])}
_DIRECTION = re.compile(r"\b(?:" + "|".join(sorted(_OPPOSITE, key=len, reverse=True)) + r")\b")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][A-Z0-9]{1,6}\b(?!-)")
_OTHER_NAMES = ("BLEU", "CD99", "ZKP2", "QTL9", "XGB", "VEGFX", "KLQ", "WMD3", "UNHCR", "JAKQ")
"""Acronyms that no abstract measured here is likely to hold."""
_HEDGE = re.compile(
    r"\b(?:may|might)\b(?! not)|\bsuggest(?:s|ed)? that\b|\b(?:possibly|probably|potentially) "
)

_HEDGING = re.compile(
    r"\b(?:may|might|could|suggest\w*|possib\w*|probab\w*|potential\w*|likely|appears?|seems?|hypothes\w*)\b"
)

_PERCENT = re.compile(r"(?<=\d)%(?!\w)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_CONTRACTED = re.compile(r"\b(is|are|was|were|has|have|had|does|do|did|could|would|should) not\b")
_OPENER = re.compile(
    r"^(?:However|Moreover|Furthermore|Thus|Therefore|In addition|Finally|Overall), (?=[a-z])"
)
_FOUND = re.compile(r"^(?:Here,? )?[Ww]e (?:show|found|find|demonstrate|report) that ")
_ASIDE = re.compile(r" \((?![^)]*\d)[^()]*\)(?!\w)")
_FRONTED = re.compile(r"^(In|For|During|Among|Using) ([^,;()]{4,60}), ([a-z][^.;]*)\.$")
_SAME_MEANING: Mapping[str, str] = {
    "show": "demonstrate", "shows": "demonstrates", "showed": "demonstrated", "shown": "demonstrated",
    "use": "employ", "uses": "employs", "used": "employed", "using": "by means of", "approach": "method",
    "important": "essential", "about": "roughly", "results": "outcomes",
    "findings": "results", "many": "numerous", "because": "since", "such as": "like",
    "known": "understood", "reveal": "show", "revealed": "showed", "help": "aid", "both": "the two",
}  # fmt: skip
_SYNONYM = re.compile(r"\b(?:" + "|".join(_SAME_MEANING) + r")\b")


def number_changed(sentence: str, chance: Random) -> str | None:
    """Change one digit of one number: "38%" becomes "68%"."""
    found = list(_NUMBER.finditer(sentence))
    if not found:
        return None
    match = chance.choice(found)
    digits = [at for at in range(*match.span()) if sentence[at].isdigit()]
    at = digits[0] if len(digits) == 1 else chance.choice(digits[:2])
    other = chance.choice([digit for digit in "123456789" if digit != sentence[at]])
    return sentence[:at] + other + sentence[at + 1 :]


def not_added(sentence: str, chance: Random) -> str | None:
    """Put "not" behind an auxiliary verb."""
    found = list(_AUXILIARY.finditer(sentence))
    if not found:
        return None
    at = chance.choice(found).end()
    return f"{sentence[:at]} not{sentence[at:]}"


def not_dropped(sentence: str, chance: Random) -> str | None:
    """Take one negation away."""
    return _replaced(_NEGATION, sentence, chance, lambda word: _UNNEGATED.get(word, ""))


def direction_swapped(sentence: str, chance: Random) -> str | None:
    """Put one direction word's opposite in its place."""
    return _replaced(_DIRECTION, sentence, chance, lambda word: _OPPOSITE[word])


def name_swapped(sentence: str, chance: Random) -> str | None:
    """Put another acronym in the place of one."""
    return _replaced(_NAME, sentence, chance, lambda _: chance.choice(_OTHER_NAMES))


def hedge_dropped(sentence: str, chance: Random) -> str | None:
    """State flatly what is hedged once: with two hedges, one is left."""
    if len(_HEDGING.findall(sentence)) > 1:
        return None
    flat = {"may": "does", "might": "does"}
    return _replaced(
        _HEDGE,
        sentence,
        chance,
        lambda words: "prove that" if words.endswith("that") else flat.get(words, ""),
    )


def typography(sentence: str, chance: Random) -> str | None:
    """Write percent signs, thousands and apostrophes otherwise."""
    del chance
    edited = _THOUSANDS.sub("", _PERCENT.sub(" percent", sentence)).replace("'", "’")
    return edited if edited != sentence else None


def contracted(sentence: str, chance: Random) -> str | None:
    """Contract "is not"."""
    return _replaced(_CONTRACTED, sentence, chance, lambda words: words.replace(" not", "n’t"))


def opener_dropped(sentence: str, chance: Random) -> str | None:
    """Drop the "However," or the "We found that" before a sentence."""
    del chance
    edited = _FOUND.sub("", _OPENER.sub("", sentence))
    return edited[0].upper() + edited[1:] if edited != sentence else None


def aside_dropped(sentence: str, chance: Random) -> str | None:
    """Drop what stands in brackets."""
    return _replaced(_ASIDE, sentence, chance, lambda _: "")


def unfronted(sentence: str, chance: Random) -> str | None:
    """Move a circumstance from the front to the end: "In mice, X did Y." becomes "X did Y in mice."."""
    del chance
    match = _FRONTED.match(sentence)
    if not match:
        return None
    return f"{match[3][0].upper()}{match[3][1:]} {match[1].lower()} {match[2]}."


def synonyms(sentence: str, chance: Random) -> str | None:
    """Put words of the same meaning in the place of common ones."""
    del chance
    edited = _SYNONYM.sub(lambda match: _SAME_MEANING[match[0]], sentence)
    return edited if edited != sentence else None


def _replaced(
    pattern: re.Pattern[str], sentence: str, chance: Random, other: Callable[[str], str]
) -> str | None:
    found = list(pattern.finditer(sentence))
    if not found:
        return None
    match = chance.choice(found)
    return " ".join((sentence[: match.start()] + other(match[0]) + sentence[match.end() :]).split())


CHANGES: Mapping[str, Edit] = {
    "number changed": number_changed,
    "not added": not_added,
    "not dropped": not_dropped,
    "direction swapped": direction_swapped,
    "name swapped": name_swapped,
    "hedge dropped": hedge_dropped,
}
"""Edits after which a sentence says something else."""

REWORDINGS: Mapping[str, Edit] = {
    "typography": typography,
    "contracted": contracted,
    "opener dropped": opener_dropped,
    "aside dropped": aside_dropped,
    "circumstance moved": unfronted,
    "synonyms": synonyms,
}
"""Edits after which a sentence says the same."""
