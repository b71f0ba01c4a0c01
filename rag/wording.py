"""What the index knows of a question's words: their right spelling, and what else they are written as."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from index.stores.lexical import analyze
from index.stores.spelling import fold_spelling, name_greek
from index.stores.vocabulary import Meaning, Vocabulary
from index.text.hyphens import english_words, is_word
from rag.abbreviations import common_meanings, commonly_abbreviated
from rag.words import FUNCTION_WORDS, QUESTION_WORDS

SHORTEST, LONG = 4, 8
"""Letters from which a word is taken to be misspelt, by one error; from `LONG` on, by up to two."""
ENDING = 3
"""Letters in which two forms of a word with one stem may not differ, or they mean different things."""
SHORTEST_NAME, SHORTEST_MIXED = 6, 8
"""Letters from which a word with a capital, and with one inside, is by one error: shorter names differ
by one anyway."""
LEADING = 0.5
"""Share of the records explaining an abbreviation that must agree on its meaning; else none is assumed."""
EXPLAINED = 0.02
"""Share of the passages with a term that must explain it, or it is a word that was once an abbreviation."""
EXPLAINED_SMALL = 3
"""Records that must explain an abbreviation that is a small word but for its capitals, as "HER" is."""
LONGEST_SHORT = 10
"""Letters of the longest abbreviation looked up, as long as those that are found in texts."""
SHORTEST_JOINED = 6
"""Letters of a word that may be a compound written as one: "offpolicy"."""
LONGEST_PHRASE = 6
"""Terms of a phrase that stands for its abbreviation: "reinforcement learning from human feedback"."""
CACHED = 8_192
"""Words of questions kept with what was found of each: some 3 MB."""

_TOKEN = re.compile(r"(?<![\w\\])[^\W\d_]+(?!\w)")
_COMPOUND = re.compile(r"[^\W_]+(?:[-\u2010\u2011][^\W_]+)*")
_COMMAND = re.compile(r"\\(?:var(?=[a-z]))?([a-zA-Z]+)\s?")
_DELIMITERS = re.compile(r"\\[()\[\]]|[${}]")


@dataclass(frozen=True, slots=True)
class Equivalent:
    """Two ways to write one thing: a term, and terms that stand together for the same.

    An abbreviation with its long form, or a compound written as one word with its parts. `spelt` is
    the longer way as texts write it; `asked` is true where the question holds the shorter one.
    """

    short: str
    long: tuple[str, ...]
    spelt: str
    asked: bool

    @property
    def added(self) -> tuple[str, ...]:
        """The terms that the question does not hold itself."""
        return self.long if self.asked else (self.short,)


class Wording:
    """Asks one snapshot's vocabulary about a question. Thread-safe."""

    def __init__(self, vocabulary: Vocabulary, frequency: Callable[[str], int]) -> None:
        self._vocabulary, self._frequency = vocabulary, frequency
        self._corrected: Callable[[str], str] = functools.lru_cache(CACHED)(self._correct_word)
        self._longer: Callable[[str, str | None], Equivalent | None] = functools.lru_cache(CACHED)(
            self._find_longer
        )

    def correct(self, text: str) -> str:
        """Return text with its misspelt words put right.

        A word is left alone if the index or English knows it, if it looks like an abbreviation, or if
        the index has nothing near it: a question about something else is to stay about that.
        """
        return _TOKEN.sub(lambda match: self._corrected(match[0]), text)

    def _correct_word(self, word: str) -> str:
        lowered = word.lower()
        if len(word) < SHORTEST or lowered in FUNCTION_WORDS or lowered in QUESTION_WORDS:
            return word
        if word[1:] != lowered[1:] and word.isupper():
            return word
        if all(map(self._frequency, analyze(lowered))):
            return self._whole_form(word, lowered)
        if compound := self._vocabulary.hyphenated(lowered):
            return _cased(compound, word)
        near = None if is_word(lowered) else self._near(word, lowered)
        return _cased(near, word) if near else word

    def _whole_form(self, word: str, lowered: str) -> str:
        """Mend an unknown form of a known word: "reinforcment" has the stem of "reinforcement".

        The lexical index finds it anyway, the encoder does not. With another ending, or with letters
        doubled, it is a form or a spelling of its own.
        """
        if len(word) < LONG or lowered in english_words() or self._vocabulary.holds(lowered):
            return word
        near = self._vocabulary.nearest(lowered, 1)
        if near is None or near[-ENDING:] != lowered[-ENDING:] or analyze(near) != analyze(lowered):
            return word
        return word if _undoubled(near) == _undoubled(lowered) else _cased(near, word)

    def _near(self, word: str, lowered: str) -> str | None:
        shortest = SHORTEST if word == lowered else SHORTEST_NAME if word.istitle() else SHORTEST_MIXED
        if len(word) < shortest:
            return None
        errors = 2 if word == lowered and len(word) >= LONG else 1
        if near := self._vocabulary.nearest(lowered, errors):
            return near
        # A plural of which the texts hold the singular alone.
        singular = self._vocabulary.nearest(lowered[:-1], errors) if lowered[-1] == "s" else None
        return f"{singular}s" if singular else None

    def equivalents(self, text: str, terms: Sequence[str], topic: str | None) -> tuple[Equivalent, ...]:
        """Return what a question with these content terms may be written as otherwise, inside a topic."""
        found: dict[str, Equivalent] = {}
        words = _COMPOUND.findall(text)
        for word in words:
            longer = self._longer(word, topic)
            if longer and longer.short in terms:
                found[longer.short] = longer
        sequence = analyze(text)
        for short, long in (*self._vocabulary.abbreviated(sequence), *commonly_abbreviated(sequence)):
            if len(long.split()) > LONGEST_PHRASE:
                continue
            meaning = self.meaning(short, topic)
            if meaning and short not in found and " ".join(meaning.long) == long:
                found[short] = Equivalent(short, meaning.long, meaning.spelt, asked=False)
        for joined, parts in _joined(words):
            term = analyze(joined)
            if len(term) == 1 and term[0] not in found and self._frequency(term[0]):
                found[term[0]] = Equivalent(term[0], tuple(analyze(parts)), parts, asked=False)
        return tuple(found.values())

    def _find_longer(self, word: str, topic: str | None) -> Equivalent | None:
        """Return what an abbreviation stands for, or a compound written as one word."""
        term = analyze(word)
        if len(term) != 1 or (word.islower() and is_word(word)):
            return None
        if meaning := self.meaning(term[0], topic):
            return Equivalent(term[0], meaning.long, meaning.spelt, asked=True)
        if len(word) >= SHORTEST_JOINED and (parts := self._vocabulary.hyphenated(word.lower())):
            return Equivalent(term[0], tuple(analyze(parts)), parts, asked=True)
        return None

    def meaning(self, short: str, topic: str | None) -> Meaning | None:
        """Return what a term abbreviates, where the texts agree on it well enough."""
        if len(short) > LONGEST_SHORT:
            return None
        meanings = self._vocabulary.meanings(short, topic)
        if not meanings:
            return common_meanings().get(short)
        records = sum(meaning.records for meaning in meanings)
        if meanings[0].records < LEADING * records:
            return None
        # How often "her" stands in the texts says nothing of how often "HER" does.
        least = EXPLAINED_SMALL if short in FUNCTION_WORDS else EXPLAINED * self._frequency(short)
        return meanings[0] if records >= least else None


def spell_out(text: str, equivalents: Iterable[Equivalent]) -> str:
    """Return text for the encoder: abbreviations with their long form before them, symbols by name."""
    spelt = {equivalent.short: equivalent.spelt for equivalent in equivalents if equivalent.asked}

    def longer(match: re.Match[str]) -> str:
        term = analyze(match[0])
        long = spelt.pop(term[0], None) if len(term) == 1 else None
        return f"{long} ({match[0]})" if long else match[0]

    text = _COMPOUND.sub(longer, text) if spelt else text
    if "\\" in text or "$" in text:
        text = _DELIMITERS.sub("", _COMMAND.sub(r"\1 ", text))
    return name_greek(text)


def widened(terms: Set[str], equivalents: Iterable[Equivalent]) -> Set[str]:
    """Return terms with the other way to write what they hold one way of."""
    for equivalent in equivalents:
        if equivalent.short in terms:
            terms = terms | frozenset(equivalent.long)
        elif terms >= frozenset(equivalent.long):
            terms = terms | {equivalent.short}
    return terms


def _undoubled(word: str) -> str:
    """Return a word in one spelling: "modelling" and "modeling" are one, as "-ise" and "-ize" are."""
    return re.sub(r"(.)\1", r"\1", fold_spelling(word))


def _cased(word: str, like: str) -> str:
    return word.capitalize() if like[0].isupper() else word


def _joined(words: Sequence[str]) -> list[tuple[str, str]]:
    """Return neighbouring words written as one, and with a hyphen: ("offpolicy", "off-policy")."""
    found = [
        (re.sub(r"\W", "", word).lower(), word.lower())
        for word in words
        if not word.isalnum() and not word[0].isdigit()  # "5-6" is no 56
    ]
    plain = [(first.lower(), second.lower()) for first, second in pairwise(words)]
    found += [
        (first + second, f"{first}-{second}")
        for first, second in plain
        if first not in FUNCTION_WORDS and second not in FUNCTION_WORDS and (first + second).isalpha()
    ]
    return found
