"""A reader stays on one whole generation, whatever builds do meanwhile and afterwards."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest

from index.errors import IndexDamaged, UnknownTopic
from index.ingest.build import build
from index.records import Paper, Topic
from index.snapshot import Snapshot
from index.stores.lexical import Scope, analyze

if TYPE_CHECKING:
    from tests.index.conftest import DataFolder

WATER = Topic(slug="water", name="Water", aliases=("H2O",), description="Water is wet and moves downhill.")
PUMP = Paper(id="pump", title="Pumps", abstract="A pump lifts water. It needs power.", tags=("Water",))
VALVE = Paper(id="valve", title="Valves", abstract="A valve stops water. It needs none.", tags=("Water",))


def seen(snapshot: Snapshot) -> dict[str, object]:
    """All that a reader can learn of a small index."""
    query = np.eye(1, int(snapshot.catalog.meta["dimension"]), dtype=np.float32)[0]
    rows, cosines = snapshot.dense.search(query, snapshot.rows_of(Scope()), "*", 50)
    keys, scores = snapshot.lexical.search(analyze("water pump valve power"), Scope(), 50)
    return {
        "texts": {snapshot.text_of(row).id: snapshot.text_of(row).text for row in range(snapshot.chunks)},
        "records": {snapshot.record_of(row).id: snapshot.record_of(row) for row in range(snapshot.chunks)},
        "dense": (rows.tolist(), cosines.tolist()),
        "lexical": (keys.tolist(), scores.tolist()),
        "members": {kind: len(members) for kind, members in snapshot.catalog.dated_members("water").items()},
    }


@pytest.mark.parametrize("exact_chunks", [0, 1_000], ids=["through Chroma", "in memory"])
def test_an_open_snapshot_answers_as_before_while_and_after_builds_publish(
    folder: DataFolder, exact_chunks: int
) -> None:
    folder.ingest(WATER, PUMP)
    settings = folder.settings.model_copy(update={"exact_chunks": exact_chunks, "scan_chunks": 0})
    changed = PUMP.model_copy(update={"abstract": "Another text, without its old words."})
    with folder.snapshot(settings) as snapshot:
        before = seen(snapshot)

        class Looks:
            """Reads at every report of the build that runs meanwhile."""

            stages = 0

            def stage(self, name: str, total: int | None, unit: str) -> None:
                self.stages += 1
                assert seen(snapshot) == before

            def advance(self, count: int = 1) -> None:
                assert seen(snapshot) == before

        looks = Looks()
        build(
            [folder.write(changed, VALVE)],
            folder.settings,
            prune=True,
            encoder=folder.encoder,
            progress=looks,
        )
        assert looks.stages >= 3
        assert seen(snapshot) == before
        with folder.snapshot(settings) as newer:
            assert seen(newer) != before

        folder.ingest(PUMP)
        folder.ingest(VALVE.model_copy(update={"venue": "ICML"}))
        assert not folder.paths.generation(1).exists(), "later builds have swept it"
        assert seen(snapshot) == before
        assert not folder.paths.generation(1).exists(), "reading has not made it anew"


def test_a_topic_answers_to_slug_name_and_alias_in_any_case_and_near_misses_are_named(
    folder: DataFolder,
) -> None:
    folder.ingest(WATER, PUMP)
    with folder.snapshot() as snapshot:
        for label in ("water", "Water", "WATER", "h2o", "H2O"):
            assert snapshot.topic(label) == WATER
        with pytest.raises(UnknownTopic, match="did you mean Water"):
            snapshot.topic("Watre")


def test_rows_of_a_scope(folder: DataFolder) -> None:
    folder.ingest(WATER, PUMP, Paper(id="dry", title="Sand", abstract="Sand is dry."))
    with folder.snapshot() as snapshot:
        assert snapshot.rows_of(Scope()) is None
        of_topic = snapshot.rows_of(Scope(topic="water"))
        assert of_topic is not None
        assert {snapshot.record_of(int(row)).id for row in of_topic} == {"topic:water", "pump"}
        papers = snapshot.rows_of(Scope(topic="water", kinds=("paper",)))
        assert papers is not None
        assert [snapshot.record_of(int(row)).id for row in papers] == ["pump"]
        assert [bool(explains) for explains in snapshot.explains] == [True, False, False]


def test_a_lost_generation_is_named_and_leaves_no_reader_open(folder: DataFolder) -> None:
    folder.ingest(PUMP)
    shutil.rmtree(folder.paths.generation(1))
    with (
        pytest.raises(IndexDamaged, match=r"000001 is gone; run `asktopic ingest --rebuild`"),
        folder.snapshot(),
    ):
        pass
    build([], folder.settings, rebuild=True, encoder=folder.encoder)
    assert folder.check() == {"pump": PUMP}
