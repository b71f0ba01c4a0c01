"""Nearest by cosine: exact where it says exact, and the same through Chroma on a small corpus."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from index.errors import IndexDamaged
from index.stores.dense import BLOCK, DenseIndex, top
from index.stores.sentence_vectors import SentenceVectors, SentenceVectorWriter
from index.stores.vectors import VectorDocument, VectorStore, undisturbed

DIMENSION = 32
CHUNKS = 400


@pytest.fixture(scope="module")
def vectors() -> NDArray[np.float32]:
    """Unit vectors in a few loose clusters, as texts lie."""
    rng = np.random.default_rng(5)
    centres = rng.standard_normal((8, DIMENSION))
    found = centres[rng.integers(8, size=CHUNKS)] + 0.7 * rng.standard_normal((CHUNKS, DIMENSION))
    unit: NDArray[np.float32] = (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)
    return unit


@pytest.fixture(scope="module")
def stored(vectors: NDArray[np.float32], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vector file with two rows a chunk (its own, then one sentence's) and a Chroma folder."""
    folder = tmp_path_factory.mktemp("dense")
    writer = SentenceVectorWriter(folder / "v.i8", DIMENSION, 0)
    for vector in vectors:
        writer.append(np.vstack([vector, -vector]))
    writer.close()
    store = VectorStore(folder / "chroma", create=True)
    store.add(
        [
            VectorDocument(1_000 + 3 * row, f"c{row}", "s", "paper", vector)
            for row, vector in enumerate(vectors)
        ]
    )
    store.close()
    return folder


def open_dense(
    folder: Path, *, exact_chunks: int = 10_000, scan_chunks: int = 0, memory_mb: int = 1
) -> DenseIndex:
    return DenseIndex(
        1_000 + 3 * np.arange(CHUNKS),
        2 * np.arange(CHUNKS),
        SentenceVectors(folder / "v.i8", DIMENSION, 2 * CHUNKS),
        folder / "chroma",
        exact_chunks=exact_chunks,
        scan_chunks=scan_chunks,
        memory_mb=memory_mb,
    )


def queries(count: int) -> NDArray[np.float32]:
    found = np.random.default_rng(6).standard_normal((count, DIMENSION)).astype(np.float32)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found


@pytest.mark.parametrize("name", ["a topic", None])
@pytest.mark.parametrize("exact_chunks", [10_000, 10], ids=["kept in memory", "too large to keep"])
def test_a_scope_is_searched_exactly(
    stored: Path, vectors: NDArray[np.float32], name: str | None, exact_chunks: int
) -> None:
    dense = open_dense(stored, exact_chunks=exact_chunks)
    scope = np.arange(0, CHUNKS, 3)
    for query in queries(20):
        rows, cosines = dense.search(query, scope, name, 10)
        expected = vectors[scope] @ query
        assert cosines == pytest.approx(np.sort(expected)[::-1][:10], abs=0.01)
        assert cosines == pytest.approx(dense.cosines(query, rows), abs=1e-6)
        # 8 bits may swap neighbours that differ by less than they resolve, and no others.
        assert (vectors[rows] @ query >= np.sort(expected)[-10] - 0.01).all()


def test_blocks_together_are_the_whole(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dense = open_dense(stored)
    query = queries(1)[0]
    whole = dense.search(query, None, None, 25)
    assert BLOCK > CHUNKS
    monkeypatch.setattr("index.stores.dense.BLOCK", 7)
    parts = dense.search(query, None, None, 25)
    assert np.array_equal(whole[0], parts[0])
    assert parts[1] == pytest.approx(whole[1], abs=1e-6)


@pytest.mark.parametrize("scope", [None, np.arange(0, CHUNKS, 3)], ids=["everything", "a scope"])
def test_a_scan_finds_exactly_what_looking_at_all_finds(
    stored: Path, monkeypatch: pytest.MonkeyPatch, scope: NDArray[np.int64] | None
) -> None:
    exact = open_dense(stored)
    monkeypatch.setattr("index.stores.dense.GATHERED", 7)
    scanning = open_dense(stored, exact_chunks=0, scan_chunks=CHUNKS)
    for query in queries(50):
        rows, cosines = exact.search(query, scope, "*", 10)
        found, scores = scanning.search(query, scope, "*", 10)
        assert np.array_equal(found, rows)
        assert scores == pytest.approx(cosines, abs=1e-6)


def test_chroma_finds_the_same_ten_as_looking_at_all(stored: Path) -> None:
    exact, approximate = open_dense(stored), open_dense(stored, exact_chunks=0)
    for query in queries(20):
        rows, cosines = exact.search(query, None, "*", 10)
        found, scores = approximate.search(query, None, "*", 10)
        assert np.array_equal(found, rows)
        assert scores == pytest.approx(cosines, abs=1e-6)
    approximate.close()


def test_chroma_is_asked_for_no_more_than_there_is_and_gives_a_hundred_of_them(stored: Path) -> None:
    dense = open_dense(stored, exact_chunks=0)
    rows, cosines = dense.search(queries(1)[0], None, "*", 100)
    assert len(set(rows.tolist())) == 100
    assert (np.diff(cosines) <= 0).all()
    assert len(dense.search(queries(1)[0], None, "*", 1_000)[0]) == CHUNKS
    dense.close()


def test_a_swept_store_is_never_made_anew_and_the_search_goes_on_exactly(stored: Path) -> None:
    dense = DenseIndex(
        np.arange(CHUNKS),
        2 * np.arange(CHUNKS),
        SentenceVectors(stored / "v.i8", DIMENSION, 2 * CHUNKS),
        stored / "swept",
        exact_chunks=0,
        scan_chunks=0,
        memory_mb=1,
    )
    query = queries(1)[0]
    assert np.array_equal(
        dense.search(query, None, "*", 10)[0], open_dense(stored).search(query, None, "*", 10)[0]
    )
    assert not (stored / "swept").exists()
    with pytest.raises(IndexDamaged, match="is gone"):
        VectorStore(stored / "swept")


def test_a_scope_is_read_once_while_it_fits_and_the_least_used_goes_first(stored: Path) -> None:
    vectors = SentenceVectors(stored / "v.i8", DIMENSION, 2 * CHUNKS)
    reads: list[int] = []
    gather = vectors.gather

    def counting(rows: NDArray[np.int64]) -> NDArray[np.float32]:
        reads.append(len(rows))
        return gather(rows)

    vectors.gather = counting  # type: ignore[method-assign]
    # A million bytes hold 7,812 vectors of 32 floats: two of these scopes, not three.
    scope = np.repeat(np.arange(CHUNKS), 9)
    keys = np.arange(CHUNKS)
    dense = DenseIndex(
        keys, 2 * keys, vectors, stored / "chroma", exact_chunks=10_000, scan_chunks=0, memory_mb=1
    )
    query = queries(1)[0]
    for name, expected in [("a", 1), ("b", 2), ("a", 2), ("c", 3), ("a", 3), ("b", 4), ("c", 5)]:
        dense.search(query, scope, name, 5)
        assert len(reads) == expected, name


def test_the_scope_in_use_stays_even_where_it_alone_exceeds_the_budget(stored: Path) -> None:
    dense = open_dense(stored, memory_mb=0)
    query = queries(1)[0]
    first, again = (dense.search(query, None, "*", 5) for _ in range(2))
    assert np.array_equal(first[0], again[0])


def test_an_empty_scope_finds_nothing(stored: Path) -> None:
    rows, cosines = open_dense(stored).search(queries(1)[0], np.empty(0, np.int64), None, 10)
    assert (len(rows), len(cosines)) == (0, 0)


def test_sentences_of_a_chunk_are_the_rows_behind_its_own(stored: Path, vectors: NDArray[np.float32]) -> None:
    sentences = open_dense(stored).sentences(np.array([7, 3, 0]), np.array([1, 0, 1]))
    assert sentences.shape == (2, DIMENSION)
    for sentence, row in zip(sentences, (7, 0), strict=True):
        assert float(sentence @ vectors[row]) == pytest.approx(-1, abs=1e-3)


@pytest.mark.parametrize("limit", [1, 3, 5, 6, 7, 100])
def test_top_is_a_stable_sort_cut_short(limit: int) -> None:
    rng = np.random.default_rng(limit)
    for _ in range(50):
        scores = rng.integers(0, 4, size=12).astype(np.float32)
        expected = sorted(range(12), key=lambda i: -scores[i])[:limit]
        assert top(scores, limit).tolist() == expected


def test_a_store_is_not_opened_while_another_process_copies_or_opens_it(stored: Path) -> None:
    """Chroma writes to its files when it opens them, so a copy taken meanwhile may be torn."""
    opened = threading.Event()

    def opening() -> None:
        store = VectorStore(stored / "chroma")
        opened.set()
        store.close()

    reader = threading.Thread(target=opening)
    with undisturbed(stored / "chroma"):
        reader.start()
        assert not opened.wait(0.5), "ten times as long as opening takes"
    reader.join()
    assert opened.is_set()
