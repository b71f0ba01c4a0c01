"""Whether a statement says what a phrasing says, by their terms, without a model.

Both are read as terms: words stemmed as the index stems them, function words left out, numbers whole. Each
term is affirmed or negated. A negator ("not", "no", "without", "n't", "lacks") negates the words behind it
up to the next clause, as in NegEx (Chapman et al., "A Simple Algorithm for Identifying Negated Findings and
Diseases in Discharge Summaries", J. Biomed. Inform. 2001); two negators over one word cancel out.

- A statement supports a phrasing whose terms it all holds, in any order: "On Atari, PPO learned faster" says
  what "PPO learned faster on Atari" says. Where order carries the meaning ("A outperforms B", "from A to B"),
  it must be the same.
- It supports it in part if it holds `PARTIAL_SHARE` of them, or all in another order where order counts.
- It says the opposite, and supports nothing, if one is negated and the other is not.
- A question states nothing, so that an echo of what was asked does not count.

Synonyms are beyond it: a phrasing has to be given for each.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from eval.metrics.numerals import stated_numbers
from eval.questions.question import folded
from index.stores.lexical import analyze
from rag.words import FUNCTION_WORDS

PARTIAL_SHARE = 0.6
"""Share of a phrasing's terms for partial support: more than half, so that of three terms two do, and of
two only both."""
NEGATION_REACH = 6
"""Words that a negator reaches, unless the clause ends before. NegEx reaches five of a clinical note's; a
sentence of a paper has an adverb more ("does not significantly improve the sample efficiency")."""
LOOSE_TERMS = 1
"""Terms that may stand between two neighbours of a *forbidden* phrasing: an adjective, but not all that
"increases the return and lowers the variance" has between "increases" and "variance"."""

SUPPORT, PARTIAL, NONE = 1.0, 0.5, 0.0

_NEGATORS = frozenset("not no never without neither nor none nobody nothing lack lacks lacking".split())
_CLAUSE = r"""[.;:()!?…–—]
    |,\s*(?=(?:and|but|so|yet|it|its|we|they|this|these|which|who|while|where)\b)
    |\b(?:but|although|though|however|while|whereas|which|yet|because|since|unless|except)\b"""
_REWRITTEN = (
    (re.compile(r"\bcan['’]t\b|\bcannot\b", re.I), "can not"),
    (re.compile(r"\bwon['’]t\b", re.I), "will not"),
    (re.compile(r"n['’]t\b", re.I), " not"),
    # Adds to what was said, and denies nothing.
    (re.compile(r"\bnot (only|just|merely|simply)\b", re.I), r"\1"),
    (re.compile(r"\b(?:(?:fail(?:s|ed|ing)?|unable) to|instead of|rather than)\b", re.I), "not"),
    # "On-policy" and "in-context" are not the words without: made one word, they keep what they say.
    (re.compile(r"\b(on|in)[-‐‑](?=[a-z])", re.I), r"\1"),
)
_TOKEN = re.compile(rf"(?P<clause>{_CLAUSE})|[^\W_]+", re.VERBOSE | re.IGNORECASE)
_EMPTY = FUNCTION_WORDS - frozenset(
    "above after against all before below down few more most off only same under up".split()
)
"""Function words but for those that say how much, which way or when: "more stable" is not "stable"."""
_ORDERED_WORDS = frozenset("after before from into than".split())
_ORDERED_TERMS = frozenset(
    analyze("outperforms exceeds surpasses beats dominates replaces precedes causes implies")
)
"""Words whose two sides may not be swapped."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as terms in order, each affirmed or negated. `ordered` if their order carries the meaning."""

    terms: tuple[str, ...]
    negated: tuple[bool, ...]
    ordered: bool
    words: str
    is_question: bool


@functools.lru_cache(10_000)
def read(text: str) -> Reading:
    """Read a phrasing or a statement."""
    plain = text
    for pattern, replacement in _REWRITTEN:
        plain = pattern.sub(replacement, plain)
    terms: list[str] = []
    negated: list[bool] = []
    ordered = False
    reaches: list[int] = []  # words that each negator in force still reaches
    for word, is_number in _words(plain):
        if not word:
            reaches = []
        elif word in _NEGATORS:
            # "Neither A nor B" and "not A nor B" negate each side once.
            reaches = [*([] if word == "nor" else reaches), NEGATION_REACH]
        else:
            ordered |= word in _ORDERED_WORDS
            if is_number or word not in _EMPTY:
                found = [word] if is_number else analyze(word)
                terms += found
                negated += [len(reaches) % 2 == 1] * len(found)
            reaches = [left - 1 for left in reaches if left > 1]
    return Reading(
        terms=tuple(terms),
        negated=tuple(negated),
        ordered=ordered or not _ORDERED_TERMS.isdisjoint(terms),
        words=" ".join(re.findall(r"\w+", folded(text))),
        is_question=text.rstrip(" \t\n\"'”’*_").endswith("?"),
    )


def support(phrasing: Reading, statement: Reading) -> float:
    """Return whether the statement says it: `SUPPORT`, `PARTIAL` or `NONE`."""
    if statement.is_question:
        return NONE
    if not phrasing.terms:
        return SUPPORT if _opens(phrasing, statement) else NONE
    wanted = set(phrasing.terms)
    held = wanted.intersection(statement.terms)
    if len(held) < PARTIAL_SHARE * len(wanted) or not _negated_alike(phrasing, statement, held):
        return NONE
    if held < wanted or (phrasing.ordered and not _in_order(phrasing.terms, statement.terms)):
        return PARTIAL
    return SUPPORT


def stands_in(phrasing: Reading, statement: Reading) -> bool:
    """Return whether the statement holds the phrasing nearly word for word: in order and close together."""
    if not phrasing.terms:
        return _opens(phrasing, statement)
    return any(
        _negated_alike(phrasing, _part(statement, places), set(phrasing.terms))
        for places in _runs(phrasing.terms, statement.terms)
    )


def _words(text: str) -> Iterator[tuple[str, bool]]:
    """Yield words, empty where a clause ends, and numbers, flagged, as they are compared."""
    position = 0
    for stated in stated_numbers(text, one=True):
        yield from _words_between(text, position, stated.start)
        yield str(stated.number), True
        position = stated.end
    yield from _words_between(text, position, len(text))


def _words_between(text: str, start: int, end: int) -> Iterator[tuple[str, bool]]:
    for match in _TOKEN.finditer(text, start, end):
        yield ("" if match["clause"] else match.group().lower()), False


def _opens(phrasing: Reading, statement: Reading) -> bool:
    """A phrasing of function words alone ("Yes", "No") counts where a statement opens with it."""
    return bool(phrasing.words) and f"{statement.words} ".startswith(f"{phrasing.words} ")


def _negated_alike(phrasing: Reading, statement: Reading, held: set[str]) -> bool:
    """Compare over the terms that both hold; of a term that a statement repeats, the fitting one counts."""
    if any(negated for term, negated in zip(phrasing.terms, phrasing.negated, strict=True) if term in held):
        # Which of its terms does not matter: "needs no labels" is "labels are not needed".
        return any(
            negated for term, negated in zip(statement.terms, statement.negated, strict=True) if term in held
        )
    affirmed = {term for term, negated in zip(statement.terms, statement.negated, strict=True) if not negated}
    return held <= affirmed


def _in_order(wanted: Sequence[str], terms: Sequence[str]) -> bool:
    rest = iter(terms)
    return all(term in rest for term in wanted)


def _runs(wanted: Sequence[str], terms: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """Yield the places where the wanted terms follow each other, at most `LOOSE_TERMS` in between."""
    for start, term in enumerate(terms):
        places = [start]
        if term != wanted[0]:
            continue
        for following in wanted[1:]:
            window = range(places[-1] + 1, min(places[-1] + 2 + LOOSE_TERMS, len(terms)))
            place = next((n for n in window if terms[n] == following), None)
            if place is None:
                break
            places.append(place)
        else:
            yield tuple(places)


def _part(statement: Reading, places: Sequence[int]) -> Reading:
    return Reading(
        terms=tuple(statement.terms[n] for n in places),
        negated=tuple(statement.negated[n] for n in places),
        ordered=statement.ordered,
        words=statement.words,
        is_question=statement.is_question,
    )
