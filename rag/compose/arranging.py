"""Arranging an answer: the order of its paragraphs, and of the sentences in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rag.comparison import Side, Sides
from rag.compose.disagreement import disagree
from rag.evidence import EXPLANATORY, Evidence
from rag.question import Question

EQUAL = 0.95
"""Share of the best sentence's score from which an explainer's may come before it."""
BOTH, NEITHER = 2, 3
"""What stands for both sides, or for neither, beside 0 and 1 for the first and the second."""


_SIDES = (BOTH, 0, 1, NEITHER)


def arrange(chosen: Sequence[Evidence], question: Question) -> list[list[Evidence]]:
    """Group the chosen sentences by source, the best source first.

    Explainers come first where the question asks for an explanation and they give it about as well.
    What speaks of both sides of a comparison comes before what speaks of one, and the first side
    before the second. A source that contradicts another follows it; one that no longer stands comes last.
    A paper that explains keeps the order of its text; elsewhere a source's best sentence, which has what was
    asked for, comes before the others in that order. One that opens by pointing back is never parted from the
    sentence before it.
    """
    groups: dict[str, list[Evidence]] = {}
    for evidence in chosen:
        groups.setdefault(evidence.source_id, []).append(evidence)
    ordered = list(groups.values())
    if question.kind in EXPLANATORY:
        bar = EQUAL * max((group[0].score for group in ordered), default=0.0)
        ordered.sort(key=lambda group: group[0].passage.record.kind == "paper" or group[0].score < bar)
    if sides := question.sides:
        ordered.sort(key=lambda group: _SIDES.index(side_of(group, sides)))
    ordered.sort(key=lambda group: bool(group[0].standing))
    explains = question.kind in EXPLANATORY
    return [_in_reading_order(group, as_written=explains) for group in _opposed(ordered)]


def side_of(group: Sequence[Evidence], sides: Sides) -> int:
    """Return which side of a comparison a source speaks of, in a quoted sentence or by its title."""
    first, second = (any(speaks_of(side, evidence) for evidence in group) for side in sides)
    return BOTH if first and second else 0 if first else 1 if second else NEITHER


def speaks_of(side: Side, evidence: Evidence) -> bool:
    """Whether a sentence, or the title it stands under, names one side of a comparison."""
    return side.held_by(evidence.sentence.sequence) or side.held_by(evidence.passage.context_sequence)


def _opposed(groups: list[list[Evidence]]) -> list[list[Evidence]]:
    """Put each source that contradicts an earlier one right behind it."""
    ordered: list[list[Evidence]] = []
    for group in groups:
        behind = [i for i, other in enumerate(ordered) if contradict(other, group)]
        ordered.insert(behind[0] + 1 if behind else len(ordered), group)
    return ordered


def contradict(first: Iterable[Evidence], second: Iterable[Evidence]) -> bool:
    """Whether one source reports the opposite of what another reports of the same thing."""
    others = list(second)
    return any(disagree(one.sentence, other.sentence) for one in first for other in others)


def _in_reading_order(group: list[Evidence], *, as_written: bool) -> list[Evidence]:
    best = group[0]
    text_order = sorted(group, key=lambda evidence: (evidence.passage.chunk.field, evidence.sentence.start))
    # An explainer's sections each begin anew.
    if (
        (as_written and best.passage.record.kind == "paper")
        or best.sentence.dangling
        or any(other.follows(best) and other.sentence.dangling for other in group)
    ):
        return text_order
    return [best, *(evidence for evidence in text_order if evidence is not best)]
