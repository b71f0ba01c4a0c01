"""From candidate chunks to sentences that could answer, each with its scores."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from index.records import Topic
from index.snapshot import Snapshot
from index.stores.dense import cosines_of
from index.stores.lexical import analyze
from rag.findings import fit_of_amounts, has_digit
from rag.orders import echo_of
from rag.passages import Passage, PassageReader, Sentence
from rag.question import NAMING, Question, QuestionKind
from rag.retrieve import Candidate
from rag.standing import Standing, standing_of
from rag.wording import Equivalent, widened
from rag.words import FUNCTION_WORDS

Key = TypeVar("Key", bound=Hashable)

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
WEIGHED = 16
"""Sentences weighed in full for one question, of some fifty looked at: with 28 answers are no better."""
STUB = 5
"""Letters by which a term is looked for roughly: "polic" for policy and policies, whose stem is "polici"."""
NAME_WEIGHT = 2.0
PAIR_WEIGHT = 0.5
"""What two terms side by side count beside the terms themselves where a thing is asked for by its name:
"reward machines" are no machines that learn a reward. Elsewhere it does harm: see below."""
# Weights of a sentence's score; they sum to 1. On the 560-odd claims of SciFact's training set with human
# evidence, the best sentence of the cited abstract is an evidence sentence for 65% of them, and one of
# the best three for 90%: cosine alone gives 40 and 74%, coverage alone 54 and 86%; counting pairs of
# terms, 63 and 90%.
W_COSINE, W_COVERAGE, W_CHUNK, W_FORM = 0.35, 0.35, 0.1, 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """A sentence with its scores for one question.

    `cosine` is its likeness to the question, `coverage` the share of the question's IDF mass that
    it, or at a discount its title and heading, holds. `score` in [0, 1] joins these with form,
    place and the rank of its chunk. `standing` says if its paper no longer stands as it is.
    """

    passage: Passage
    sentence: Sentence
    vector: NDArray[np.float32]
    cosine: float
    coverage: float
    score: float
    standing: Standing = ""

    @property
    def source_id(self) -> str:
        return self.passage.record.id

    def follows(self, other: Evidence) -> bool:
        """Whether this sentence stands right behind the other."""
        same = self.passage.chunk.id == other.passage.chunk.id
        return same and self.sentence.order == other.sentence.order + 1


@dataclass(frozen=True)
class Weights:
    """Inverse document frequencies of a question's terms, and weights of its pairs of terms.

    A term counts as held where its equivalent is: "HRL" by "hierarchical reinforcement learning".
    `shouted` are those that are small words but for their capitals: "HER" is not held by "her".
    """

    idf: dict[str, float]
    pairs: dict[tuple[str, str], float]
    equivalents: tuple[Equivalent, ...] = ()
    shouted: frozenset[str] = frozenset()

    @cached_property
    def relevant(self) -> frozenset[str]:
        """The terms that make a difference: the question's own, and what some of them are also written as."""
        return frozenset(self.idf).union(*((same.short, *same.long) for same in self.equivalents))

    @cached_property
    def mass(self) -> float:
        """The weight of all terms; 1 where there is none, to divide by."""
        return sum(self.idf.values()) or 1.0

    @cached_property
    def _mass_with_pairs(self) -> float:
        return sum(self.idf.values()) + sum(self.pairs.values()) or 1.0

    def share(self, terms: Set[str]) -> float:
        """Return the share of the question's IDF mass that `terms` hold, in [0, 1]."""
        return _held(self.idf, widened(terms, self.equivalents)) / self.mass

    def match(self, terms: Set[str], pairs: Set[tuple[str, str]]) -> float:
        """Return the same share with the question's pairs of terms counted in."""
        terms = widened(terms, self.equivalents)
        return (_held(self.idf, terms) + _held(self.pairs, pairs)) / self._mass_with_pairs


def _held(weights: Mapping[Key, float], keys: Set[Key]) -> float:
    # Exact summation, whatever the order: terms in another order give the same answer.
    return math.fsum([weight for key, weight in weights.items() if key in keys])


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
        idf = inverse_frequency(documents, frequency, term)
        weights[term] = idf * (NAME_WEIGHT if term in question.names else 1.0)
    pairs = {
        (first, second): PAIR_WEIGHT * (weights[first] + weights[second])
        for first, second in question.pairs
        if question.kind in NAMING and first in weights and second in weights
    }
    # Inside a topic a long form may be written with the topic's own abbreviation: "hierarchical RL".
    equivalents = tuple(
        replace(equivalent, long=own)
        if (own := tuple(term for term in equivalent.long if term not in labels))
        else equivalent
        for equivalent in question.equivalents
    )
    shouted = frozenset(
        term
        for term in (*weights, *(same.short for same in equivalents))
        if term in FUNCTION_WORDS and (term not in weights or term.upper() in question.text)
    )
    return Weights(weights, pairs, equivalents, shouted)


def inverse_frequency(documents: int, frequency: Callable[[str], int], term: str) -> float:
    """Return the weight of a stemmed term that `frequency` of so many documents hold."""
    n = min(frequency(term), documents)
    return math.log(1 + (documents - n + 0.5) / (n + 0.5))


def of_best_sources(ranked: Sequence[Evidence], limit: int) -> list[Evidence]:
    """Return what can be quoted of the `limit` sources that come first, each sentence once, in order."""
    found: dict[tuple[str, str, int], Evidence] = {}
    sources: set[str] = set()
    for evidence in ranked:
        known = evidence.source_id in sources or len(sources) < limit
        if known and evidence.sentence.is_quotable:
            sources.add(evidence.source_id)
            place = evidence.source_id, evidence.passage.chunk.field, evidence.sentence.start
            found.setdefault(place, evidence)
    return list(found.values())


def select_chunks(
    candidates: Sequence[Candidate], snapshot: Snapshot, question: Question, limit: int
) -> list[Candidate]:
    """Return the chunks whose sentences are weighed: few of any one source.

    The very best candidates always, then those that the kind of question prefers.
    """
    prior = _EXPLAINER_PRIOR.get(question.kind, 0.0)
    certain = limit // 3
    preferred = sorted(
        candidates[certain : 4 * limit],
        key=lambda candidate: -(candidate.score + prior * bool(snapshot.explains[candidate.row])),
    )
    ranked = [*candidates[:certain], *preferred]
    chosen: list[Candidate] = []
    per_source: Counter[int] = Counter()
    for candidate in ranked:
        source = snapshot.record_key_of(candidate.row)
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
    passages: PassageReader,
    question: Question,
    weights: Weights,
    query: NDArray[np.float32],
    limit: int = WEIGHED,
) -> list[Evidence]:
    """Score the chunks' sentences, quotable or not; best first, ties in chunk order.

    First all of them roughly, by likeness and by the beginnings of the question's terms that their
    text holds; then the best `limit` of these in full.
    """
    read = [passages.read(candidate.row) for candidate in chunks]
    vectors = snapshot.dense.sentences(
        np.array([candidate.row for candidate in chunks], np.int64),
        np.array([len(passage.sentences) for passage in read], np.int64),
    )
    cosines = np.maximum(cosines_of(vectors, query), 0.0).tolist()
    looked_at = [
        (candidate, passage, sentence)
        for candidate, passage in zip(chunks, read, strict=True)
        for sentence in passage.sentences
    ]
    stubs = [(term[:STUB], weight) for term, weight in weights.idf.items()]
    rough: list[float] = []
    asks_amount = question.kind == "quantity"
    for (candidate, _, sentence), cosine in zip(looked_at, cosines, strict=True):
        text = _lowered(sentence, weights) if weights.shouted else sentence.lowered
        if weights.equivalents:
            text = _both_ways(text, weights.equivalents)
        held = sum([weight for stub, weight in stubs if stub in text]) / weights.mass
        likely = W_FORM / 2 if asks_amount and has_digit(sentence.text) else 0.0
        rough.append(W_COSINE * cosine + W_COVERAGE * held + W_CHUNK * candidate.score + likely)

    echo, left_out = echo_of(question.text), frozenset(analyze(question.excluded))

    def is_out(position: int) -> bool:
        """Whether a sentence is none to quote: an order, an echo, or about what the question leaves out."""
        _, passage, sentence = looked_at[position]
        speaks_of_it = bool(left_out) and left_out <= sentence.terms | passage.context
        return speaks_of_it or _orders(sentence, echo)

    standing = standing_of({passage.record.id: passage.record for passage in read}.values())
    found: list[Evidence] = []
    likeliest = iter(sorted(range(len(rough)), key=rough.__getitem__, reverse=True))
    positions = list(islice((each for each in likeliest if not is_out(each)), limit))
    if question.asks_result and positions:
        # What came of something is told in words of its own: the likeliest passage is weighed whole.
        best = looked_at[positions[0]][1]
        of_best = [each for each in likeliest if looked_at[each][1] is best]
        positions += [each for each in of_best if not is_out(each)]
    for position in positions:
        candidate, passage, sentence = looked_at[position]
        coverage = _coverage(sentence, passage, weights)
        score = (
            W_COSINE * cosines[position]
            + W_COVERAGE * coverage
            + W_CHUNK * candidate.score
            + W_FORM * form_score(sentence, question, weights, explains=passage.record.kind != "paper")
        )
        marked = standing.get(passage.record.id, "")
        found.append(
            Evidence(passage, sentence, vectors[position], cosines[position], coverage, score, marked)
        )
    return sorted(found, key=lambda evidence: -evidence.score)


def _orders(sentence: Sentence, echo: str | None) -> bool:
    """Whether a sentence speaks to who answers: as an order, or by repeating the question word for word."""
    return sentence.is_order or bool(echo and echo in sentence.lowered)


def _lowered(sentence: Sentence, weights: Weights) -> str:
    """Return a sentence's text in small letters, without what would be taken for an abbreviation there."""
    text = sentence.lowered
    for term in weights.shouted:
        if term.upper() not in sentence.text:
            text = text.replace(term, "")
    return text


def _both_ways(lowered: str, equivalents: Sequence[Equivalent]) -> str:
    """Add to a sentence's text the other way to write what it roughly holds one way of."""
    for equivalent in equivalents:
        if equivalent.short in lowered:
            lowered += " " + " ".join(equivalent.long)
        elif all(term[:STUB] in lowered for term in equivalent.long):
            lowered += " " + equivalent.short
    return lowered


def _coverage(sentence: Sentence, passage: Passage, weights: Weights) -> float:
    """Return the share of the question's mass that a sentence holds; at a discount, what its context adds."""
    terms = weights.relevant.intersection(sentence.sequence)
    if weights.shouted:
        terms -= {term for term in weights.shouted if term.upper() not in sentence.text}
    pairs = sentence.pairs if weights.pairs else frozenset[tuple[str, str]]()
    own = weights.match(terms, pairs)
    if own == 1.0:
        return own
    joint = weights.match(
        terms | (weights.relevant & passage.context),
        pairs | passage.context_pairs if weights.pairs else pairs,
    )
    return own + CONTEXT_WEIGHT * (joint - own)


def form_score(sentence: Sentence, question: Question, weights: Weights, *, explains: bool) -> float:
    """Return how well a sentence's form and place suit a question, in [0, 1].

    An abstract says what it set out to do first and what was found last, so later counts more.
    """
    kind = question.kind
    if question.aspect:
        tells = question.aspect.is_told_by(sentence.lowered)
        return (0.4 if explains else 0.25 * (sentence.finding + sentence.place)) + 0.5 * tells
    if kind in NAMING:
        # "A policy is …" defines a policy; "… where the policy is …" does not.
        about = weights.match(frozenset(sentence.opening), frozenset(pairwise(sentence.opening)))
        if (introduced := sentence.introduced) and introduced[0] in weights.relevant:
            # "We present a technique called hindsight experience replay", but not "a penalized policy …".
            about = max(about, weights.match(frozenset(introduced), frozenset(pairwise(introduced))))
        return (0.4 if explains else 0.1) + (0.2 if sentence.defines else 0.0) + 0.4 * about
    if kind in EXPLANATORY and explains:
        return 0.8
    form = 0.5 * sentence.finding + 0.5 * sentence.place
    return 0.5 * form + 0.5 * fit_of_amounts(sentence.text, question.units) if kind == "quantity" else form
