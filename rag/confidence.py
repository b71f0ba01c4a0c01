"""How sure an answer is: the probability that the sentences chosen for it do answer the question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rag.evidence import Evidence, Weights
from rag.question import Question
from rag.subject import not_held, share_held, specific_terms, subject_of

# A logistic regression on 776 questions that the sources answer and 696 that they do not (own ones on papers
# of reinforcement learning, PubMedQA, SciFact's training claims, the starter set, keypapers; near-misses
# made by taking the answering paper away or by asking for what it does not say; off-topic ones), weighted to
# 2.5 answerable questions for one that is not. `eval.trials.reliability` shows what a run makes of it.
# Coverage by sentences alone, saturated counts of terms, the lead over the next source, the number of
# sources and of terms told no more: areas under the curve within 0.005, by five folds.
PER_LIKENESS, PER_SUBJECT, IF_UNNAMED, IF_INTRODUCTION, AT_NOTHING = 8.9, 6.7, -1.3, 3.8, -8.3
"""Weights of the best cosine and of the share of the subject that is held, both in [0, 1]; added where a
name in the question stands in none of the passages, and where a question asks which paper introduced
something, since such questions describe it in other words; and the logit where nothing is alike or held."""
UNLIKE, UNSURE = 0.3, 0.1
"""Below this cosine a question without names is about something else, though its one word stands in the
texts ("What is dark matter made of?"): none of the answered ones lay there. Its confidence is `UNSURE` at
most."""
NAME_ALONE = 0.4
"""Cosine that a question is given at least which holds nothing but names, all of them found, or whose names
are in a title: "What is HER?" is like nothing to an encoder that reads no capitals."""


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
    chosen: Sequence[Evidence],
    weights: Weights,
    question: Question,
    *,
    narrowed: bool = False,
    goes_on: bool = False,
) -> Confidence:
    """Measure the chosen sentences, and the passages that they stand in, against the question.

    What is asked must be covered by one source, unless the question compares several: words found
    here and there are no answer. `narrowed` says that filters or an earlier turn tell what it is about, so
    that "How many fewer collisions were there?" need not. `goes_on` says that it is asked of the
    sources of the last answer: one that holds all that is asked for then answers it, however unlike it is,
    and where nothing specific is asked for, as in "Is that proven?", it is about what they say.
    """
    if not chosen:
        return Confidence(0.0, 0.0, 0.0)
    cosine = max(evidence.cosine for evidence in chosen)
    held: dict[str, frozenset[str]] = {}
    for evidence in chosen:
        source = "" if question.kind == "comparison" else evidence.source_id
        held[source] = held.get(source, frozenset()) | evidence.passage.terms
    subject = subject_of(question, weights)
    coverage = max(share_held(subject, terms, weights, question.names) for terms in held.values())
    is_open = question.aspect is None or question.kind == "reason"
    if goes_on and is_open and not specific_terms(question):
        coverage = 1.0
    is_titled = bool(question.names) and question.names <= chosen[0].passage.context
    is_named = goes_on or is_titled or subject.keys() <= question.names
    likeness = max(cosine, NAME_ALONE) if coverage == 1 and is_named else cosine
    logit = AT_NOTHING + PER_LIKENESS * likeness + PER_SUBJECT * coverage
    if question.kind == "introduction":
        logit += IF_INTRODUCTION
    elif any(
        map(str.isalpha, not_held(question.names & subject.keys(), _all(held), weights, question.names))
    ):
        logit += IF_UNNAMED
    value = 1 / (1 + math.exp(-logit))
    if cosine < UNLIKE and not question.names and not narrowed:
        value = min(value, UNSURE)
    return Confidence(value, cosine, coverage)


def _all(held: dict[str, frozenset[str]]) -> frozenset[str]:
    return frozenset[str]().union(*held.values())
