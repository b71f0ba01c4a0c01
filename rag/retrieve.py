"""Hybrid retrieval: lexical and dense candidates, fused into one ranking of chunks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from index.lexical import Scope
from index.snapshot import Snapshot

FloatArray = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk found for a question. `score` is in [0, 1] and compares within one question only."""

    row: int
    score: float
    cosine: float


def retrieve(
    snapshot: Snapshot, terms: tuple[str, ...], query: FloatArray, scope: Scope, depth: int
) -> list[Candidate]:
    """Return the fused candidates of a scope, best first: at most `depth` from each index."""
    rows = snapshot.rows_of(scope)
    if rows is not None and len(rows) == 0:
        return []
    keys, found_bm25 = snapshot.lexical.search(terms, scope, depth)
    lexical = snapshot.rows_of_keys(keys)
    name = (scope.topic or "*") if scope.is_topic_only else None
    near, _ = snapshot.dense.search(query, rows, name, depth)

    union = np.union1d(lexical, near)
    bm25 = np.zeros(len(union), np.float32)
    bm25[np.searchsorted(union, lexical)] = found_bm25
    cosines = snapshot.dense.cosines(query, union)
    scores = fuse(bm25, cosines)
    order = np.argsort(-scores, kind="stable")
    return [Candidate(int(union[i]), float(scores[i]), float(cosines[i])) for i in order]


def fuse(bm25: FloatArray, cosines: FloatArray) -> FloatArray:
    """Average BM25 and cosine scores of the same chunks, each scaled to [0, 1] over the candidates.

    The convex combination of min-max normalised scores (Bruch, Gai and Ingber, "An Analysis of
    Fusion Functions for Hybrid Retrieval", 2023), which beats reciprocal rank fusion here.
    """
    return (_scale(bm25) + _scale(cosines)) / 2


def _scale(scores: FloatArray) -> FloatArray:
    if not len(scores):
        return scores
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.ones_like(scores)
