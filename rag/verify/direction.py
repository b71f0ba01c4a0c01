"""Directions: "higher" where the evidence has "lower", "before" where it has "after"."""

from __future__ import annotations

from collections.abc import Sequence

from rag.verify.alignment import Aligned
from rag.verify.lexicon import points
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
    return notes


def _points(token: Token) -> tuple[tuple[int, int], ...]:
    """What a word points to. "Induced" of "diet-induced" says which obesity is meant, not what happens."""
    return () if token.glued else points(token.word)


def _nearest(
    claim: Aligned, position: int, evidence: Aligned, candidates: Sequence[int]
) -> tuple[int, float]:
    """Return the candidate whose surroundings are most like those of the claim's word, and how much."""
    return max(
        ((there, claim.likeness(position, evidence, there)) for there in candidates),
        key=lambda found: found[1],
        default=(-1, 0.0),
    )
