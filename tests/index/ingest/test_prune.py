"""Pruning takes what the given paths no longer hold, and nothing that lies elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from index.ingest.prune import find_lost
from index.records import Explainer, Paper, Record, Section, Topic

if TYPE_CHECKING:
    from tests.index.conftest import DataFolder

PUMP = Paper(id="pump", title="Pumps", abstract="A pump lifts water.")
VALVE = Paper(id="valve", title="Valves", abstract="A valve stops water.")
LOOP = Explainer(id="loop", title="Loops", topic="Control", sections=(Section(text="A loop acts."),))
CONTROL = Topic(slug="control", name="Control", description="How loops are closed.")


def write(path: Path, *records: Record) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(record.model_dump_json() + "\n" for record in records), "utf-8")
    return path


@pytest.mark.parametrize(
    ("stored", "read", "unreadable", "records"),
    [
        pytest.param({"a": {"/s/1"}}, {}, (), {"a"}, id="gone from its only file"),
        pytest.param({"a": {"/s/1"}}, {"a": {"/s/2"}}, (), set(), id="moved"),
        pytest.param({"a": {"/s/1", "/t/1"}}, {}, (), set(), id="another file outside gave it too"),
        pytest.param({"a": {"/t/1"}, "b": {"/s2/1"}}, {}, (), set(), id="never given by the path"),
        pytest.param({"a": {"/s/1"}}, {}, ("/s/1",), set(), id="its file is damaged"),
        pytest.param({"a": {"/s/d/1"}}, {}, ("/s/d",), set(), id="its folder is shut"),
    ],
)
def test_what_is_lost(
    stored: dict[str, set[str]], read: dict[str, set[str]], unreadable: tuple[str, ...], records: set[str]
) -> None:
    lost = find_lost(stored, {"new": {"/s/new"}} | read, [Path("/s")], unreadable)
    assert lost.records == records


def test_a_path_that_gave_nothing_loses_nothing() -> None:
    stored = {"a": {"/s/1"}, "b": {"/t/1"}}
    lost = find_lost(stored, {"new": {"/t/2"}}, [Path("/s"), Path("/t")], ())
    assert lost.records == {"b"}
    assert lost.origins == {("b", "/t/1")}


def test_records_of_other_paths_and_the_topics_they_name_stay(folder: DataFolder, tmp_path: Path) -> None:
    write(tmp_path / "seeds" / "one.jsonl", PUMP)
    two = write(tmp_path / "seeds" / "two.jsonl", VALVE)
    folder.ingest_files(write(tmp_path / "a.jsonl", LOOP))
    folder.ingest_files(tmp_path / "seeds")
    assert folder.ingest_files(tmp_path / "seeds", prune=True).removed == 0
    two.unlink()
    assert folder.ingest_files(tmp_path / "seeds", prune=True).removed == 1
    assert folder.check().keys() == {"pump", "loop", "topic:control"}


def test_a_described_topic_of_another_path_keeps_its_description(folder: DataFolder, tmp_path: Path) -> None:
    folder.ingest_files(write(tmp_path / "topics.jsonl", CONTROL))
    folder.ingest_files(write(tmp_path / "loops.jsonl", LOOP), prune=True)
    assert folder.check() == {"topic:control": CONTROL, "loop": LOOP}


def test_an_empty_folder_removes_nothing_and_is_reported(folder: DataFolder, tmp_path: Path) -> None:
    file = write(tmp_path / "seeds" / "one.jsonl", PUMP)
    folder.ingest_files(tmp_path / "seeds")
    file.unlink()
    report = folder.ingest_files(tmp_path / "seeds", prune=True)
    assert (report.removed, [item.path for item in report.quarantined]) == (0, [str(tmp_path / "seeds")])
    assert folder.check() == {"pump": PUMP}


def test_a_record_that_two_files_gave_stays_until_both_have_lost_it(
    folder: DataFolder, tmp_path: Path
) -> None:
    one, two = write(tmp_path / "1.jsonl", PUMP), write(tmp_path / "2.jsonl", PUMP)
    folder.ingest_files(one)
    assert folder.ingest_files(two).unchanged == 1
    assert folder.ingest_files(write(one, VALVE), prune=True).removed == 0
    assert folder.ingest_files(write(two, VALVE), prune=True).removed == 1
    assert folder.check().keys() == {"valve"}


def test_a_path_is_known_again_from_another_folder_and_after_a_rebuild(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "seeds" / "one.jsonl", PUMP, VALVE)
    monkeypatch.chdir(tmp_path)
    folder.ingest_files(Path("seeds"))
    assert folder.ingest_files(rebuild=True).rebuilt == 2
    monkeypatch.chdir(tmp_path / "seeds")
    write(tmp_path / "seeds" / "one.jsonl", PUMP)
    assert folder.ingest_files(Path("../seeds"), prune=True).removed == 1
