"""False premises: what a question takes for granted and its best evidence denies.

"Why is soft actor-critic so unstable across seeds?" presupposes that it is. A sentence that speaks of
the same thing and says "very stable across seeds" answers the question by denying it, and the reader is
told so. Only negations and opposite directions are compared, by the verifier's own checks, and only
in a sentence that holds nearly all that the question is about: a false alarm would call the reader
wrong, so many false premises pass without one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rag.evidence import Evidence, Weights
from rag.question import Question
from rag.subject import share_held, subject_of
from rag.verify.alignment import Aligned
from rag.verify.direction import check_direction
from rag.verify.lexicon import NEGATORS
from rag.verify.polarity import check_negation, negations
from rag.verify.reading import read

# Questions that take a statement for granted. "Is it stable?" and "Does it help?" do not, nor does "What
# is X?"; "How can …" and "What would …" ask for what may be.
_TAKES_FOR_GRANTED = re.compile(
    r"^\W*(?:and |but |so )?(?:why (?!not\b)|how (?!can|could|should|would|might|to\b)"
    r"|(?:by |for |on |in |with )?(?:how (?:much|many)|which"
    r"|what (?!is\b|are\b|if\b|would\b|can\b|could\b|happens\b))|when |where |who )",
    re.I,
)
_WHY = re.compile(r"^\W*(?:and |but |so )?why\b", re.I)
_LETTERS = re.compile(r"[a-z]+")
SPEAKS_OF_IT = 0.75
"""Share of the question's subject that a sentence must hold, with its title. At 0.65 one more of 34 false
premises is seen, and no more false alarms."""
OTHERWISE = "The question takes something for granted that source [{}] denies."
"""The notice of an answer whose sentence of that source denies the question's premise."""
LOOKED_AT = 3
"""Sentences compared, best first: what lies farther down speaks of something else more often."""


def denied_by(chosen: Sequence[Evidence], question: Question, weights: Weights) -> Evidence | None:
    """Return the sentence that denies what a question takes for granted, if the nearest to it does."""
    if question.kind == "comparison" or not _TAKES_FOR_GRANTED.search(question.text):
        return None
    subject = subject_of(question, weights)
    shares = [
        share_held(subject, evidence.sentence.terms | evidence.passage.context, weights, question.names)
        for evidence in chosen[:LOOKED_AT]
    ]
    best = max(shares, default=0.0)
    if best < SPEAKS_OF_IT:
        return None
    nearest = chosen[shares.index(best)]
    asks_why = _WHY.search(question.text) is not None
    if not asks_why and not _may_deny(nearest.sentence.lowered):
        return None
    ours, theirs = Aligned(read(question.text)), Aligned(read(nearest.sentence.text))
    denied = _is_denied(
        ours,
        theirs,
        asks_why=asks_why,
        in_itself=share_held(subject, nearest.sentence.terms, weights, question.names) >= SPEAKS_OF_IT,
    )
    return nearest if denied else None


def _may_deny(lowered: str) -> bool:
    """Whether a text may hold a negation: most hold none, and are not read for one."""
    denied = any(part in lowered for part in ("n't", "n’t", "cannot"))
    return denied or not NEGATORS.isdisjoint(_LETTERS.findall(lowered))


def _is_denied(ours: Aligned, theirs: Aligned, *, asks_why: bool, in_itself: bool) -> bool:
    """Whether one of two statements denies the other: only one holds a negation, or they point apart.

    In "How do you learn from a simulator that is not differentiable?" the negation is no statement, nor
    is the direction in "How many fewer samples does it need?": both count behind "why" alone. `in_itself`
    says that the sentence speaks of it without its title: one that lacks a negation may just speak of
    something else.
    """
    here, there = negations(ours.tokens), negations(theirs.tokens)
    if here:
        return asks_why and not there and in_itself and bool(check_negation(ours, theirs))
    if there and check_negation(ours, theirs):
        return True
    return asks_why and not there and bool(check_direction(ours, theirs))
