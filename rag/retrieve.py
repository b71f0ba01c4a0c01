"""Hybrid retrieval: lexical and dense candidates, fused into one ranking of chunks."""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from index.snapshot import Snapshot
from index.stores.lexical import Scope
from rag.introduction import BEGINS, EARLIEST, IS, names_asked, title_scores
from rag.question import Question
from rag.words import FUNCTION_WORDS

FloatArray = NDArray[np.float32]
EQUIVALENT_WEIGHT = 0.3
"""What a term that stands for one of the question's counts beside the question's own."""
EXPLAINERS = 10
"""Explainer chunks that may come in by their best sentence."""


class Candidate(NamedTuple):
    """A chunk found for a question. `score` is in [0, 1] and compares within one question only."""

    row: int
    score: float
    cosine: float


def retrieve(
    snapshot: Snapshot,
    question: Question,
    query: FloatArray,
    scope: Scope,
    depth: int,
    *,
    explain: bool = False,
) -> list[Candidate]:
    """Return the fused candidates of a scope, best first: at most `depth` from each index.

    With `explain`, explainers are also searched sentence by sentence, and stand where their best
    sentence puts them: a definition is one line of a section about something wider.
    """
    rows = snapshot.rows_of(scope)
    if rows is not None and len(rows) == 0:
        return []
    keys, found_bm25 = snapshot.lexical.search(_terms(question), scope, depth, also=_also(question))
    lexical = snapshot.rows_of_keys(keys)
    near, near_cosines = snapshot.dense.search(query, rows, scope.name, depth)

    by_sentence = snapshot.explainer_sentences(scope, query, EXPLAINERS) if explain else {}

    union = np.unique(np.concatenate((lexical, near, np.array(list(by_sentence), np.int64))))
    bm25 = np.zeros(len(union), np.float32)
    bm25[np.searchsorted(union, lexical)] = found_bm25
    cosines = np.full(len(union), np.nan, np.float32)
    cosines[np.searchsorted(union, near)] = near_cosines
    unknown = np.isnan(cosines)
    cosines[unknown] = snapshot.dense.cosines(query, union[unknown])
    for row, cosine in by_sentence.items():
        position = np.searchsorted(union, row)
        cosines[position] = max(cosines[position], cosine)
    scores = fuse(bm25, cosines)
    if question.kind == "introduction" and (names := names_asked(question)):
        scores += title_scores(names, snapshot.paper_titles(union))
        scores /= np.float32(1 + BEGINS + IS + EARLIEST)
    order = np.argsort(-scores, kind="stable")
    columns = (values[order].tolist() for values in (union, scores, cosines))
    return [Candidate(*values) for values in zip(*columns, strict=True)]


def _terms(question: Question) -> tuple[str, ...]:
    """Return the terms to look for: an abbreviation that is a small word too, as "HER", by its long form."""
    small = {same.short: same.long for same in question.equivalents if same.asked and _is_small(same.short)}
    if not small:
        return question.terms
    return tuple(dict.fromkeys(chain.from_iterable(small.get(term, (term,)) for term in question.terms)))


def _is_small(term: str) -> bool:
    return term in FUNCTION_WORDS


def _also(question: Question) -> dict[str, float]:
    """Weigh the terms that stand for some of the question's own, and that it does not hold itself."""
    return {
        term: EQUIVALENT_WEIGHT
        for equivalent in question.equivalents
        for term in equivalent.added
        if term not in question.terms and not _is_small(term)
    }


def fuse(bm25: FloatArray, cosines: FloatArray) -> FloatArray:
    """Average BM25 and cosine scores of the same chunks, each scaled to [0, 1] over the candidates.

    The convex combination of min-max normalised scores (Bruch, Gai and Ingber, "An Analysis of
    Fusion Functions for Hybrid Retrieval", 2023), which beats reciprocal rank fusion here.
    """
    return np.float32(0.5) * (scale(bm25) + scale(cosines))


def scale(scores: FloatArray) -> FloatArray:
    """Scale scores linearly to [0, 1]; to 1 where all are the same."""
    if not len(scores):
        return scores
    low = scores.min()
    span = scores.max() - low
    return np.divide(scores - low, span, dtype=np.float32) if span > 0 else np.ones_like(scores)
