"""Names and acronyms: those of a claim have to stand in its passages, or be what they spell out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.verify.reading import Reading, Token

_ACRONYM = re.compile(r"(?:[^\W\d_]*[A-Z]){2}[^\W_]*|[^\W\d_]+\d[^\W_]*")
"""Two capitals ("RL", "mRNA", "AlphaStar"), or letters before a digit ("p53")."""
_HEADLINE = 0.6
"""Share of capitalised words beyond which a text is set as a headline, and its capitals name nothing."""
_NUMBERED = re.compile(r"([^\W\d_]+)-?(\d+)")
_SHORTEST_ABBREVIATION = 2
_END = Token("", "", "", 0, opens=True, glued=False)
_LONGEST_ACRONYM = 8
_PREFIX = 4
"""Letters that tie a country to its people: Germany, German."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name at a position of the claim, as written, and the word after it."""

    position: int
    token: Token
    written: str
    following: str = ""


def check_names(claim: Reading, passages: Sequence[Reading]) -> list[str]:
    """Say which names and acronyms of a claim none of the passages holds or spells out."""
    missing = [
        name for name in _names(claim.tokens) if not any(_holds(passage, name) for passage in passages)
    ]
    if not missing:
        return []
    abbreviated = _abbreviated(claim, passages)
    names = [
        name.written
        for name in missing
        # What "IL" stands for does not make an IL-6 of an IL-8.
        if name.position not in abbreviated or name.written != name.token.text
    ]
    return [f"the name {name} stands in none of the quotes" for name in dict.fromkeys(names)]


def covered(claim: Reading, passages: Sequence[Reading], known: Sequence[Reading]) -> set[int]:
    """Positions of the claim's words that passages hold in another form.

    Compounds that they write with a hyphen or without, an acronym whose words are spelled out by the texts
    `known`, and words that an acronym of theirs abbreviates.
    """
    found = _abbreviated(claim, known)
    for position, token in enumerate(claim.tokens):
        following = claim.tokens[position + 1].word if position + 1 < len(claim.tokens) else ""
        if any(token.word in passage.keys for passage in passages):
            found.add(position)  # "pretraining" of "pre-training"
        elif following and any(token.word + following in passage.words for passage in passages):
            found.update((position, position + 1))
    return found


def _abbreviated(claim: Reading, passages: Sequence[Reading]) -> set[int]:
    """Positions of the claim's acronyms that are spelled out, and of words that an acronym stands for."""
    found: set[int] = set()
    initials = "".join(token.word[0] for token in claim.tokens)
    for acronym in {
        _bare(token.text) for passage in passages for token in passage.tokens if _is_acronym(token.text)
    }:
        at = initials.find(acronym)
        while at >= 0:
            found.update(range(at, at + len(acronym)))
            at = initials.find(acronym, at + 1)
    for position, token in enumerate(claim.tokens):
        # The claim itself may spell it out: "patent ductus arteriosus (PDA)".
        if _is_acronym(token.text) and (
            any(_bare(token.text) in each.initials for each in (claim, *passages))
            or _is_introduced(claim.tokens, position)
        ):
            found.add(position)
    return found


def _is_introduced(tokens: Sequence[Token], position: int) -> bool:
    """Whether an acronym stands in brackets behind what it abbreviates: "vitamin B6 (VB6)".

    Its letters are those of the words before it, in order, the first one beginning a word (Schwartz and
    Hearst, "A simple algorithm for identifying abbreviation definitions", 2003).
    """
    if not position or tokens[position].clause == tokens[position - 1].clause:
        return False
    letters = _bare(tokens[position].text)
    words = [token.word for token in tokens[max(0, position - len(letters) - 1) : position]]
    for first, word in enumerate(words):
        rest = iter("".join(words[first:]))
        if word[0] == letters[0] and all(letter in rest for letter in letters):
            return True
    return False


def _is_acronym(text: str) -> bool:
    return 2 <= len(_bare(text)) <= _LONGEST_ACRONYM and text[:2].isupper()


def _bare(text: str) -> str:
    """The letters of an acronym in lower case, without the s of a plural."""
    return (text[:-1] if text.endswith("s") and text[:-1].isupper() else text).lower()


def _holds(passage: Reading, name: Name) -> bool:
    key = _bare(name.written.replace("-", ""))
    if key in passage.keys or key.removesuffix("s") in passage.keys:
        return True
    if name.written == name.token.text and name.token.term in passage.terms:
        return True
    if _holds_numbered(passage, name.written):
        return True
    if _ACRONYM.fullmatch(name.token.text):
        # "BRCA" of "BRCA1"; the other way round the claim would say more.
        return key.isalpha() and any(
            word.startswith(key) and word[len(key) :].isdigit() for word in passage.keys
        )
    if name.following and name.token.word[0] + name.following in passage.keys:
        return True  # "Helicobacter pylori" of "H. pylori"
    prefix = name.token.word[: max(_PREFIX, len(name.token.word) - 3)]
    return len(name.token.word) >= _PREFIX and any(word.startswith(prefix) for word in passage.keys)


def _holds_numbered(passage: Reading, written: str) -> bool:
    """Whether a passage holds a numbered name, shortened or in full: "interleukin-6" of "IL-6", or back."""
    match = _NUMBERED.fullmatch(written)
    if match is None:
        return False
    name, number = match[1].lower(), match[2]
    for first, second in pairwise((*passage.tokens, _END)):
        if second.word == number:
            other = first.word
        elif first.word.endswith(number):
            other = first.word.removesuffix(number)
        else:
            continue
        shorter, longer = sorted((name, other), key=len)
        if len(shorter) >= _SHORTEST_ABBREVIATION and abbreviates(shorter, longer):
            return True
    return False


def abbreviates(short: str, word: str) -> bool:
    """Whether the letters of the one stand in the other in that order, and both begin alike."""
    letters = iter(word)
    return short[0] == word[0] and all(letter in letters for letter in short)


def _names(tokens: Sequence[Token]) -> Iterator[Name]:
    capitals = sum(token.text[:1].isupper() for token in tokens)
    headline = capitals > _HEADLINE * len(tokens)
    for position, token in enumerate(tokens):
        following = tokens[position + 1] if position + 1 < len(tokens) else None
        if following and following.glued and following.word.isdigit() and token.term:
            yield Name(position, token, f"{token.text}-{following.text}")
        elif not headline and (_ACRONYM.fullmatch(token.text) or _is_name(token, following)):
            yield Name(position, token, token.text, following.word if following else "")


def _is_name(token: Token, following: Token | None) -> bool:
    """Whether a capital names something: inside a sentence, or before another one at its beginning."""
    if not token.opens:
        return _is_capitalised(token)
    return following is not None and _is_capitalised(token) and _is_capitalised(following)


def _is_capitalised(token: Token) -> bool:
    return (
        token.text.istitle()
        and len(token.text) > 1
        and bool(token.term)
        and not _ACRONYM.fullmatch(token.text)
    )
