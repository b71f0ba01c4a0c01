"""How sure an answer is: the probability that the sentences chosen for it do answer the question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rag.evidence import Evidence, Weights
from rag.question import Question
from rag.subject import share_held, subject_of

# A logistic regression on 1,062 questions that the sources answer and 690 that they do not, fitted by
# `python -m eval.trials.confidence`: 2.5 answerable questions to one that is not. What was tried beside
# these three and told no more (area under the curve within 0.003): coverage by the sentences alone, by one
# sentence, saturated counts of terms, the lead over the next source, the number of sources and of terms.
PER_LIKENESS, PER_SUBJECT, IF_INTRODUCTION, AT_NOTHING = 8.3, 7.3, 3.9, -8.5
"""Weights of the best cosine and of the share of the subject that is held, both in [0, 1]; added where
a question asks which paper introduced something, since such questions describe it in other words; and the
logit where nothing is alike or held."""
UNLIKE, UNSURE = 0.3, 0.1
"""Below this cosine a question without names is about something else, though its one word stands in the
texts ("What is dark matter made of?"): none of those 1,062 lay there. Its confidence is `UNSURE` at most."""


@dataclass(frozen=True, slots=True)
class Confidence:
    """`value` is the probability that the chosen sentences answer the question.

    `cosine` is the best likeness of a chosen sentence to the question, `coverage` the share of the
    question's subject that the passages of one source hold.
    """

    value: float
    cosine: float
    coverage: float


def confidence(
    chosen: Sequence[Evidence], weights: Weights, question: Question, *, narrowed: bool = False
) -> Confidence:
    """Measure the chosen sentences, and the passages that they stand in, against the question.

    What is asked must be covered by one source, unless the question compares several: words found
    here and there are no answer. `narrowed` says that filters or an earlier turn tell what it is about, so
    that "How many fewer collisions were there?" need not.
    """
    if not chosen:
        return Confidence(0.0, 0.0, 0.0)
    cosine = max(evidence.cosine for evidence in chosen)
    held: dict[str, frozenset[str]] = {}
    for evidence in chosen:
        source = "" if question.kind == "comparison" else evidence.source_id
        held[source] = held.get(source, frozenset()) | evidence.passage.terms
    subject = subject_of(question, weights)
    coverage = max(share_held(subject, terms, weights) for terms in held.values())
    introduced = IF_INTRODUCTION if question.kind == "introduction" else 0.0
    value = _logistic(AT_NOTHING + PER_LIKENESS * cosine + PER_SUBJECT * coverage + introduced)
    if cosine < UNLIKE and not question.names and not narrowed:
        value = min(value, UNSURE)
    return Confidence(value, cosine, coverage)


def _logistic(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))
