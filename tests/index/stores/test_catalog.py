"""The catalog shows one generation to a reader for as long as the reader holds it."""

from __future__ import annotations

import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from index.errors import IndexDamaged, IndexMismatch, IndexMissing
from index.records import Paper, Topic
from index.stores.catalog import SCHEMA_VERSION, Catalog, CatalogWriter, StoredChunk

if TYPE_CHECKING:
    from tests.index.conftest import DataFolder

RL = Topic(slug="rl", name="RL")


def paper(record_id: str, date: dt.date | None = None, title: str = "A title") -> Paper:
    return Paper(id=record_id, title=title, abstract=f"Words of {record_id}.", date=date, tags=("RL",))


def test_before_any_ingest_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(IndexMissing, match="asktopic ingest PATH"):
        Catalog(tmp_path / "catalog.sqlite")


@pytest.mark.parametrize("tables", [True, False])
def test_while_the_first_build_runs_it_says_that_none_has_finished(tmp_path: Path, *, tables: bool) -> None:
    path = tmp_path / "catalog.sqlite"
    if tables:
        CatalogWriter(path).close()
    else:
        path.touch()
    with pytest.raises(IndexMissing, match="no build has finished"):
        Catalog(path)


def test_another_schema_is_refused_by_readers_and_writers(tmp_path: Path) -> None:
    path = tmp_path / "catalog.sqlite"
    writer = CatalogWriter(path)
    writer.set_meta(generation="1", fingerprint="f", schema=SCHEMA_VERSION + "x")
    writer.close()
    for opening in (Catalog, CatalogWriter):
        with pytest.raises(IndexMismatch, match=r"move .* away and run `asktopic ingest`"):
            opening(path)


@pytest.mark.parametrize("name", ["with space", "what?mode=memory", "100%41#x", "naïve"])
def test_a_data_folder_may_have_any_name(folder: DataFolder, tmp_path: Path, name: str) -> None:
    folder.settings = folder.settings.model_copy(update={"data_dir": tmp_path / name})
    folder.ingest(paper("p1"))
    with folder.snapshot() as snapshot:
        assert snapshot.catalog.record_key("p1") is not None
        assert folder.paths.catalog.parent == tmp_path / name


def test_an_open_reader_keeps_its_generation_while_later_ones_are_committed(folder: DataFolder) -> None:
    folder.ingest(RL, paper("p1"))
    old = Catalog(folder.paths.catalog)
    folder.ingest(RL, paper("p2"), prune=True)
    folder.ingest(RL, paper("p3"))
    new = Catalog(folder.paths.catalog)
    try:
        assert (old.generation, new.generation) == (1, 3)
        assert old.rows("SELECT id FROM records ORDER BY id") == [("p1",), ("topic:rl",)]
        assert new.rows("SELECT id FROM records ORDER BY id") == [("p2",), ("p3",), ("topic:rl",)]
        assert {kind: len(members) for kind, members in old.dated_members("rl").items()} == {
            "paper": 1,
            "topic": 1,
        }
        assert {kind: len(members) for kind, members in new.dated_members("rl").items()} == {
            "paper": 2,
            "topic": 1,
        }
        assert (old.record_key("p2"), new.record_key("p1")) == (None, None)
    finally:
        old.close()
        new.close()


def test_members_come_newest_first_undated_last_in_pages(folder: DataFolder) -> None:
    day = dt.date(2024, 5, 1)
    folder.ingest(
        RL,
        paper("undated"),
        paper("old", dt.date(2019, 1, 1)),
        paper("b", day, "Beta"),
        paper("a", day, "Alpha"),
        Paper(id="outside", title="Elsewhere", date=day),
    )
    catalog = Catalog(folder.paths.catalog)
    try:
        ids = [catalog.record(key).id for key in catalog.members("rl", "paper")]
        assert ids == ["a", "b", "old", "undated"]
        page = [catalog.record(key).id for key in catalog.members("rl", "paper", offset=1, limit=2)]
        assert page == ["b", "old"]
        assert catalog.members("rl", "explainer") == []
        key = catalog.record_key("a")
        assert key is not None
        assert catalog.topics_of(key) == ("rl",)
    finally:
        catalog.close()


def test_a_reader_cannot_write(folder: DataFolder) -> None:
    folder.ingest(paper("p1"))
    catalog = Catalog(folder.paths.catalog)
    try:
        with pytest.raises(IndexDamaged, match="readonly"):
            catalog.rows("DELETE FROM records")
    finally:
        catalog.close()


def test_one_reader_serves_many_threads(folder: DataFolder) -> None:
    papers = [paper(f"p{n}") for n in range(40)]
    folder.ingest(*papers)
    catalog = Catalog(folder.paths.catalog)
    keys = [catalog.record_key(item.id) for item in papers]
    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda key: catalog.record(key or 0), keys * 20))
        assert found == papers * 20
    finally:
        catalog.close()


def test_a_stored_chunk_goes_into_a_row_and_back() -> None:
    chunk = StoredChunk(1, 2, "id", "abstract", "Heading", 3, 9, ((3, 5), (6, 9)), 40)
    assert StoredChunk.of_row(chunk.row()) == chunk


def test_work_is_remembered_by_fingerprint_and_forgotten_by_it(tmp_path: Path) -> None:
    writer = CatalogWriter(tmp_path / "catalog.sqlite")
    writer.remember_embedded("f", [(b"one", 0, 3), (b"two", 3, 2)])
    writer.remember_embedded("g", [(b"one", 0, 1)])
    assert (writer.embedded("f", b"two"), writer.embedded("g", b"two")) == (3, None)
    assert (writer.embedded_rows("f"), writer.embedded_rows("g"), writer.embedded_rows("h")) == (5, 1, 0)
    writer.forget_other_embedded("g")
    assert (writer.embedded_rows("f"), writer.embedded_rows("g")) == (0, 1)
    writer.forget_embedded("g")
    assert writer.embedded_rows("g") == 0
    writer.close()
