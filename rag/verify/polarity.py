"""Negations and hedges: what they bear on, and whether claim and evidence agree about it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.verify.alignment import Aligned
from rag.verify.lexicon import ABSOLUTES, DENYING, HEDGES, NEGATORS, NO_NEGATION, PRIVATIVES
from rag.verify.reading import Token

NEGATION_REACH = 3
"""Content words that a negation bears on: "does not improve accuracy on long documents" is about the
improvement first; farther words are mostly circumstances."""
HEDGE_REACH = 6
"""A hedge bears on the whole clause that follows: "these results suggest that …"."""
_NITRIC_OXIDE = "NO"
_CONJUNCTIONS = frozenset(("and", "or", "nor", "but"))


@dataclass(frozen=True, slots=True)
class Cue:
    """A negation or hedge at `tokens[at]`, and the positions of the words it bears on, nearest first."""

    at: int
    scope: tuple[int, ...]


def negations(tokens: Sequence[Token]) -> list[Cue]:
    """Find the negations of a text with their scopes."""
    return [
        _cue(tokens, at, 1 if token.word == "non" else NEGATION_REACH)
        for at, token in enumerate(tokens)
        if token.word in NEGATORS and token.text != _NITRIC_OXIDE and not _lifted(tokens, at)
    ]


def hedges(tokens: Sequence[Token]) -> list[Cue]:
    """Find the hedges of a text with their scopes."""
    return [_cue(tokens, at, HEDGE_REACH) for at, token in enumerate(tokens) if _hedges(tokens, at, token)]


def check_negation(claim: Aligned, evidence: Aligned) -> list[str]:
    """Say which negation of the claim the evidence lacks, and which of the evidence the claim lacks."""
    ours, theirs = negations(claim.tokens), negations(evidence.tokens)
    notes = []
    denied, denied_there = (_counted(reading.tokens, "not", "only") for reading in (claim, evidence))
    if denied > denied_there and _counted(evidence.tokens, "", "only"):
        notes.append("the claim says “not only” where a quote says “only”")
    if _doubled(claim.tokens, ours) > _doubled(evidence.tokens, theirs):
        notes.append("the claim denies twice what the quotes deny once")
    negated, negated_there = _odd(ours), _odd(theirs)
    denied_otherwise = theirs or not DENYING.isdisjoint(token.word for token in evidence.tokens)
    without = not PRIVATIVES.isdisjoint(token.word for token in evidence.tokens)
    for cue in ours:
        if without and claim.tokens[cue.at].word in PRIVATIVES:
            continue
        pairs = _pairs(claim, evidence, cue.scope)
        agrees = any((here in negated) == (there in negated_there) for here, there in pairs)
        # Where nothing that it bears on stands in the evidence, any negation there may be meant.
        if not agrees and not (denied_otherwise and not pairs) and negated.intersection(cue.scope):
            notes.append(f"no quote has the negation “{_phrase(claim.tokens, cue)}”")
    return notes + [
        f"a quote says “{_phrase(evidence.tokens, cue)}”, the claim does not"
        for cue in theirs
        # What a negation at the end of a clause bears on is a guess: then any of the claim will do.
        if not (ours and cue.scope and cue.scope[0] < cue.at)
        and _unmatched(claim, evidence, cue, negated, negated_there)
    ]


def _counted(tokens: Sequence[Token], before: str, word: str) -> int:
    """Count a word behind another one; behind anything but "not" where that is left empty."""
    pairs = [(first.word, second.word) for first, second in pairwise(tokens)]
    return sum(second == word and (first == before if before else first != "not") for first, second in pairs)


def _doubled(tokens: Sequence[Token], cues: Sequence[Cue]) -> int:
    """Count negations that stand behind another in one clause, each bearing on words of its own.

    "No graph is not available", but not "no graph and no tree". Those on the same words cancel out already.
    """
    return sum(
        tokens[first.at].clause == tokens[second.at].clause
        and not set(first.scope) & set(second.scope)
        and not any(token.word in _CONJUNCTIONS for token in tokens[first.at : second.at])
        for first, second in pairwise(cues)
    )


def check_hedges(claim: Aligned, evidence: Aligned) -> list[str]:
    """Say where the claim states flatly what the evidence hedges."""
    notes = []
    theirs = hedges(evidence.tokens)
    if theirs:
        hedged = {position for cue in hedges(claim.tokens) for position in cue.scope}
        hedged_there = {position for cue in theirs for position in cue.scope}
        notes += [
            f"a quote only says “{_phrase(evidence.tokens, cue)}”, the claim states it flatly"
            for cue in theirs
            if _unmatched(claim, evidence, cue, hedged, hedged_there)
        ]
    absolute = {token.word for token in claim.tokens} & ABSOLUTES
    if absolute and not any(token.word in ABSOLUTES for token in evidence.tokens):
        notes.append(f"no quote says “{min(absolute)}”")
    return notes


def _hedges(tokens: Sequence[Token], at: int, token: Token) -> bool:
    if token.word not in HEDGES:
        return False
    before, after = tokens[at - 1].word if at else "", tokens[at + 1].word if at + 1 < len(tokens) else ""
    if token.text == "May" and (not token.opens or after.isdigit()):
        return False  # the month
    if token.word in ("may", "might", "could") and after == "not":
        # "could not be found" tells of a failure; "may not" hedges still.
        return token.word != "could"
    if token.word.startswith("appear"):
        return after in ("to", "that")  # else it comes into view
    # "we suggest" proposes.
    return not (token.word.startswith("suggest") and before == "we")


def _lifted(tokens: Sequence[Token], at: int) -> bool:
    word = tokens[at].word
    around = [tokens[other].word for other in (at - 1, at + 1) if 0 <= other < len(tokens)]
    if word == "no" and around[-1:] and around[-1].isdigit():
        return True  # "No. 5"
    # "with or without"
    return any(
        word in pair and not pair.isdisjoint(around) and _in_order(tokens, at, pair) for pair in NO_NEGATION
    )


def _in_order(tokens: Sequence[Token], at: int, pair: Collection[str]) -> bool:
    leads = tokens[at].word in ("not", "no") and at + 1 < len(tokens) and tokens[at + 1].word in pair
    return leads or (at > 0 and tokens[at - 1].word in pair and tokens[at - 1].word in ("or", "if"))


def _cue(tokens: Sequence[Token], at: int, reach: int) -> Cue:
    clause, scope = tokens[at].clause, list[int]()
    for position in range(at + 1, len(tokens)):
        token = tokens[position]
        # Another negation takes over, unless it stands right behind: "not ineffective".
        if scope and (token.clause != clause or token.word in NEGATORS):
            break
        if token.term:
            scope.append(position)
            clause = token.clause
            if len(scope) == reach:
                break
    if not scope:  # "…, but the others did not."
        scope = [position for position in range(at) if tokens[position].term][-1:]
    return Cue(at, tuple(scope))


def _odd(cues: Sequence[Cue]) -> set[int]:
    """Positions that an odd number of cues bears on: two negations cancel out."""
    found: set[int] = set()
    for cue in cues:
        found ^= set(cue.scope)
    return found


def _pairs(claim: Aligned, evidence: Aligned, positions: Sequence[int]) -> list[tuple[int, int]]:
    """Pair positions of the claim with those of the evidence that they render."""
    return [
        (here, there)
        for here in positions
        for there in claim.nearest(here, evidence, evidence.by_term.get(claim.tokens[here].term, ()))
    ]


def _unmatched(
    claim: Aligned, evidence: Aligned, cue: Cue, marked: Collection[int], marked_there: Collection[int]
) -> bool:
    """Whether the claim renders what a cue of the evidence bears on, and never as the evidence has it.

    The nearest word has to be rendered, or two others: a claim may share one word with a clause that it
    does not speak about.
    """
    rendered, agrees = set[int](), False
    for there in cue.scope:
        if there not in marked_there:
            continue
        for here in claim.by_term.get(evidence.tokens[there].term, ()):
            if there in claim.nearest(here, evidence, evidence.by_term[evidence.tokens[there].term]):
                rendered.add(there)
                agrees = agrees or here in marked
    return not agrees and bool(rendered) and (cue.scope[0] in rendered or len(rendered) > 1)


def _phrase(tokens: Sequence[Token], cue: Cue) -> str:
    end = cue.scope[0] if cue.scope else cue.at
    first, last = sorted((cue.at, end))
    return " ".join(token.text for token in tokens[first : last + 1] if token.text)
