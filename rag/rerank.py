"""Ranking anew: a cross-encoder reads the question with each of the best candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from index.chunking import context_of
from index.encoder import CrossEncoder, open_cross_encoder
from index.snapshot import Snapshot
from rag.retrieve import Candidate, scale
from rag.settings import RerankerSettings

WEIGHT = np.float32(0.5)
"""Of the cross-encoder's score; the rest is the fused one's.
Equal, since neither is to be trusted alone on texts unlike those it learnt from: over the first hundred of
BM25 the usual one (MiniLM, trained on MS MARCO) reaches nDCG@10 0.688 on SciFact (Thakur and others, "BEIR",
2021, table 2), where the search here has 0.740 without it, while on questions of the web it is far better."""


def open_reranker(settings: RerankerSettings, cache_dir: Path) -> Reranker | None:
    """Open the operator's reranker; None where there is none. Raises `EncoderError`, naming what is wrong."""
    if settings.path is None:
        return None
    return Reranker(open_cross_encoder(settings.path, settings.precision, cache_dir), settings.depth)


@dataclass(frozen=True, slots=True)
class Reranker:
    """Ranks the first `depth` candidates anew. Thread-safe."""

    cross_encoder: CrossEncoder
    depth: int

    @property
    def name(self) -> str:
        """What `provenance` says: model, precision, fingerprint and depth."""
        return f"{self.cross_encoder.name}@{self.cross_encoder.fingerprint}, first {self.depth}"

    def rerank(self, snapshot: Snapshot, question: str, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Return the candidates with the first `depth` in a new order, the others below them as they were.

        Both scores are scaled to [0, 1] over those read and averaged, as BM25 and cosine were before; then
        they are raised above the score of the first that was not read. Ties stay in the order given.
        """
        read, rest = candidates[: self.depth], candidates[self.depth :]
        if not read:
            return []
        chunks = [snapshot.text_of(candidate.row) for candidate in read]
        texts = [
            f"{context_of(snapshot.record_of(candidate.row), chunk)} {chunk.text}"
            for candidate, chunk in zip(read, chunks, strict=True)
        ]
        fused = np.array([candidate.score for candidate in read], np.float32)
        crossed = self.cross_encoder.score(question, texts)
        joined = WEIGHT * scale(crossed) + (1 - WEIGHT) * scale(fused)
        floor = rest[0].score if rest else 0.0
        return [
            *(
                read[i]._replace(score=floor + (1.0 - floor) * float(joined[i]))
                for i in np.argsort(-joined, kind="stable")
            ),
            *rest,
        ]
