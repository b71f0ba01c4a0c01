"""A build brings every store to the same new state, and does no more work than it must."""

from __future__ import annotations

import errno
import gzip
import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from index.errors import IndexMissing, SourceError
from index.ingest.build import BuildReport, build
from index.records import Explainer, Paper, Record, Section, Topic
from index.stores.lexical import Scope, analyze

if TYPE_CHECKING:
    from tests.index.conftest import DataFolder

RL = Topic(slug="reinforcement-learning", name="Reinforcement Learning", aliases=("RL",))
BATTERIES = Paper(
    id="p1",
    title="Battery storage on farms",
    abstract="We size batteries for farms. They pay back in six years.",
    summary="Farm batteries pay back quickly.",
)
GRIPPERS = Paper(
    id="p2", title="Soft grippers", abstract="A gripper of silicone picks ripe tomatoes unharmed."
)


def counts(report: BuildReport) -> tuple[int, int, int, int]:
    return report.new, report.changed, report.unchanged, report.removed


def found(folder: DataFolder, words: str) -> list[str]:
    """Return the ids of the sources whose indexed text holds any of the words."""
    with folder.snapshot() as snapshot:
        keys, _ = snapshot.lexical.search(analyze(words), Scope(), 100)
        return sorted({snapshot.record_of(int(row)).id for row in snapshot.rows_of_keys(keys)})


def test_what_was_ingested_is_in_every_store(folder: DataFolder) -> None:
    report = folder.ingest(BATTERIES, GRIPPERS)
    assert counts(report) == (2, 0, 0, 0)
    assert (report.read, report.encoded, report.generation) == (2, 3, 1)
    assert folder.check() == {"p1": BATTERIES, "p2": GRIPPERS}


def test_unchanged_input_encodes_nothing_and_keeps_the_generation(folder: DataFolder) -> None:
    folder.ingest(BATTERIES, GRIPPERS)
    report = folder.ingest(GRIPPERS, BATTERIES)
    assert counts(report) == (0, 0, 2, 0)
    assert (report.encoded, report.generation) == (0, 1)


def test_a_changed_record_leaves_nothing_of_its_old_text(folder: DataFolder) -> None:
    folder.ingest(BATTERIES, GRIPPERS)
    changed = GRIPPERS.model_copy(update={"abstract": "A gripper of rubber lifts eggs."})
    assert counts(folder.ingest(changed)) == (0, 1, 0, 0)
    assert folder.check() == {"p1": BATTERIES, "p2": changed}
    assert found(folder, "tomatoes silicone") == []
    assert found(folder, "eggs") == ["p2"]


def test_only_the_changed_field_of_a_record_is_encoded(folder: DataFolder) -> None:
    folder.ingest(BATTERIES)
    report = folder.ingest(BATTERIES.model_copy(update={"summary": "Payback takes six years."}))
    assert (report.changed, report.encoded) == (1, 1)
    report = folder.ingest(BATTERIES.model_copy(update={"venue": "ICML"}))
    assert (report.changed, report.encoded) == (1, 0), "the old summary's vector was already there"
    folder.check()


def test_the_same_text_in_two_records_is_encoded_once(folder: DataFolder) -> None:
    twin = GRIPPERS.model_copy(update={"id": "p3"})
    assert folder.ingest(GRIPPERS, twin).encoded == 1
    assert folder.check().keys() == {"p2", "p3"}


def test_what_is_missing_from_the_sources_stays_unless_pruned(folder: DataFolder) -> None:
    folder.ingest(BATTERIES, GRIPPERS)
    assert counts(folder.ingest(BATTERIES)) == (0, 0, 1, 0)
    assert folder.check().keys() == {"p1", "p2"}
    assert counts(folder.ingest(BATTERIES, prune=True)) == (0, 0, 1, 1)
    assert folder.check() == {"p1": BATTERIES}
    assert found(folder, "gripper tomatoes") == []


def test_pruning_spares_the_records_of_a_file_that_was_cut_short(folder: DataFolder, tmp_path: Path) -> None:
    rng = random.Random(8)  # digits hardly compress: half of the file is about half of the lines
    papers = [Paper(id=f"n{n}", title=f"Note {n}", abstract=f"It says {rng.random()}.") for n in range(80)]
    whole = gzip.compress(folder.write(*papers).read_bytes())
    archive, other = tmp_path / "notes.jsonl.gz", tmp_path / "other.jsonl"
    archive.write_bytes(whole)
    other.write_text(GRIPPERS.model_dump_json() + "\n")
    folder.ingest_files(archive, other)
    archive.write_bytes(whole[: len(whole) // 2])
    other.write_text(BATTERIES.model_dump_json() + "\n")

    report = folder.ingest_files(archive, other, prune=True)
    assert "cut short" in report.quarantined[0].reason
    assert report.removed == 1
    assert folder.check().keys() == {"p1", *(paper.id for paper in papers)}


def test_a_missing_source_stops_the_build_before_anything_is_removed(
    folder: DataFolder, tmp_path: Path
) -> None:
    folder.ingest(BATTERIES, GRIPPERS)
    with pytest.raises(SourceError, match="there is none"):
        folder.ingest_files(folder.write(BATTERIES), tmp_path / "absent.jsonl", prune=True)
    assert folder.check().keys() == {"p1", "p2"}


def test_a_bad_record_is_set_aside_and_the_rest_goes_on(folder: DataFolder) -> None:
    lines = [BATTERIES.model_dump_json(), '{"id": "x"', "[1]", GRIPPERS.model_dump_json()]
    folder.source.write_text("\n".join(lines))
    report = folder.ingest_files(folder.source)
    assert (report.read, report.new, report.usable) == (2, 2, 2)
    assert [item.line for item in report.quarantined] == [2, 3]
    assert folder.check().keys() == {"p1", "p2"}


def test_nothing_usable_publishes_nothing(folder: DataFolder) -> None:
    folder.source.write_text("[]")
    report = folder.ingest_files(folder.source)
    assert (report.usable, report.generation) == (0, 0)
    with pytest.raises(IndexMissing, match="no build has finished"), folder.snapshot():
        pass


def test_everything_may_be_replaced_at_once(folder: DataFolder) -> None:
    folder.ingest(BATTERIES, RL)
    report = folder.ingest(GRIPPERS, prune=True)
    assert (report.new, report.removed) == (1, 2)
    assert folder.check() == {"p2": GRIPPERS}


def test_pruning_with_an_emptied_file_removes_nothing(folder: DataFolder) -> None:
    folder.ingest(BATTERIES, GRIPPERS)
    folder.source.write_text("")
    report = folder.ingest_files(folder.source, prune=True)
    assert (report.removed, len(report.quarantined)) == (0, 1)
    assert folder.check().keys() == {"p1", "p2"}


def test_only_the_current_generation_and_the_one_before_stay_on_disk(folder: DataFolder) -> None:
    for n in range(4):
        folder.ingest(BATTERIES.model_copy(update={"venue": f"ICML {2020 + n}"}))
    assert sorted(entry.name for entry in folder.paths.generations.iterdir()) == ["000003", "000004"]
    names = {entry.name for entry in folder.paths.root.iterdir()}
    vectors = folder.vectors_file.name
    assert names == {"build.lock", "catalog.sqlite", "generations", vectors}


def test_a_file_system_without_hard_links_is_no_obstacle(
    folder: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    folder.ingest(BATTERIES)
    monkeypatch.setattr("os.link", refuse)
    folder.ingest(GRIPPERS)
    assert folder.check() == {"p1": BATTERIES, "p2": GRIPPERS}


def test_an_interrupted_build_publishes_nothing_and_its_work_is_kept(folder: DataFolder) -> None:
    class Interrupts:
        def stage(self, name: str, total: int | None, unit: str) -> None:
            if name == "Indexing":
                raise KeyboardInterrupt

        def advance(self, count: int = 1) -> None:
            pass

    folder.ingest(BATTERIES)
    with pytest.raises(KeyboardInterrupt):
        build([folder.write(GRIPPERS)], folder.settings, encoder=folder.encoder, progress=Interrupts())
    assert folder.check() == {"p1": BATTERIES}
    report = folder.ingest_files(folder.source)
    assert (report.new, report.encoded) == (1, 0)
    assert folder.check().keys() == {"p1", "p2"}


def draw_paper(rng: random.Random) -> Paper:
    """Draw one of thirteen papers, each with a few possible texts, so that draws repeat and change."""
    nouns = ("valve", "reef", "lantern", "policy", "glacier", "enzyme")
    n = rng.randint(0, 12)
    sentences = [
        f"The {rng.choice(nouns)} {rng.choice(nouns)} took {rng.randint(2, 9)} days."
        for _ in range(rng.randint(1, 3))
    ]
    summary = rng.choice(("", *sentences))
    return Paper(id=f"p{n}", title=f"Study {n}", abstract=" ".join(sentences), summary=summary)


def test_stores_agree_with_a_plain_dictionary_after_every_one_of_thirty_changes(folder: DataFolder) -> None:
    rng = random.Random(20260730)
    model: dict[str, Record] = {}
    for step in range(30):
        batch: dict[str, Record] = {}
        if prune := rng.random() < 0.3:
            batch |= {key: model[key] for key in rng.sample(sorted(model), rng.randint(0, len(model)))}
        batch |= {paper.id: paper for paper in (draw_paper(rng) for _ in range(rng.randint(1, 4)))}
        report = folder.ingest(*batch.values(), prune=prune)

        same = sum(model.get(key) == record for key, record in batch.items())
        new = len(batch.keys() - model.keys())
        gone = model.keys() - batch.keys() if prune else set()
        assert counts(report) == (new, len(batch) - new - same, same, len(gone)), f"step {step}"
        model = {key: record for key, record in (model | batch).items() if key not in gone}
        assert folder.check() == model, f"step {step}"


def test_an_explainer_and_its_topic_arrive_together(folder: DataFolder) -> None:
    section = Section(heading="Idea", text="One acts and sees.")
    explainer = Explainer(id="e1", title="Acting by trial", topic="Trial and Error", sections=(section,))
    report = folder.ingest(explainer)
    assert counts(report) == (2, 0, 0, 0)
    with folder.snapshot() as snapshot:
        assert snapshot.topic("trial-and-error").name == "Trial and Error"
        assert {
            kind: len(members) for kind, members in snapshot.catalog.dated_members("trial-and-error").items()
        } == {"explainer": 1, "topic": 1}
        rows = snapshot.rows_of(Scope(topic="trial-and-error"))
        assert rows is not None
        assert [snapshot.record_of(int(row)).id for row in rows] == ["e1"]


def test_a_topic_added_later_moves_stored_records_into_it(folder: DataFolder) -> None:
    match = Paper(id="p8", title="Walking", abstract="A robot learns gaits by reinforcement-learning alone.")
    tagged = Paper(id="p9", title="Locomotion", abstract="Legs carry loads.", tags=("RL",))
    folder.ingest(match, tagged, GRIPPERS)
    with folder.snapshot() as snapshot:
        assert snapshot.topics == {}
        assert snapshot.lexical.matching(Scope(topic=RL.slug)).tolist() == []

    report = folder.ingest(RL.model_copy(update={"description": "Learning from rewards."}))
    assert (counts(report), report.encoded) == ((1, 0, 0, 0), 1)
    folder.check()
    with folder.snapshot() as snapshot:
        rows = snapshot.rows_of(Scope(topic=RL.slug))
        assert rows is not None
        assert {snapshot.record_of(int(row)).id for row in rows} == {"p8", "p9", RL.id}
        how = snapshot.catalog.rows("SELECT r.id, m.how FROM membership m JOIN records r ON r.key = m.record")
        assert dict(how) == {"p8": "match", "p9": "tag", RL.id: "tag"}

    # And out again, when the topic goes.
    folder.ingest(match, tagged, GRIPPERS, prune=True)
    folder.check()
    with folder.snapshot() as snapshot:
        assert snapshot.catalog.rows("SELECT * FROM membership") == []
        assert snapshot.lexical.matching(Scope(topic=RL.slug)).tolist() == []
