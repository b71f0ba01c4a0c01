"""Nearest chunks by cosine: exact inside a scope, by a scan of everything, or through the vector store.

A topic of 4,000 papers is a matrix of 6 MB; multiplying it takes a tenth of a millisecond and
misses nothing, where a filtered graph search takes tens of milliseconds. So matrices of topics are
kept, least recently used ones dropped first. Larger scopes are scanned in int8, 2 ms for 87,000 chunks,
and what comes near is scored exactly; the vector store serves an index too large for that.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.stores.scan import IntegerScan
from index.stores.sentence_vectors import SentenceVectors
from index.stores.vectors import VectorStore

Rows = NDArray[np.int64]
BLOCK = 16_384
"""Vectors multiplied at once where a scope is too large to keep: 25 MB at 384 dimensions."""
GATHERED = BLOCK // 4
"""Vectors of a scope that are as quick to read and multiply as everything is to scan: some 2 ms."""
OVERSAMPLING = 4
"""Candidates taken by rough scores for each result, before exact scoring reorders them."""


class DenseIndex:
    """Search over one generation's chunk vectors. Thread-safe.

    `keys` are the chunks' numbers, ascending, and `vector_rows[i]` the row of chunk i's vector; a
    *row* in this interface is an index into both.
    """

    def __init__(
        self,
        keys: Rows,
        vector_rows: Rows,
        vectors: SentenceVectors,
        store_folder: Path,
        *,
        exact_chunks: int,
        scan_chunks: int,
        memory_mb: int,
    ) -> None:
        self._keys, self._vector_rows, self._vectors = keys, vector_rows, vectors
        self._store_folder = store_folder
        self._exact_chunks, self._scan_chunks = exact_chunks, scan_chunks
        self._budget = memory_mb * 1_000_000
        self._matrices: OrderedDict[str, NDArray[np.float32]] = OrderedDict()
        self._store: VectorStore | None = None
        self._scan: IntegerScan | None = None
        self._lock = threading.Lock()

    def search(
        self, query: NDArray[np.float32], rows: Rows | None, name: str | None, limit: int
    ) -> tuple[Rows, NDArray[np.float32]]:
        """Return the nearest `limit` rows and their cosines, nearest first.

        `rows` restricts the search, None means everything. A scope that will be asked again has a
        `name`, under which its matrix is kept.
        """
        count = len(self._keys if rows is None else rows)
        if name is not None and count <= self._exact_chunks:
            scores = cosines_of(self._kept(name, lambda: self._vectors_of(rows)), query)
        elif count > GATHERED and len(self._keys) <= self._scan_chunks:
            return self._scanned(query, rows, limit)
        elif rows is None and self._store_opens():
            return self._approximate(query, limit)
        else:
            vector_rows = self._vectors_of(rows)
            blocks = [vector_rows[start : start + BLOCK] for start in range(0, count, BLOCK)]
            scores = np.concatenate(
                [cosines_of(self._vectors.gather(block), query) for block in blocks]
                or [np.empty(0, np.float32)]
            )
        best = top(scores, limit)
        return best if rows is None else rows[best], scores[best]

    def cosines(self, query: NDArray[np.float32], rows: Rows) -> NDArray[np.float32]:
        """Return the exact cosine of each of a few rows."""
        return cosines_of(self._vectors.gather(self._vector_rows[rows]), query)

    def vector(self, row: int) -> NDArray[np.float32]:
        """Return a chunk's unit vector, (d,)."""
        vector: NDArray[np.float32] = self._vectors.gather(self._vector_rows[row : row + 1])[0]
        return vector

    def nearest_by_sentence(
        self, query: NDArray[np.float32], rows: Rows, counts: Rows, name: str | None, limit: int
    ) -> dict[int, float]:
        """Map the `limit` rows that hold the nearest sentences to the cosines of those.

        `counts` are the numbers of sentences of the rows. A scope with more sentences than may be
        searched exactly gives nothing.
        """
        total = int(counts.sum())
        if not 0 < total <= self._exact_chunks:
            return {}
        kept = self._kept(f"sentences of {name}" if name else None, lambda: self._sentence_rows(rows, counts))
        scores = cosines_of(kept, query)
        owners = np.repeat(rows, counts)
        best: dict[int, float] = {}
        for position in top(scores, total):
            best.setdefault(int(owners[position]), float(scores[position]))
            if len(best) == limit:
                break
        return best

    def sentences(self, rows: Rows, counts: Rows) -> NDArray[np.float32]:
        """Return the unit vectors of the chunks' sentences one after another, (sum of `counts`, d).

        `counts` are the numbers of sentences of the rows.
        """
        return self._vectors.gather(self._sentence_rows(rows, counts))

    def _sentence_rows(self, rows: Rows, counts: Rows) -> Rows:
        # A chunk's sentences lie behind its own vector.
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        found: Rows = np.repeat(self._vector_rows[rows] + 1, counts) + within
        return found

    def _store_opens(self) -> bool:
        """Whether the store can be asked; where it cannot, search is exact and slower.

        Later builds sweep it while this generation is held, and Chroma writes where it only reads.
        """
        return self._store_folder.is_dir() and os.access(self._store_folder, os.W_OK)

    def _scanned(
        self, query: NDArray[np.float32], rows: Rows | None, limit: int
    ) -> tuple[Rows, NDArray[np.float32]]:
        """Look at every chunk roughly, and at those that could be among the nearest exactly."""
        with self._lock:
            if self._scan is None:
                self._scan = IntegerScan(self._vectors.raw(self._vector_rows))
        rough = self._scan.cosines(query)
        near = top(rough if rows is None else rough[rows], limit * OVERSAMPLING)
        return self._nearest(query, near if rows is None else rows[near], limit)

    def _approximate(self, query: NDArray[np.float32], limit: int) -> tuple[Rows, NDArray[np.float32]]:
        with self._lock:
            if self._store is None:
                self._store = VectorStore(self._store_folder)
        found = self._store.nearest(query, min(limit * OVERSAMPLING, len(self._keys)))
        return self._nearest(query, np.searchsorted(self._keys, found), limit)

    def _nearest(
        self, query: NDArray[np.float32], candidates: Rows, limit: int
    ) -> tuple[Rows, NDArray[np.float32]]:
        """Return the nearest of a few candidates by their exact cosines; ties in the order of rows."""
        rows = np.sort(candidates)
        scores = self.cosines(query, rows)
        best = top(scores, limit)
        return rows[best], scores[best]

    def _vectors_of(self, rows: Rows | None) -> Rows:
        """Return which rows of the file are the vectors of the given chunks; None means everything."""
        return self._vector_rows if rows is None else self._vector_rows[rows]

    def _kept(self, name: str | None, vector_rows: Callable[[], Rows]) -> NDArray[np.float32]:
        """Return the vectors of the given rows of the file, kept under `name` if there is one."""
        if name is None:
            return self._vectors.gather(vector_rows())
        with self._lock:
            matrix = self._matrices.pop(name, None)
            if matrix is None:
                matrix = self._vectors.gather(vector_rows())
            self._matrices[name] = matrix
            # The one just used stays even where it alone exceeds the budget.
            while len(self._matrices) > 1 and sum(m.nbytes for m in self._matrices.values()) > self._budget:
                self._matrices.popitem(last=False)
            return matrix

    def close(self) -> None:
        if self._store is not None:
            self._store.close()


def cosines_of(vectors: NDArray[np.float32], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosine of each of (n, d) unit vectors with a (d,) unit vector.

    Not the matrix product `@`: BLAS splits even this small one over threads that wait for each
    other, which on a busy machine takes ten milliseconds in place of a third of one.
    """
    scores: NDArray[np.float32] = np.vecdot(vectors, query)
    return scores


def top(scores: NDArray[np.float32], limit: int) -> Rows:
    """Return the positions of the `limit` highest scores, highest first, ties in order."""
    if len(scores) <= limit:
        return np.argsort(-scores, kind="stable")
    # Everything at or above the limit-th score, so that ties at the edge are cut in order too.
    threshold = np.partition(scores, len(scores) - limit)[len(scores) - limit]
    candidates = np.flatnonzero(scores >= threshold)
    return candidates[np.argsort(-scores[candidates], kind="stable")][:limit]
