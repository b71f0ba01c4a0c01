"""A damaged data folder is named, with what to do, and what can be served goes on being served."""

from __future__ import annotations

import logging
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from index.errors import IndexDamaged
from index.follow import Follower
from index.records import Paper
from index.stores.vectors import VectorStore

if TYPE_CHECKING:
    from tests.index.conftest import DataFolder

PUMP = Paper(id="pump", title="Pumps", abstract="A pump lifts water. It needs power.")
VALVE = Paper(id="valve", title="Valves", abstract="A valve stops water. It needs none.")
GARBAGE = b"not what was here before " * 400


def damage(path: Path, how: str) -> None:
    """Harm a file without writing through a hard link to it."""
    content = path.read_bytes()
    path.unlink()
    if how != "deleted":
        path.write_bytes({"cut": content[: len(content) // 2], "garbage": GARBAGE}[how])


@pytest.mark.parametrize("how", ["deleted", "cut", "garbage"])
@pytest.mark.parametrize("file", ["meta.json", "*.term", "*.store"])
def test_a_damaged_lexical_index_is_refused_and_mended_by_a_rebuild(
    folder: DataFolder, file: str, how: str
) -> None:
    folder.ingest(PUMP)
    (path,) = folder.paths.lexical(1).glob(file)
    damage(path, how)
    with pytest.raises(IndexDamaged, match=r"lexical.* run `asktopic ingest --rebuild`"), folder.snapshot():
        pass
    with pytest.raises(IndexDamaged, match="--rebuild"):
        folder.ingest(VALVE)
    report = folder.ingest_files(rebuild=True)
    assert (report.rebuilt, report.encoded) == (1, 0)
    assert folder.check() == {"pump": PUMP}


def test_reading_a_lost_lexical_index_makes_no_empty_one(folder: DataFolder) -> None:
    folder.ingest(PUMP)
    lexical = folder.paths.lexical(1)
    (lexical / "meta.json").unlink()
    before = {path.name for path in lexical.iterdir()}
    with pytest.raises(IndexDamaged), folder.snapshot():
        pass
    assert {path.name for path in lexical.iterdir()} - {".tantivy-meta.lock"} <= before


def test_a_build_does_not_go_on_from_a_damaged_vector_store(folder: DataFolder) -> None:
    folder.ingest(PUMP)
    damage(folder.paths.chroma(1) / "chroma.sqlite3", "garbage")
    with pytest.raises(IndexDamaged, match=r"vector store.* run `asktopic ingest --rebuild`"):
        folder.ingest(VALVE)


def test_a_damaged_vector_store_is_refused_and_mended_by_a_rebuild(folder: DataFolder) -> None:
    folder.ingest(PUMP)
    damage(folder.paths.chroma(1) / "chroma.sqlite3", "garbage")
    with pytest.raises(IndexDamaged, match=r"vector store.* run `asktopic ingest --rebuild`"):
        VectorStore(folder.paths.chroma(1))
    folder.ingest_files(rebuild=True)
    assert folder.check() == {"pump": PUMP}


@pytest.mark.parametrize("how", ["deleted", "cut", "garbage"])
def test_a_damaged_file_of_vectors_is_refused_and_encoded_anew_by_a_rebuild(
    folder: DataFolder, how: str
) -> None:
    folder.ingest(PUMP)
    damage(folder.vectors_file, how)
    for act in (folder.check, lambda: folder.ingest(VALVE)):
        with pytest.raises(IndexDamaged, match=r"has lost vectors.* run `asktopic ingest --rebuild`"):
            act()
    assert folder.ingest_files(rebuild=True).encoded == 1
    assert folder.check() == {"pump": PUMP}


@pytest.mark.parametrize("how", ["cut", "garbage"])
@pytest.mark.parametrize("rebuild", [False, True])
def test_a_damaged_catalog_is_to_be_moved_away(folder: DataFolder, how: str, *, rebuild: bool) -> None:
    folder.ingest(PUMP)
    damage(folder.paths.catalog, how)
    told = rf"catalog\.sqlite is damaged .* move {folder.paths.root} away and run `asktopic ingest"
    with pytest.raises(IndexDamaged, match=told), folder.snapshot():
        pass
    with pytest.raises(IndexDamaged, match=told):
        folder.ingest_files(folder.source, rebuild=rebuild)
    shutil.move(folder.paths.root, folder.paths.root.with_name("away"))
    folder.ingest(PUMP)
    assert folder.check() == {"pump": PUMP}


def test_a_reader_serves_on_beside_a_damaged_catalog_and_moves_once_it_is_whole(
    folder: DataFolder, caplog: pytest.LogCaptureFixture
) -> None:
    folder.ingest(PUMP)
    follower = Follower(folder.settings, folder.fingerprint)
    try:
        with follower.lease() as first:
            pass
        whole = folder.paths.catalog.rename(folder.paths.root / "whole")
        folder.paths.catalog.write_bytes(GARBAGE)
        with caplog.at_level(logging.WARNING):
            for _ in range(3):
                with follower.lease() as held:
                    assert held is first
                    assert held.record_of(0) == PUMP
        assert len(caplog.records) == 1
        assert "still serving generation 1" in caplog.text
        whole.replace(folder.paths.catalog)
        folder.ingest(VALVE)
        with follower.lease() as held:
            assert held.generation == 2
    finally:
        follower.close()


def test_a_reader_that_has_nothing_to_serve_says_what_is_damaged(folder: DataFolder) -> None:
    folder.ingest(PUMP)
    damage(folder.paths.catalog, "garbage")
    follower = Follower(folder.settings, folder.fingerprint)
    try:
        for _ in range(2):
            with pytest.raises(IndexDamaged, match="is damaged"), follower.lease():
                pass
    finally:
        follower.close()
