"""Questions about one source by its title: which of its sentences answers, when all share the title's words.

"What did “Learning to Walk” find?" holds "learning" and "walk", and so does every sentence of that paper.
What is asked is in the words besides: those that a sentence holds count, or, where there are none, its form.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from index.stores.lexical import analyze
from rag.evidence import W_COSINE, W_COVERAGE, Evidence, Weights, form_score
from rag.question import Question
from rag.subject import not_held, specific_terms, subject_of
from rag.wording import widened

_AIMS = re.compile(r"\b(?:we|our|this (?:paper|work|study|article)|here)\b")


HELD = 0.5
"""Share of what is asked besides the title that the source has to hold, or it answers something else."""


def is_asked_for(passages: Sequence[Evidence], question: Question, weights: Weights, title: str) -> bool:
    """Whether a source speaks of what is asked besides its title: not where "TRPO" stands nowhere in it."""
    asked = _asked_besides(question, weights, title)
    held = frozenset[str]().union(*(evidence.passage.terms for evidence in passages))
    missing = not_held(asked, held, weights, question.names)
    kept = math.fsum(weight for term, weight in asked.items() if term not in missing)
    tells = (
        question.aspect is None
        or question.kind == "reason"
        or any(question.aspect.is_told_by(evidence.sentence.lowered) for evidence in passages)
    )
    return tells and kept >= HELD * math.fsum(asked.values())


def _asked_besides(question: Question, weights: Weights, title: str) -> dict[str, float]:
    named, specific = set(analyze(title)), specific_terms(question)
    return {
        term: mass
        for term, mass in subject_of(question, weights).items()
        if term not in named and term in specific
    }


def weighed_apart(
    ranked: Sequence[Evidence], question: Question, weights: Weights, title: str
) -> list[Evidence]:
    """Return the sentences of the source of a title, scored by what is asked besides it, best first."""
    asked = _asked_besides(question, weights, title)
    mass = math.fsum(asked.values())

    def suits(evidence: Evidence) -> float:
        if mass:
            held = widened(evidence.sentence.terms, weights.equivalents)
            return math.fsum(weight for term, weight in asked.items() if term in held) / mass
        if question.kind == "definition" and not question.aspect:  # "What is it about?"
            aims = _AIMS.search(evidence.sentence.lowered) is not None
            return 0.6 * aims + 0.4 * (1 - evidence.sentence.finding)
        return form_score(evidence.sentence, question, weights, explains=False)

    def score(evidence: Evidence) -> float:
        of_words = W_COVERAGE * (suits(evidence) - evidence.coverage)
        # Likeness to a title tells sentences apart no more than its words do.
        of_likeness = 0.0 if mass else W_COSINE * (suits(evidence) - evidence.cosine)
        return evidence.score + of_words + of_likeness

    scored = (replace(each, score=score(each)) for each in ranked)
    return sorted(scored, key=lambda evidence: -evidence.score)
