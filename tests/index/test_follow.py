"""Readers move to the newest generation at their next call, and let go of the old one."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from index.chunking import ChunkSettings
from index.errors import IndexMissing
from index.follow import Follower
from index.ingest.build import build
from index.records import Paper
from rag.answer import SearchRequest
from rag.engine import Engine

if TYPE_CHECKING:
    from tests.index.conftest import DataFolder

PUMP = Paper(id="pump", title="Pumps", abstract="A pump lifts water. It needs power.")
VALVE = Paper(id="valve", title="Valves", abstract="A valve stops water. It needs none.")


@pytest.fixture
def follower(folder: DataFolder) -> Iterator[Follower]:
    follower = Follower(folder.settings, folder.fingerprint)
    yield follower
    follower.close()


def ids(follower: Follower) -> list[str]:
    with follower.lease() as snapshot:
        return sorted({snapshot.record_of(row).id for row in range(snapshot.chunks)})


def generation(follower: Follower) -> int:
    with follower.lease() as snapshot:
        return snapshot.generation


def test_one_made_before_any_ingest_follows_the_first_build(folder: DataFolder, follower: Follower) -> None:
    for _ in range(2):
        with pytest.raises(IndexMissing, match="asktopic ingest"):
            ids(follower)
    folder.ingest(PUMP)
    assert ids(follower) == ["pump"]


def test_an_engine_made_before_any_ingest_becomes_ready(folder: DataFolder) -> None:
    with Engine(folder.settings, encoder=folder.encoder) as engine:
        assert not engine.readiness().ready
        with pytest.raises(IndexMissing, match="asktopic ingest"):
            engine.search(SearchRequest(query="What lifts water?"))
        folder.ingest(PUMP)
        readiness = engine.readiness()
        assert (readiness.ready, readiness.generation, readiness.sources) == (True, 1, 1)
        assert [found.id for found in engine.search(SearchRequest(query="What lifts water?")).results] == [
            "pump"
        ]


def test_the_next_call_after_a_build_sees_it_and_closes_the_old_snapshot(
    folder: DataFolder, follower: Follower
) -> None:
    folder.ingest(PUMP)
    with follower.lease() as old:
        pass
    folder.ingest(VALVE, prune=True)
    assert old.catalog.rows("SELECT 1"), "nothing has been asked since"
    assert (ids(follower), generation(follower)) == (["valve"], 2)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        old.catalog.rows("SELECT 1")


def test_a_build_that_changes_nothing_leaves_the_snapshot_in_use(
    folder: DataFolder, follower: Follower
) -> None:
    folder.ingest(PUMP)
    with follower.lease() as before:
        pass
    folder.ingest(PUMP)
    with follower.lease() as after:
        assert after is before


def test_a_lease_stays_on_its_generation_and_is_closed_at_its_end(
    folder: DataFolder, follower: Follower
) -> None:
    folder.ingest(PUMP)
    with follower.lease() as held:
        folder.ingest(VALVE, prune=True)
        assert ids(follower) == ["valve"]
        assert held.record_of(0) == PUMP
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        held.catalog.rows("SELECT 1")


def test_a_generation_of_other_settings_leaves_the_old_one_served(
    folder: DataFolder, follower: Follower, caplog: pytest.LogCaptureFixture
) -> None:
    folder.ingest(PUMP)
    assert ids(follower) == ["pump"]
    other = folder.settings.model_copy(update={"chunks": ChunkSettings(paper_tokens=16)})
    with caplog.at_level(logging.WARNING):
        build([folder.write(VALVE)], other, prune=True, rebuild=True, encoder=folder.encoder)
        assert ids(follower) == ["pump"]
    assert "still serving generation 1" in caplog.text
    build([], folder.settings, rebuild=True, encoder=folder.encoder)
    assert ids(follower) == ["valve"]


def test_a_data_folder_deleted_and_filled_anew_is_followed(folder: DataFolder, follower: Follower) -> None:
    """Its generations count from one again, so the number alone would not tell."""
    folder.ingest(PUMP)
    assert ids(follower) == ["pump"]
    shutil.rmtree(folder.paths.root)
    assert ids(follower) == ["pump"], "what is open goes on being served"
    folder.ingest(VALVE)
    assert (ids(follower), generation(follower)) == (["valve"], 1)


def test_reads_while_builds_publish_each_see_one_generation(folder: DataFolder, follower: Follower) -> None:
    """Generation n holds only papers of year n, so a read that mixes two would show."""

    def papers(year: int) -> list[Paper]:
        return [
            Paper(id=f"{year}-{n}", title=f"Pump {n}", abstract=f"In {year} pump {n} lifts water.")
            for n in range(5)
        ]

    folder.ingest(*papers(2001))
    done, seen = threading.Event(), set[tuple[int, frozenset[str]]]()

    def look() -> None:
        while not done.is_set():
            with follower.lease() as snapshot:
                found = frozenset(snapshot.record_of(row).id[:4] for row in range(snapshot.chunks))
                seen.add((snapshot.generation, found))

    readers = [threading.Thread(target=look) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        for year in range(2002, 2008):
            folder.ingest(*papers(year), prune=True)
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert {(number, frozenset({str(2000 + number)})) for number, _ in seen} == seen
    assert len(seen) > 1, "the readers must have seen several generations"
    assert generation(follower) == 7
