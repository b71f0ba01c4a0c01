"""What an answerer hands on: an answer that is whole, and what a model may word it anew from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag.answer import Answer, Related
from rag.evidence import Evidence
from rag.question import Question


@dataclass(frozen=True, slots=True)
class Material:
    """What an answer may be written from, and what belongs to it once its sources are known.

    `evidence` are sentences that can be quoted, best first, of no more sources than were asked for;
    `quoted` those of the extractive answer, in its order. `idf` weighs a stemmed term. `notices` are for
    evidence grouped by source, in order of number; `related` and `followups` for the ids of what is cited.
    Valid while the snapshot's lease is held.
    """

    question: Question
    evidence: tuple[Evidence, ...]
    quoted: tuple[Evidence, ...]
    idf: Callable[[str], float]
    notices: Callable[[Sequence[Sequence[Evidence]]], tuple[str, ...]]
    related: Callable[[set[str]], tuple[Related, ...]]
    followups: Callable[[set[str]], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer without a model: extractive, computed or refused. `material` where a model may write."""

    answer: Answer
    material: Material | None = None
