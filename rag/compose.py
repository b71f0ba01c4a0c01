"""The extractive answer: sentences of the sources, verbatim, in plain order, each cited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag.answer import Citation
from rag.evidence import Evidence, Weights
from rag.question import Question, QuestionKind

SIMILAR = 0.85
"""Cosine from which two sentences are taken to say the same."""
SHARED_TERMS = 0.6
"""Share of common terms (Jaccard) from which two sentences are taken to say the same."""
SUPPORTING = 0.72
"""Share of the best sentence's score that a further one needs."""
MAX_PER_SOURCE = 3
MIN_SENTENCES = 2

# How many sentences a kind of question is usually served with.
_LENGTH: dict[QuestionKind, int] = {
    "definition": 4,
    "quantity": 3,
    "comparison": 5,
    "reason": 4,
    "method": 4,
    "which": 4,
    "general": 5,
}


@dataclass(frozen=True, slots=True)
class Confidence:
    """How well the chosen sentences answer: half the best cosine, half the covered IDF mass."""

    value: float
    cosine: float
    coverage: float


def choose(
    ranked: Sequence[Evidence], question: Question, max_sources: int, max_sentences: int
) -> list[Evidence]:
    """Pick the sentences of an answer from the ranked evidence, best first.

    A sentence is passed over where it repeats a chosen one, where its source has said enough, or
    where it is far weaker than the best; the second is taken at a lower bar, so that an answer has
    at least two where the evidence allows.
    """
    if not ranked:
        return []
    limit = min(_LENGTH[question.kind], max_sentences)
    chosen: list[Evidence] = []
    per_source: Counter[str] = Counter()
    best = ranked[0].score
    for bar in (SUPPORTING, SUPPORTING / 2):
        for evidence in ranked:
            if len(chosen) >= (limit if bar == SUPPORTING else MIN_SENTENCES):
                break
            source = evidence.record.id
            if (
                evidence.score >= bar * best
                and evidence not in chosen
                and per_source[source] < MAX_PER_SOURCE
                and (source in per_source or len(per_source) < max_sources)
                and not any(_repeats(evidence, other) for other in chosen)
            ):
                per_source[source] += 1
                chosen.append(evidence)
    return chosen


def confidence(chosen: Sequence[Evidence], weights: Weights) -> Confidence:
    """Measure the chosen sentences, with their titles and headings, against the question."""
    if not chosen:
        return Confidence(0.0, 0.0, 0.0)
    cosine = max(evidence.cosine for evidence in chosen)
    coverage = weights.share(frozenset().union(*(evidence.terms | evidence.context for evidence in chosen)))
    return Confidence(0.5 * cosine + 0.5 * coverage, cosine, coverage)


def arrange(chosen: Sequence[Evidence], question: Question) -> list[list[Evidence]]:
    """Group the chosen sentences by source, in reading order.

    Sources come by their best sentence, explainers first where the question asks what something
    is; within a source sentences keep the order of the text.
    """
    groups: dict[str, list[Evidence]] = {}
    for evidence in chosen:
        groups.setdefault(evidence.record.id, []).append(evidence)
    ordered = list(groups.values())
    if question.kind == "definition":
        ordered.sort(key=lambda group: group[0].record.kind == "paper")
    return [sorted(group, key=lambda evidence: (evidence.chunk.field, evidence.start)) for group in ordered]


def write(groups: Sequence[Sequence[Evidence]]) -> tuple[str, list[Citation]]:
    """Write the answer: each sentence followed by its marker, a paragraph a source.

    Sources are numbered 1, 2, 3 in order of first use.
    """
    parts: list[str] = []
    citations: list[Citation] = []
    length = 0
    for n, group in enumerate(groups, start=1):
        for i, evidence in enumerate(group):
            separator = "" if not citations else " " if i else "\n\n"
            start = length + len(separator)
            piece = f"{separator}{evidence.text} [{n}]"
            parts.append(piece)
            length += len(piece)
            citations.append(
                Citation(
                    n=n,
                    source_id=evidence.record.id,
                    start_index=start,
                    end_index=start + len(evidence.text),
                    quote=evidence.text,
                    chunk_id=evidence.chunk.id,
                    field=evidence.chunk.field,
                    quote_start=evidence.start,
                    quote_end=evidence.end,
                    support="quoted",
                    score=round(evidence.score, 4),
                )
            )
    return "".join(parts), citations


def _repeats(first: Evidence, second: Evidence) -> bool:
    if float(np.dot(first.vector, second.vector)) >= SIMILAR:
        return True
    joint = len(first.terms | second.terms)
    return joint > 0 and len(first.terms & second.terms) / joint >= SHARED_TERMS
