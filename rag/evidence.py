"""From candidate chunks to sentences that could answer, each with its scores."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from index.lexical import analyze
from index.records import Chunk, Record, Topic
from index.snapshot import Snapshot
from rag.findings import finding_score, holds_measure
from rag.question import Question, QuestionKind
from rag.retrieve import Candidate

_EXPLAINER_PRIOR: dict[QuestionKind, float] = {
    "definition": 0.3,
    "reason": 0.15,
    "method": 0.15,
    "comparison": 0.15,
}
"""Added to the score of explainer chunks when chunks are selected for a kind of question. It only lets
their sentences compete; which of them are quoted is decided without it."""
EXPLANATORY = frozenset(_EXPLAINER_PRIOR)
"""Kinds of question that an explainer answers better than a single paper."""
MAX_CHUNKS_PER_PAPER, MAX_CHUNKS_PER_EXPLAINER = 3, 6
CONTEXT_WEIGHT = 0.6
"""What a question's term counts where only the title or heading holds it, not the sentence."""
NAME_WEIGHT = 2.0
MAX_SUBJECT_TERMS = 6
"""Terms before the verb of a sentence that defines its subject: "Proximal policy optimization (PPO)"."""
MIN_WORDS, MAX_CHARACTERS = 4, 700
"""Shorter is a fragment; longer is a table or a list that slipped through."""

# Weights of a sentence's score; they sum to 1. On the 564 claims of SciFact's training set with human
# evidence, the best sentence of the cited abstract is an evidence sentence for 67% of them, and one of
# the best three for 90%: cosine alone gives 40 and 74%, coverage alone 54 and 86%.
W_COSINE, W_COVERAGE, W_CHUNK, W_FORM = 0.35, 0.35, 0.1, 0.2

# Text that would be taken for a marker, a link, an image or markup where the answer is rendered.
_ACTIVE = re.compile(
    r"\[\s*\^?\d+(\s*[,–-]\s*\d+)*\s*\]|\]\s*\(|!\[|<[a-zA-Z/!]|^\s*(#|>|```|[-*+]\s|\d+[.)]\s)|`|\*\*"
)
_ADDRESS = re.compile(
    r"https?://|www\.|\bgithub\.com\b|\bproject page\b|\bcode (is|are|will be) available\b", re.I
)
_ANAPHORIC = re.compile(
    r"^(it|its|this|these|those|they|their|such|he|she|both|here|then|instead|moreover|furthermore|additionally"
    r"|in addition|also|but|however|therefore|thus|hence|consequently|as a result|for this|to this end"
    r"|in contrast"
    r"|on the other hand|nevertheless|yet|that|the (former|latter)|another|finally|second|third|similarly)\b",
    re.I,
)
_DEFINES = re.compile(
    r"\b(is|are|refers? to|means?|denotes?|consists? of|describes?)\b"
    r"|\b(happens?|occurs?|arises?) when\b"
    r"|\b(introduce[sd]?|present[s]?|propose[sd]?|called|known as|named)\b",
    re.I,
)


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """A sentence of a stored field.

    `start` and `end` are its half-open span in the field, `text` the characters there. `terms` are
    its own, `context` those of its title and heading. `cosine` is its likeness to the question,
    `coverage` the share of the question's IDF mass that it, or at a discount its title and heading,
    holds. `score` in [0, 1] joins these with form and rank.
    """

    record: Record
    chunk: Chunk
    order: int
    start: int
    end: int
    text: str
    vector: NDArray[np.float32]
    terms: frozenset[str]
    context: frozenset[str]
    cosine: float
    coverage: float
    score: float

    @property
    def depends_on_previous(self) -> bool:
        """Whether it opens with a word that only the sentence before explains."""
        return _ANAPHORIC.match(self.text) is not None


@dataclass(frozen=True, slots=True)
class Weights:
    """Inverse document frequencies of a question's terms."""

    idf: dict[str, float]

    @property
    def total(self) -> float:
        return sum(self.idf.values()) or 1.0

    def share(self, terms: Iterable[str]) -> float:
        """Return the share of the question's IDF mass that `terms` hold, in [0, 1]."""
        held = set(terms)
        return sum(weight for term, weight in self.idf.items() if term in held) / self.total


def weigh(
    question: Question, documents: int, frequency: Callable[[str], int], topic: Topic | None = None
) -> Weights:
    """Weigh terms as BM25 does (Robertson and Zaragoza, 2009): ln(1 + (N - n + 0.5) / (n + 0.5)).

    Names weigh double: evidence that lacks the very thing a question names does not answer it. The
    topic's own names weigh nothing inside it, since there everything is about them, unless the
    question holds nothing else.
    """
    labels = frozenset(analyze(" ".join((topic.name, *topic.aliases)))) if topic else frozenset[str]()
    weights = {}
    for term in [term for term in question.terms if term not in labels] or question.terms:
        n = min(frequency(term), documents)
        idf = math.log(1 + (documents - n + 0.5) / (n + 0.5))
        weights[term] = idf * (NAME_WEIGHT if term in question.names else 1.0)
    return Weights(weights)


def select_chunks(
    candidates: Sequence[Candidate], snapshot: Snapshot, question: Question, limit: int
) -> list[Candidate]:
    """Return the chunks whose sentences are weighed: best first, few of any one source."""
    prior = _EXPLAINER_PRIOR.get(question.kind, 0.0)
    ranked = sorted(
        candidates[: 4 * limit],
        key=lambda candidate: -(candidate.score + prior * bool(snapshot.explains[candidate.row])),
    )
    chosen: list[Candidate] = []
    per_source: Counter[str] = Counter()
    for candidate in ranked:
        source = snapshot.record_of(candidate.row).id
        most = MAX_CHUNKS_PER_EXPLAINER if snapshot.explains[candidate.row] else MAX_CHUNKS_PER_PAPER
        if per_source[source] < most:
            per_source[source] += 1
            chosen.append(candidate)
        if len(chosen) == limit:
            break
    return chosen


def sentences_of(
    chunks: Sequence[Candidate],
    snapshot: Snapshot,
    question: Question,
    weights: Weights,
    query: NDArray[np.float32],
) -> list[Evidence]:
    """Score every quotable sentence of the chunks; best first, ties in chunk order."""
    found: list[Evidence] = []
    for candidate in chunks:
        record, chunk = snapshot.record_of(candidate.row), snapshot.text_of(candidate.row)
        vectors = snapshot.dense.sentences(candidate.row, len(chunk.sentences))
        cosines = vectors @ query
        context = frozenset(analyze(f"{record.title} {chunk.heading}"))
        for order, (start, end) in enumerate(chunk.sentences):
            text = chunk.text[start - chunk.start : end - chunk.start]
            if not is_quotable(text):
                continue
            terms = frozenset(analyze(text))
            own = weights.share(terms)
            coverage = own + CONTEXT_WEIGHT * (weights.share(terms | context) - own)
            cosine = max(float(cosines[order]), 0.0)
            place = order / max(len(chunk.sentences) - 1, 1)
            score = (
                W_COSINE * cosine
                + W_COVERAGE * coverage
                + W_CHUNK * candidate.score
                + W_FORM * form_score(text, place, question, explains=record.kind != "paper")
            )
            found.append(
                Evidence(
                    record,
                    chunk,
                    order,
                    start,
                    end,
                    text,
                    vectors[order],
                    terms,
                    context,
                    cosine,
                    coverage,
                    score,
                )
            )
    return sorted(found, key=lambda evidence: -evidence.score)


def is_quotable(text: str) -> bool:
    """Whether a sentence can stand in an answer as it is: whole, and free of anything active."""
    return (
        len(text.split()) >= MIN_WORDS
        and len(text) <= MAX_CHARACTERS
        and not _ACTIVE.search(text)
        and not _ADDRESS.search(text)
        and text[-1] in '.!?)”"’'
    )


def form_score(text: str, place: float, question: Question, *, explains: bool) -> float:
    """Return how well a sentence's form and place suit a question, in [0, 1].

    `place` runs from 0, the first sentence of its chunk, to 1, the last: an abstract says what it
    set out to do first and what was found last.
    """
    kind = question.kind
    if kind in ("definition", "introduction"):
        verb = _DEFINES.search(text)
        subject = frozenset(analyze(text[: verb.start()])) if verb else frozenset[str]()
        # "A policy is …" defines a policy; "… where the policy is …" does not.
        about = len(subject) <= MAX_SUBJECT_TERMS and not subject.isdisjoint(question.terms)
        return (0.4 if explains else 0.1) + (0.2 if verb else 0.0) + (0.4 if about else 0.0)
    if kind in EXPLANATORY and explains:
        return 0.8
    form = 0.5 * finding_score(text) + 0.5 * place
    return 0.5 * form + (0.5 if holds_measure(text) else 0.0) if kind == "quantity" else form
