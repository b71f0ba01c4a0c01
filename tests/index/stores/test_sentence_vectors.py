"""The vector file keeps directions, appends only, and never shows a gap as vectors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from index.errors import IndexDamaged
from index.stores.sentence_vectors import SentenceVectors, SentenceVectorWriter, holds, quantise, unit

DIMENSION = 384


def vectors(count: int, seed: int = 0) -> NDArray[np.float32]:
    found = np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


def write(path: Path, blocks: list[NDArray[np.float32]], committed: int = 0) -> list[int]:
    writer = SentenceVectorWriter(path, DIMENSION, committed)
    starts = [writer.append(block) for block in blocks]
    writer.sync()
    writer.close()
    return starts


def test_a_cosine_survives_eight_bits(tmp_path: Path) -> None:
    pairs = vectors(2_000)
    kept = unit(quantise(pairs))
    errors = np.abs((kept[:1_000] * kept[1_000:]).sum(axis=1) - (pairs[:1_000] * pairs[1_000:]).sum(axis=1))
    assert errors.mean() < 0.002
    assert np.linalg.norm(kept, axis=1) == pytest.approx(1, abs=1e-6)


def test_every_row_uses_the_whole_range_and_zero_stays_zero() -> None:
    rows = quantise(np.vstack([vectors(3), np.zeros((1, DIMENSION), np.float32)]))
    assert np.abs(rows.astype(int)).max(axis=1).tolist() == [127, 127, 127, 0]
    assert not unit(rows)[3].any()


def test_blocks_are_read_back_where_they_were_written(tmp_path: Path) -> None:
    path, blocks = tmp_path / "v.i8", [vectors(2, 1), vectors(5, 2), vectors(1, 3)]
    starts = write(path, blocks)
    assert starts == [0, 2, 7]
    read = SentenceVectors(path, DIMENSION, 8)
    for start, block in zip(starts, blocks, strict=True):
        assert (read.block(start, len(block)) * block).sum(axis=1) == pytest.approx(1, abs=1e-3)
    assert np.array_equal(read.gather(np.array([7, 0])), np.vstack([read.block(7, 1), read.block(0, 1)]))


def test_what_a_dead_build_left_behind_the_committed_rows_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "v.i8"
    write(path, [vectors(4, 1)])
    reader = SentenceVectors(path, DIMENSION, 2)
    before = reader.block(0, 2)
    with path.open("ab") as file:
        file.write(b"torn")
    assert write(path, [vectors(1, 9)], committed=2) == [2]
    assert path.stat().st_size == 3 * DIMENSION
    assert np.array_equal(reader.block(0, 2), before), "an open reader sees no difference"


def test_fewer_rows_than_were_committed_are_an_error_for_reader_and_writer(tmp_path: Path) -> None:
    path = tmp_path / "v.i8"
    write(path, [vectors(3)])
    assert holds(path, DIMENSION, 3)
    assert not holds(path, DIMENSION, 4)
    assert not holds(tmp_path / "absent.i8", DIMENSION, 1)
    with pytest.raises(IndexDamaged, match="lost vectors"):
        SentenceVectors(path, DIMENSION, 4)
    with pytest.raises(IndexDamaged, match="lost vectors"):
        SentenceVectorWriter(path, DIMENSION, 4)
    assert path.stat().st_size == 3 * DIMENSION


def test_no_rows_need_no_file(tmp_path: Path) -> None:
    empty = SentenceVectors(tmp_path / "absent.i8", DIMENSION, 0)
    assert empty.gather(np.empty(0, np.int64)).shape == (0, DIMENSION)


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="only Linux tells what is resident")
def test_the_memory_of_what_was_read_is_given_back(tmp_path: Path) -> None:
    path, rows = tmp_path / "v.i8", 100_000
    write(path, [vectors(rows, 1)])
    read = SentenceVectors(path, DIMENSION, rows)
    before = read.raw(np.arange(rows))
    for start in range(0, rows - 4, 40):
        read.block(start, 4)
    mapping = Path("/proc/self/smaps").read_text().partition(f"{path}\n")[2]
    resident = int(mapping.partition("Rss:")[2].split()[0]) * 1_024
    assert resident < rows * DIMENSION / 2
    assert np.array_equal(read.raw(np.arange(rows)), before)
