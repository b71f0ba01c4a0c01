"""Other ways to ask the same, by the form of a question and by frames around it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from eval.questions.make.question_forms import (
    ASKING,
    AUXILIARIES,
    FINAL_VERBS,
    ORDERING,
    RULES,
    SECOND_CLAUSE,
)
from eval.questions.question import folded
from rag.question import is_foreign

_OPENING = frozenset(
    [*AUXILIARIES, *ASKING, *ORDERING, *"a an the in on at for under with by to from of as".split()]
)
"""First words that name nothing, so that their capital is the sentence's own."""
_DROPPED_KEYWORDS = frozenset(AUXILIARIES).difference("be been have has had".split()) | frozenset(
    "a an the what which i we you me my our please there".split()
)
_EXACT = re.compile(
    r"\b(?:not|no|nor|never|neither|none|nothing|without|cannot)\b|n['’]t\b|\S*\d\S*"
    r"|\b(?:type|phase|class|stage|grade|part) [IVX]+\b",
    re.I,
)
"""Negations, numbers, and names that hold a digit; "I" is a number in "type I error"."""
_NAME = re.compile(r"\b(?!I\b)\w*[A-Z]\w*")
_REFERS = re.compile(r"[\"“”]|\b(?:it|its|they|them|their|he|she|this|that|these|those)\b", re.I)
"""A title in quotes, which must stay whole, and words that mean nothing without the rest of the sentence."""
_NO_QUESTION = re.compile(
    r"(?:ignore|disregard|forget|print|reply|write|say|stop|answer|act|pretend|use|let|translate|return|output"
    r"|repeat|reveal|system|please|hi|hello|hey|thanks|thank)\b|.*<[!/|a-z]",
    re.I,
)
"""Orders that ask for nothing a source could tell, greetings, and markup: put otherwise they are others."""
_CUES = ("what happens", "what makes", "what causes")
"""Beginnings whose asking word is also the subject: without it nothing is asked."""


_COMPILED = tuple((re.compile(pattern, re.I), templates) for pattern, templates in RULES)
_NOUNS = {
    "accurate": "accuracy", "large": "size", "big": "size", "fast": "speed", "long": "length",
    "high": "height", "old": "age", "deep": "depth",
}  # fmt: skip
_CONTINUES = re.compile(r"(?:and|but|so|what about|how about|really)\b", re.I)
_ASKS = re.compile(rf"(?:{'|'.join([*ASKING, *AUXILIARIES])})\b", re.I)
_ORDERS = re.compile(rf"(?:{'|'.join(ORDERING)})\b", re.I)


@dataclass(frozen=True)
class Rewordings:
    """`recast` asks in another form, the most different first; `framed` puts a phrase around the question."""

    recast: tuple[str, ...]
    framed: tuple[str, ...]


def rewordings(text: str) -> Rewordings:
    """Return other ways to ask a question; none repeats it, and no two are the same.

    They keep its names, numbers and negations. The bare keywords come last of `recast`, where they still
    ask something. What is no question, or not English, is not reworded.
    """
    core = " ".join(text.split()).rstrip("?!. ")
    if _NO_QUESTION.match(core) or is_foreign(core):
        return Rewordings((), ())
    by_form = list(_by_form(core))

    def usable(others: Iterable[str]) -> tuple[str, ...]:
        return tuple(
            other
            for other in dict.fromkeys(others)
            if other and folded(other).rstrip("?!. ") != folded(core) and _keeps_terms(core, other)
        )

    return Rewordings(usable([*by_form, _keywords(core, by_form)]), usable(_framed(core, text)))


def _by_form(core: str) -> Iterator[str]:
    if re.search(r"[.?!]\s", core):
        return  # several sentences
    lowered = _lower_first(core)
    for pattern, templates in _COMPILED:
        match = pattern.fullmatch(lowered)
        if match is None:
            continue
        parts = {name: value for name, value in match.groupdict().items() if value is not None}
        parts |= _derived(parts)
        for template in templates:
            yield _upper_first(template.format(**parts))


def _derived(parts: dict[str, str]) -> dict[str, str]:
    """Return what has to agree with the parts: number, and the form of a verb."""
    derived = {"was": "were" if _is_plural(parts.get("x", "")) else "was"}
    if "verb" in parts:
        third, past = FINAL_VERBS[parts["verb"].lower()]
        forms = {"does": third, "did": past, "do": parts["verb"]}
        derived["inflected"] = forms[parts["do"].lower()]
    if "adjective" in parts:
        derived["noun"] = _NOUNS[parts["adjective"].lower()]
        derived["was_or_is"] = "was" if parts["be"].lower() in ("was", "were") else "is"
    return derived


def _is_plural(phrase: str) -> bool:
    """Whether the phrase's head, the word before its first preposition, looks like a plural."""
    head = re.split(r" (?:of|for|in|with|on|from|to|that|which|by|as)\b", phrase)[0]
    word = head.split()[-1] if head.split() else ""
    return " and " in head or re.search(r"(?<![su])(?<!i)s$", word) is not None


def _framed(core: str, text: str) -> Iterator[str]:
    """Yield polite and terse frames around the question as it stands."""
    lowered = _lower_first(core)
    if _CONTINUES.match(core):
        yield f"{core}? Please explain."
        yield f"{core}? Please explain briefly."
        return
    if _ORDERS.match(core):
        yield f"{core}, briefly."
    elif _ASKS.match(core) or text.rstrip().endswith("?"):
        several = re.search(r"[.?!:]\s", core) is not None
        if not several and not core.lower().startswith(tuple(AUXILIARIES)):
            yield f"I have a question: {lowered}?"
        elif not several:
            yield f"What does the evidence say: {lowered}?"
            yield f"Quick question: {lowered}?"
        yield f"{core}? Please explain."
        yield f"{core}? Please keep the answer short."
    elif text.rstrip().endswith("."):
        yield f"Is it true that {lowered}?"
        yield f"Do studies show that {lowered}?"
    else:
        yield f"What is known about {lowered}?"
        yield f"Tell me about {lowered}."


def _keywords(core: str, by_form: Sequence[str]) -> str:
    """Return the question as it is typed into a search box; "" where too little would be left of it."""
    asks = _ASKS.match(core) and not core.lower().startswith(_CUES)
    if not asks or ": " in core or _REFERS.search(core) or re.search(SECOND_CLAUSE, core, re.I):
        return ""
    words = [word for word in core.split() if word.lower() not in _DROPPED_KEYWORDS]
    if any(other.startswith("Define ") for other in by_form):
        words.append("definition")
    return _lower_first(" ".join(words)) if len(words) > 1 else ""


def _keeps_terms(before: str, after: str) -> bool:
    """Whether a rewording holds the names of a question, and neither more nor fewer numbers and negations."""
    lost = _found(_NAME, _lower_first(before)) - _found(_NAME, after)
    return not lost and _found(_EXACT, before) == _found(_EXACT, after)


def _found(pattern: re.Pattern[str], text: str) -> Counter[str]:
    return Counter(match[0].strip("?!.,:;“”\"'()").lower() for match in pattern.finditer(text))


def _lower_first(text: str) -> str:
    first = text.split(" ", 1)[0].rstrip(",:;?")
    return (
        text[:1].lower() + text[1:] if first.lower() in _OPENING and first[1:] == first[1:].lower() else text
    )


def _upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]
