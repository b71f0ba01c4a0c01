"""Directions: "higher" where the evidence has "lower", "before" where it has "after"."""

from __future__ import annotations

from collections.abc import Sequence

from rag.verify.alignment import Aligned
from rag.verify.lexicon import NEGATORS, points, trend
from rag.verify.reading import Token

MARGIN = 0.5
"""How much more alike the surroundings of an opposite have to be than those of a word that agrees: about
one neighbour two words off. An edit leaves all of a word's surroundings as they were."""


def check_direction(claim: Aligned, evidence: Aligned) -> list[str]:
    """Say which direction words of the claim stand for their opposites in the evidence."""
    theirs: dict[int, list[tuple[int, int]]] = {}
    for position, token in enumerate(evidence.tokens):
        for axis, sign in _points(token):
            theirs.setdefault(axis, []).append((position, sign))
    notes = []
    for position, token in enumerate(claim.tokens):
        opposites, agreeing = list[int](), list[int]()
        for axis, sign in _points(token):
            for there, other in theirs.get(axis, ()):
                (agreeing if other == sign else opposites).append(there)
        if not opposites:
            continue
        opposite, likeness = _nearest(claim, position, evidence, opposites)
        if likeness > _nearest(claim, position, evidence, agreeing)[1] + (MARGIN if agreeing else 0.0):
            said = evidence.tokens[opposite].text
            notes.append(f"the claim says “{token.text}” where a quote says “{said}”")
    return notes or _check_trend(claim.tokens, evidence.tokens)


def _check_trend(claim: Sequence[Token], evidence: Sequence[Token]) -> list[str]:
    """Say that the one tells only of risings and the other only of fallings, where neither denies anything.

    Of the training claims of SciFact that nothing else speaks against, it finds a sixth of those that their
    evidence contradicts and two or three in a hundred of those that it supports.
    """
    ours, theirs = (_trends_of(tokens) for tokens in (claim, evidence))
    rising, held = {*ours.values()}, {*theirs.values()}
    if len(rising) != 1 or len(held) != 1 or rising == held:
        return []
    if any(token.word in NEGATORS for token in (*claim, *evidence)):
        return []
    return [f"the claim says “{next(iter(ours))}” where the quotes say “{next(iter(theirs))}”"]


def _trends_of(tokens: Sequence[Token]) -> dict[str, int]:
    return {token.text: trend(token.word) for token in tokens if not _modifies(token) and trend(token.word)}


def _points(token: Token) -> tuple[tuple[int, int], ...]:
    """What a word points to. "Induced" of "diet-induced" says which obesity is meant, not what happens."""
    return () if _modifies(token) else points(token.word)


def _modifies(token: Token) -> bool:
    return token.glued and token.word.endswith(("ed", "ing"))


def _nearest(
    claim: Aligned, position: int, evidence: Aligned, candidates: Sequence[int]
) -> tuple[int, float]:
    """Return the candidate whose surroundings are most like those of the claim's word, and how much."""
    return max(
        ((there, claim.likeness(position, evidence, there)) for there in candidates),
        key=lambda found: found[1],
        default=(-1, 0.0),
    )
