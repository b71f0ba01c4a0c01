"""Which sentences say the same, so that an answer says it once."""

from __future__ import annotations

import numpy as np

from rag.compose.disagreement import disagree
from rag.evidence import Evidence

SAME_MEANING, SAME_TERMS = 0.95, 0.6
"""Cosine, and share of common terms (Jaccard), from which two sentences are taken to say the same."""
SIMILAR_MEANING, SIMILAR_TERMS = 0.85, 0.3
"""The same where both come together. A cosine of 0.85 alone is no sign: sentences of one abstract are
encoded together, and share its context."""


def repeats(first: Evidence, second: Evidence) -> bool:
    """Whether a sentence says what another says already, and not the opposite of it."""
    return _is_alike(first, second) and not (
        first.source_id != second.source_id and disagree(first.sentence, second.sentence)
    )


def _is_alike(first: Evidence, second: Evidence) -> bool:
    likeness = float(np.dot(first.vector, second.vector))
    joint = len(first.sentence.terms | second.sentence.terms) or 1
    shared = len(first.sentence.terms & second.sentence.terms) / joint
    return (
        likeness >= SAME_MEANING
        or shared >= SAME_TERMS
        or (likeness >= SIMILAR_MEANING and shared >= SIMILAR_TERMS)
    )
