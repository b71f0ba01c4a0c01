"""The vectors of chunks and their sentences: one append-only file of int8 rows.

A chunk's block is its own vector, then one row a sentence. Rows are unit vectors scaled so that
their largest component is ±127; the scale is not kept, since a cosine does not need it (the mean
error of a cosine is below 0.002 at 384 dimensions). At about nine sentences a paper a graph index
over all of them would cost more than it gives: they are only ever read block by block.
"""

from __future__ import annotations

import mmap
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

PLACES = 1_024
"""Places read before they are given back: 64 MB at most, and the reading of some 30 questions."""
BLOCK = 16_384
"""Rows read at once: of 87,000 chunks' vectors a fifth of the file, or 6 MB."""


def holds(path: Path, dimension: int, rows: int) -> bool:
    """Whether the file has as many rows, and they look like vectors."""
    if (path.stat().st_size if path.exists() else 0) < rows * dimension:
        return False
    stored = _rows(_map(path, rows * dimension), dimension)[:: max(1, rows // SAMPLE)].astype(np.int16)
    return bool(np.isin(np.abs(stored).max(axis=1, initial=0), (0, PEAK)).all())


class SentenceVectors:
    """Read access to `rows` rows of the file. Blocks committed before it was opened never change.

    Raises `IndexDamaged` where the file is gone, was cut short or overwritten.
    """

    def __init__(self, path: Path, dimension: int, rows: int) -> None:
        _check(path, dimension, rows)
        self.dimension = dimension
        self._mapped = _map(path, rows * dimension)
        self._rows = _rows(self._mapped, dimension)
        self._places = 0

    def block(self, start: int, count: int) -> NDArray[np.float32]:
        """Return rows [start, start + count) as unit vectors, (count, d)."""
        vectors = unit(self._rows[start : start + count])
        self._read(1)
        return vectors

    def gather(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the given rows as unit vectors, (n, d)."""
        return unit(self.raw(rows))

    def raw(self, rows: NDArray[np.int64]) -> NDArray[np.int8]:
        """Return the given rows as they are stored, (n, d)."""
        found = np.empty((len(rows), self.dimension), np.int8)
        for start in range(0, len(rows), BLOCK):
            block = rows[start : start + BLOCK]
            found[start : start + BLOCK] = self._rows[block]
            self._read(len(block))
        return found

    def _read(self, places: int) -> None:
        """Count what was read, and give it back to the system from time to time.

        Each place read brings 64 KB of the file into this process's memory, where it stays as long as
        the mapping: after some hundred questions all of the file would count as ours. To read a place
        again costs microseconds, since the system still has it.
        """
        self._places += places  # threads may lose a count of each other's, which does no harm
        if self._places >= PLACES and self._mapped is not None and hasattr(self._mapped, "madvise"):
            self._places = 0
            self._mapped.madvise(mmap.MADV_DONTNEED)


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


def _map(path: Path, size: int) -> mmap.mmap | None:
    if not size:  # an empty file cannot be mapped
        return None
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)


def _rows(mapped: mmap.mmap | None, dimension: int) -> NDArray[np.int8]:
    return np.frombuffer(mapped or b"", np.int8).reshape(-1, dimension)


def _check(path: Path, dimension: int, rows: int) -> None:
    if not holds(path, dimension, rows):
        raise IndexDamaged(f"{path} has lost vectors that the catalog lists; run `asktopic ingest --rebuild`")
