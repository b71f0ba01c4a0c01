"""How sure an answer is: how well the chosen sentences match the question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rag.evidence import Evidence, Weights
from rag.question import Question


@dataclass(frozen=True, slots=True)
class Confidence:
    """How well the chosen sentences answer: half the best cosine, half the covered IDF mass."""

    value: float
    cosine: float
    coverage: float


def confidence(chosen: Sequence[Evidence], weights: Weights, question: Question) -> Confidence:
    """Measure the chosen sentences, with their titles and headings, against the question.

    What is asked must be covered by one source, unless the question compares several: words found
    here and there are no answer.
    """
    if not chosen:
        return Confidence(0.0, 0.0, 0.0)
    cosine = max(evidence.cosine for evidence in chosen)
    held: dict[str, frozenset[str]] = {}
    for evidence in chosen:
        source = "" if question.kind == "comparison" else evidence.source_id
        held[source] = held.get(source, frozenset()) | evidence.sentence.terms | evidence.passage.context
    coverage = max(weights.share(terms) for terms in held.values())
    return Confidence(0.5 * cosine + 0.5 * coverage, cosine, coverage)
