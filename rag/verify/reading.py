"""Claims and passages as the checks see them: one spelling, then words with their terms and clauses."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from index.stores.lexical import analyze
from index.text.sentences import sentences
from rag.question import has_content
from rag.verify.lexicon import CLAUSE_WORDS, DISCOURSE_WORDS, NEGATIVE_FORMS, NEGATORS, NOT_NEGATED

_CACHED_PASSAGES = 4_096
"""Passages kept read, since the same few quotes are judged many times: some 40 MB of them at most."""

_GREEK = {
    ord(char): f" {unicodedata.name(char).split()[-1].lower()} " for char in "αβγδεζηθκλμνξπρστφχψωΔΓΛΣΩ"
}
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT = re.compile("[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–−﹣－", "-") | {"’": "'", "‘": "'", "ʼ": "'"})
_TEX = re.compile(
    r"\\(?P<percent>%)|(?P<comma>\{,\})|\\(?P<times>times|cdot)\b|\\(?P<sign>pm|approx|sim)\b"
    r"|\^\{?(?P<power>[-+]?\d+)\}?|(?P<space>\\[()\[\],;!: ]|~(?=\d{3})|[{}$])"
)
_MIDDLE_DOT = re.compile(r"(?<=\d)·(?=\d)(?!10\^)")
_CONTRACTION = re.compile(r"\b(ca|wo|sha)n't\b|(?<=[a-z])n't\b|\bcannot\b", re.I)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[,;:()\[\]—.?!]")
_LETTER = re.compile(r"[^\W\d_]")
_SHORTEST_NEGATED = 4
_POSSESSIVE = re.compile(r"'s?$", re.I)


@dataclass(frozen=True, slots=True)
class Token:
    """A word. `text` is as written, `word` in lower case; `term` is its stem, empty for a function word.
    A negating prefix is a word "non" of its own, whose text is empty.

    `clause` counts the clauses before it; `opens` says that a sentence begins with it, `glued` that a
    hyphen joins it to the word before.
    """

    text: str
    word: str
    term: str
    clause: int
    opens: bool
    glued: bool


@dataclass(frozen=True, eq=False)
class Reading:
    """A text, in one spelling, and its words in order."""

    text: str
    tokens: tuple[Token, ...]

    @cached_property
    def terms(self) -> frozenset[str]:
        """The stems of its content words."""
        return frozenset(token.term for token in self.tokens if token.term)

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(token.word for token in self.tokens)

    @cached_property
    def initials(self) -> str:
        """First letters of its words, then of the content words alone: "area under the curve" is AUC."""
        words = [token.word for token in self.tokens]
        return "".join(w[0] for w in words) + " " + "".join(w[0] for w in words if has_content(w))

    @cached_property
    def keys(self) -> frozenset[str]:
        """Its words alone, without a plural's s, and joined with the next: "IL-6" is "il6"."""
        words = [token.word for token in self.tokens]
        pairs = [first + second for first, second in pairwise(words)]
        return frozenset([*words, *(word.removesuffix("s") for word in words), *pairs])


def plain(text: str) -> str:
    r"""Write a text one way: minus signs, superscripts, Greek letters, TeX, contractions.

    "\(14\%\)" and "14%", "10⁻³" and "10^{-3}", "doesn’t" and "does not" become the same.
    """
    if not text.isascii():
        text = _SUPERSCRIPT.sub(lambda match: "^" + match[0].translate(_SUPERSCRIPTS), text)
        text = unicodedata.normalize("NFKC", text.translate(_DASHES)).translate(_GREEK)
        text = _MIDDLE_DOT.sub(".", text)
    if "\\" in text or "^" in text or "{" in text or "$" in text:
        text = _TEX.sub(_without_tex, text)
    if "'" in text or "cannot" in text.lower():
        text = _CONTRACTION.sub(_spelled_out, text)
    return text


def read(text: str) -> Reading:
    """Read a text as one."""
    return join(read_sentences(text))


@functools.lru_cache(_CACHED_PASSAGES)
def read_sentences(text: str) -> tuple[Reading, ...]:
    """Read each sentence of a text."""
    return tuple(_read(plain(text[start:end])) for start, end in sentences(text))


def join(readings: Iterable[Reading]) -> Reading:
    """Read several sentences as one text; no clause reaches from one into the next."""
    found = tuple(readings)
    if len(found) == 1:
        return found[0]
    tokens: list[Token] = []
    for reading in found:
        offset = tokens[-1].clause + 1 if tokens else 0
        tokens += [replace(token, clause=token.clause + offset) for token in reading.tokens]
    return Reading(
        "\n".join(reading.text for reading in found),
        tuple(tokens),
    )


def _read(text: str) -> Reading:
    tokens: list[Token] = []
    clause, opens, end = 0, True, len(text)
    for match in _WORD.finditer(text):
        written = _POSSESSIVE.sub("", match[0])
        if not written[0].isalnum():
            clause += 1
            opens = opens or written in ".?!:"
            continue
        word = written.lower()
        if word in CLAUSE_WORDS:
            clause += 1
        glued = match.start() == end + 1 and text[end] == "-"
        end = match.end()
        positive = NEGATIVE_FORMS.get(word) or _without_non(word)
        if positive:
            tokens.append(Token("", "non", "", clause, opens=False, glued=glued))
            word, glued = positive, True
        tokens.append(Token(written, word, _term(word), clause, opens, glued))
        opens = False
    return Reading(text, tuple(tokens))


@functools.lru_cache(20_000)
def _term(word: str) -> str:
    if not has_content(word) or word in DISCOURSE_WORDS or word in NEGATORS:
        return ""
    # Numbers have a check of their own, which knows their variants.
    if not _LETTER.search(word):
        return ""
    return next(iter(analyze(word)), "")


def _without_non(word: str) -> str | None:
    """What "nonlinear" negates."""
    rest = word.removeprefix("non")
    return rest if rest != word and len(rest) >= _SHORTEST_NEGATED and word not in NOT_NEGATED else None


def _without_tex(match: re.Match[str]) -> str:
    replacements = {"percent": "%", "comma": ",", "times": "×", "sign": " ", "space": " "}
    kind = match.lastgroup or "space"
    return "^" + match["power"] if kind == "power" else replacements[kind]


def _spelled_out(match: re.Match[str]) -> str:
    stem = {"ca": "can", "wo": "will", "sha": "shall"}.get((match[1] or "").lower(), "")
    return f"{stem or ('can' if match[0].lower() == 'cannot' else '')} not"
