"""The vectors of chunks and their sentences: one append-only file of int8 rows.

A chunk's block is its own vector, then one row a sentence. Rows are unit vectors scaled so that
their largest component is ±127; the scale is not kept, since a cosine does not need it (the mean
error of a cosine is below 0.002 at 384 dimensions). At about nine sentences a paper a graph index
over all of them would cost more than it gives: they are only ever read block by block.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from index.errors import IndexDamaged


def quantise(vectors: NDArray[np.float32]) -> NDArray[np.int8]:
    """Scale each row of (n, d) float vectors to int8. A zero row stays zero."""
    peak = np.abs(vectors).max(axis=1, keepdims=True)
    scaled: NDArray[np.float32] = np.rint(vectors * (PEAK / np.where(peak > 0, peak, 1.0)))
    return scaled.astype(np.int8)


def unit(rows: NDArray[np.int8]) -> NDArray[np.float32]:
    """Turn (n, d) int8 rows back into unit vectors. A zero row stays zero."""
    vectors = rows.astype(np.float32)
    norms = np.sqrt(np.vecdot(vectors, vectors))
    vectors /= np.where(norms > 0, norms, np.float32(1))[:, None]
    return vectors


VECTORS_VERSION = "1"
"""Part of the fingerprint of vectors: raise it when the file, or what a passage's vectors are, changes."""
PEAK = 127
"""Largest component of every row but zero rows, by which a row is told from other bytes."""
SAMPLE = 256
"""Rows looked at when a file is opened: under 10 ms from a cold disk. Finds a file overwritten, not a bit."""


def holds(path: Path, dimension: int, rows: int) -> bool:
    """Whether the file has as many rows, and they look like vectors."""
    if (path.stat().st_size if path.exists() else 0) < rows * dimension:
        return False
    stored = _map(path, dimension, rows)[:: max(1, rows // SAMPLE)].astype(np.int16)
    return bool(np.isin(np.abs(stored).max(axis=1, initial=0), (0, PEAK)).all())


class SentenceVectors:
    """Read access to `rows` rows of the file. Blocks committed before it was opened never change.

    Raises `IndexDamaged` where the file is gone, was cut short or overwritten.
    """

    def __init__(self, path: Path, dimension: int, rows: int) -> None:
        _check(path, dimension, rows)
        self.dimension = dimension
        self._rows = _map(path, dimension, rows)

    def block(self, start: int, count: int) -> NDArray[np.float32]:
        """Return rows [start, start + count) as unit vectors, (count, d)."""
        return unit(self._rows[start : start + count])

    def gather(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the given rows as unit vectors, (n, d)."""
        return unit(self._rows[rows])

    def raw(self, rows: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return the given rows as they are stored, (n, d)."""
        return self._rows[rows]


class SentenceVectorWriter:
    """Appends blocks. Only the build holds one, under the build lock.

    `committed` is the number of rows the catalog knows of; what lies behind them was written by a
    build that died and is cut off. Raises `IndexDamaged` where they are not there: appending would
    fill the gap with zeros, which are near to nothing.
    """

    def __init__(self, path: Path, dimension: int, committed: int) -> None:
        _check(path, dimension, committed)
        self.rows = committed
        self._file: BinaryIO = path.open("r+b" if path.exists() else "w+b")
        self._file.truncate(committed * dimension)
        self._file.seek(0, os.SEEK_END)

    def append(self, vectors: NDArray[np.float32]) -> int:
        """Write (n, d) vectors and return the number of the first row."""
        start = self.rows
        self._file.write(quantise(vectors).tobytes())
        self.rows += len(vectors)
        return start

    def sync(self) -> None:
        """Return once everything appended is on disk."""
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()


def _map(path: Path, dimension: int, rows: int) -> NDArray[np.int8]:
    if not rows:  # an empty file cannot be mapped
        return np.empty((0, dimension), dtype=np.int8)
    mapped = np.memmap(path, dtype=np.int8, mode="r", shape=(rows, dimension))
    return mapped.view(np.ndarray)  # a plain array: slicing a memmap runs Python code each time


def _check(path: Path, dimension: int, rows: int) -> None:
    if not holds(path, dimension, rows):
        raise IndexDamaged(f"{path} has lost vectors that the catalog lists; run `asktopic ingest --rebuild`")
