"""The extractive answer: sentences of the sources, verbatim, in plain order, each cited."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag.answer import Citation
from rag.evidence import EXPLANATORY, Evidence
from rag.question import Question, QuestionKind

SAME_MEANING, SAME_TERMS = 0.95, 0.6
"""Cosine, and share of common terms (Jaccard), from which two sentences are taken to say the same."""
SIMILAR_MEANING, SIMILAR_TERMS = 0.85, 0.3
"""The same where both come together. A cosine of 0.85 alone is no sign: sentences of one abstract are
encoded together, and share its context."""
EQUAL = 0.95
"""Share of the best sentence's score from which an explainer's may come before it."""
COVERING = 0.5
"""Share of the first sentence's coverage that one of another source needs."""
ACCOMPANYING, ACCOMPANYING_COSINE = 0.36, 0.3
"""Share, and likeness to the question, that the second sentence needs if it is of the same source."""
DANGLING = 0.08
"""Taken from the score of a sentence that opens with "It", "However" and the like, unless the
sentence before it is chosen too."""
CONTINUING = 0.05
"""Added to the score of an explainer's sentence right behind a chosen one, which it goes on from."""
MIN_SENTENCES = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """How long an answer to a kind of question is, and how it spreads over sources.

    `supporting` is the share of the best sentence's score that a further one needs.
    """

    sentences: int
    per_source: int
    supporting: float = 0.78


_PLANS: dict[QuestionKind, Plan] = {
    "definition": Plan(4, 3),
    "introduction": Plan(3, 2),
    "quantity": Plan(3, 3),
    "comparison": Plan(5, 3),
    "reason": Plan(4, 3),
    "method": Plan(4, 3),
    "list": Plan(5, 1, supporting=0.65),
    "finding": Plan(4, 3),
}


def choose(
    ranked: Sequence[Evidence], question: Question, max_sources: int, max_sentences: int
) -> list[Evidence]:
    """Pick the sentences of an answer from the ranked evidence, best first.

    A sentence is passed over where it repeats a chosen one, where its source has said enough, or
    where it is far weaker than the best; the second is taken at a lower bar from the same source,
    so that an answer has at least two where that source says more.
    """
    plan = _PLANS[question.kind]
    pool = list(ranked)
    chosen: list[Evidence] = []
    per_source: Counter[str] = Counter()

    def has_room(evidence: Evidence) -> bool:
        said = per_source[evidence.source_id]
        return said < plan.per_source and (said > 0 or len(per_source) < max_sources)

    def standing(evidence: Evidence) -> float:
        continues = any(_follows(evidence, other) for other in chosen)
        bonus = CONTINUING if continues and evidence.passage.record.kind != "paper" else 0.0
        return evidence.score + bonus - (DANGLING if evidence.sentence.dangling and not continues else 0.0)

    def is_new(evidence: Evidence) -> bool:
        """Whether a sentence can be quoted, and repeats none that is chosen."""
        return evidence.sentence.is_quotable and not any(_repeats(evidence, other) for other in chosen)

    def next_best() -> Evidence | None:
        # Few sentences come so far: this order spares most of them the closer look.
        return next(filter(is_new, sorted(filter(has_room, pool), key=standing, reverse=True)), None)

    def supports(evidence: Evidence) -> bool:
        """Whether a further sentence is near enough to the first in score and in what it covers."""
        lead = chosen[0]
        on_topic = evidence.coverage >= COVERING * lead.coverage or evidence.source_id == lead.source_id
        return on_topic and standing(evidence) >= plan.supporting * lead.score

    def accompanies(evidence: Evidence) -> bool:
        """Whether a sentence of the first one's source may be the second of an answer."""
        near = evidence.source_id == chosen[0].source_id and evidence.cosine >= ACCOMPANYING_COSINE
        return near and standing(evidence) >= ACCOMPANYING * chosen[0].score

    limit = min(plan.sentences, max_sentences)
    while len(chosen) < limit:
        best = next_best()
        if best is None:
            break
        if chosen and not supports(best):
            if len(chosen) >= MIN_SENTENCES:
                break
            pool = [evidence for evidence in pool if accompanies(evidence)]
            best = next_best()
            if best is None:
                break
        taken = [best, *filter(is_new, _antecedent(best, pool, chosen))]
        chosen += taken
        per_source.update(evidence.source_id for evidence in taken)
    return chosen[:limit]


def arrange(chosen: Sequence[Evidence], question: Question) -> list[list[Evidence]]:
    """Group the chosen sentences by source: the best source and its best sentence first.

    Explainers come first where the question asks for an explanation and they give it about as well.
    Behind a source's best sentence the others keep the order of the text; one that opens by
    pointing back is never parted from the sentence before it.
    """
    groups: dict[str, list[Evidence]] = {}
    for evidence in chosen:
        groups.setdefault(evidence.source_id, []).append(evidence)
    ordered = list(groups.values())
    if question.kind in EXPLANATORY:
        bar = EQUAL * max((group[0].score for group in ordered), default=0.0)
        ordered.sort(key=lambda group: group[0].passage.record.kind == "paper" or group[0].score < bar)
    return [_in_reading_order(group) for group in ordered]


def _in_reading_order(group: list[Evidence]) -> list[Evidence]:
    best = group[0]
    text_order = sorted(group, key=lambda evidence: (evidence.passage.chunk.field, evidence.sentence.start))
    if best.sentence.dangling or any(_follows(other, best) and other.sentence.dangling for other in group):
        return text_order
    return [best, *(evidence for evidence in text_order if evidence is not best)]


def _antecedent(evidence: Evidence, pool: Sequence[Evidence], chosen: Sequence[Evidence]) -> list[Evidence]:
    """Return the sentence that a dangling one points back to, if it can be quoted and is not chosen."""
    if not evidence.sentence.dangling or any(_follows(evidence, other) for other in chosen):
        return []
    return [other for other in pool if _follows(evidence, other)]


def _follows(second: Evidence, first: Evidence) -> bool:
    return second.passage.chunk.id == first.passage.chunk.id and (
        second.sentence.order == first.sentence.order + 1
    )


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
            piece = f"{separator}{evidence.sentence.text} [{n}]"
            parts.append(piece)
            length += len(piece)
            citations.append(
                Citation(
                    n=n,
                    source_id=evidence.source_id,
                    start_index=start,
                    end_index=start + len(evidence.sentence.text),
                    quote=evidence.sentence.text,
                    chunk_id=evidence.passage.chunk.id,
                    field=evidence.passage.chunk.field,
                    quote_start=evidence.sentence.start,
                    quote_end=evidence.sentence.end,
                    support="quoted",
                    score=round(evidence.score, 4),
                )
            )
    return "".join(parts), citations


def _repeats(first: Evidence, second: Evidence) -> bool:
    likeness = float(np.dot(first.vector, second.vector))
    joint = len(first.sentence.terms | second.sentence.terms) or 1
    shared = len(first.sentence.terms & second.sentence.terms) / joint
    return (
        likeness >= SAME_MEANING
        or shared >= SAME_TERMS
        or (likeness >= SIMILAR_MEANING and shared >= SIMILAR_TERMS)
    )
