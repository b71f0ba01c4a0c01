"""Directions: "higher" where the evidence has "lower", "before" where it has "after"."""

from __future__ import annotations

from collections.abc import Mapping

from index.stores.lexical import analyze
from rag.verify.alignment import Aligned
from rag.verify.lexicon import directions
from rag.verify.reading import Token

Pointing = tuple[int, int]
"""An axis, and +1 or -1 on it."""


def check_direction(claim: Aligned, evidence: Aligned) -> list[str]:
    """Say which direction words of the claim stand for their opposites in the evidence."""
    lexicon = directions()
    theirs: dict[int, list[tuple[int, int]]] = {}
    for position, token in enumerate(evidence.tokens):
        for axis, sign in _pointing(token, lexicon):
            theirs.setdefault(axis, []).append((position, sign))
    notes = []
    for position, token in enumerate(claim.tokens):
        for axis, sign in _pointing(token, lexicon):
            signs = dict(theirs.get(axis, ()))
            if -sign not in signs.values():
                continue
            nearest = claim.nearest(position, evidence, list(signs))
            if all(
                signs[there] != sign and claim.shares_neighbour(position, evidence, there)
                for there in nearest
            ):
                opposite = evidence.tokens[nearest[0]].text
                notes.append(f"the claim says “{token.text}” where a quote says “{opposite}”")
                break
    return notes


def _pointing(token: Token, lexicon: Mapping[str, tuple[Pointing, ...]]) -> tuple[Pointing, ...]:
    # Function words ("more", "before") have no term of their own.
    term = token.term or next(iter(analyze(token.word)), "")
    return lexicon.get(term, ())
