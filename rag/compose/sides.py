"""Choosing for a comparison: what speaks of both sides first, then something on each of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag.comparison import Side, Sides
from rag.compose.repetition import repeats
from rag.evidence import Evidence
from rag.question import Question

JOINT = 2
"""Sources that speak of both sides at once; more of them leave no room for either side."""
SUPPORTING = 0.6
"""Share of the best sentence's score that a further one needs. Lower than elsewhere, for a sentence on one
side covers at most half of the question."""
TELLING = 0.75
"""Score from which a sentence that sets both sides apart answers by itself. Then nothing is looked for on
either side, and what is found on one alone has to be as good as `BESIDE` of it."""
BESIDE = 0.75
CONTRASTING = 0.1
"""Added to the score of a sentence that sets its two sides apart, and does not only list them."""
OWN = 0.1
"""Added where the sentence itself names the side that it is to speak of, not its title alone."""
_CONTRASTS = re.compile(
    r"\b(than|compared (?:with|to)|against|whereas|while|unlike|contrast|comparison|versus|vs|differ\w*"
    r"|outperform\w*|instead|although|surpass\w*|advantages?|superior|similar\w*|equivalent|comparable|better|worse)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class _Held:
    """A sentence, and which of the two sides it names itself, and which under its title."""

    evidence: Evidence
    own: tuple[bool, bool]
    titled: tuple[bool, bool]

    def alone(self, side: int) -> bool:
        """Whether it speaks of one side and not of the other."""
        return (self.own[side] or self.titled[side]) and not (self.own[1 - side] or self.titled[1 - side])


def _read(ranked: Sequence[Evidence], sides: Sides) -> list[_Held]:
    def held(sequence: Sequence[str]) -> tuple[bool, bool]:
        return sides[0].held_by(sequence), sides[1].held_by(sequence)

    return [
        _Held(evidence, held(evidence.sentence.sequence), held(evidence.passage.context_sequence))
        for evidence in ranked
        if evidence.sentence.is_quotable and not evidence.sentence.dangling
    ]


def sides_missing(ranked: Sequence[Evidence], question: Question) -> list[Side]:
    """Return the sides of a comparison to look for apart: those that no sentence found names alone.

    None where a sentence tells both sides apart: that is the answer.
    """
    if question.sides is None:
        return []
    held = _read(ranked, question.sides)
    if any(map(_tells, _joint(held))):
        return []
    return [
        side
        for i, side in enumerate(question.sides)
        if not any(each.own[i] and each.alone(i) for each in held)
    ]


def choose_sides(
    ranked: Sequence[Evidence], sides: Sides, max_sources: int, max_sentences: int
) -> tuple[list[Evidence], bool]:
    """Pick sentences that hold both sides, then for each side that they leave room for its best one.

    Also returns whether the first of them tells both sides apart. Returns none where no sentence can be
    quoted on either side: then there is nothing to compare.
    """
    held = _read(ranked, sides)
    chosen: list[Evidence] = []

    def take(candidates: Sequence[tuple[float, Evidence]], most: int, bar: float) -> None:
        best = sorted(candidates, key=lambda scored: (bool(scored[1].standing), -scored[0]))
        for score, evidence in best:
            sources = {other.source_id for other in chosen}
            if most == 0 or len(chosen) == max_sentences or score < max(bar, SUPPORTING * best[0][0]):
                return
            if evidence.source_id in sources or len(sources) == max_sources:
                continue
            if not any(repeats(evidence, other) for other in chosen):
                chosen.append(evidence)
                most -= 1

    joint = _joint(held)
    if all(any(each.own[i] and each.alone(i) for each in held) for i in (0, 1)):
        # "Algorithms such as PPO and TRPO are popular" tells nothing of either.
        joint = [each for each in joint if _sets_apart(each[1]) or not _lists(each[1].sentence.text, sides)]
    best = max((score for score, _ in joint), default=0.0)
    tells = any(map(_tells, joint))
    take(joint, JOINT, 0.0)
    for side in (0, 1):
        alone = [each for each in held if each.alone(side)]
        take(
            [(each.evidence.score + OWN * each.own[side], each.evidence) for each in alone],
            1 if joint else 2,
            BESIDE * best if tells else 0.0,
        )
    return chosen, tells


def _joint(held: Sequence[_Held]) -> list[tuple[float, Evidence]]:
    """Return what names both sides, with its score; more where it sets them apart."""
    return [
        (each.evidence.score + CONTRASTING * _sets_apart(each.evidence), each.evidence)
        for each in held
        if all(each.own)
    ]


def _tells(scored: tuple[float, Evidence]) -> bool:
    score, evidence = scored
    return score >= TELLING and _sets_apart(evidence)


def _lists(text: str, sides: Sides) -> bool:
    """Whether a sentence names the sides in one list: nothing but other names and "and" between them."""
    first, second = (re.search(rf"(?<!\w){re.escape(side.name)}", text, re.I) for side in sides)
    if first is None or second is None:
        return False
    between = text[min(first.end(), second.end()) : max(first.start(), second.start())]
    return all(
        word in {"and", "or", "as", "well"} or not word.islower() for word in re.findall(r"\w[\w-]*", between)
    )


def _sets_apart(evidence: Evidence) -> bool:
    return _CONTRASTS.search(evidence.sentence.text) is not None
