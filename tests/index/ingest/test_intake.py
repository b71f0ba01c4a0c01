"""How records of several pages and runs become one record a name, and topics come to be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from index.errors import BadTopic
from index.records import Explainer, Paper, Section, Topic

if TYPE_CHECKING:
    from tests.index.conftest import DataFolder

RL = Topic(
    slug="reinforcement-learning",
    name="Reinforcement Learning",
    aliases=("RL",),
    description="Agents learn by trial and error.",
)
FULL = Paper(id="p1", title="Tame motors", abstract="Motors are tamed by feedback.", tags=("Control",))
TEASER = Paper(id="p1", title="Tame Motors", summary="Feedback tames motors.", tags=("Motors",))


def explainer(topic: str, record_id: str = "e1") -> Explainer:
    section = Section(heading="Start", text="A loop senses and acts.")
    return Explainer(id=record_id, title="Loops", topic=topic, sections=(section,))


def topics(folder: DataFolder) -> dict[str, Topic]:
    return {key: record for key, record in folder.check().items() if isinstance(record, Topic)}


def test_parts_on_two_pages_become_one_paper(folder: DataFolder, tmp_path: Path) -> None:
    pages = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    for page, part in zip(pages, (FULL, TEASER), strict=True):
        page.write_text(part.model_dump_json() + "\n")
    report = folder.ingest_files(*pages)
    assert (report.read, report.new, report.quarantined) == (2, 1, ())
    (paper,) = folder.check().values()
    assert isinstance(paper, Paper)
    assert (paper.abstract, paper.summary) == (FULL.abstract, TEASER.summary)
    assert paper.tags == ("Control", "Motors")

    again = folder.ingest_files(*pages)
    assert (again.unchanged, again.changed, again.encoded, again.generation) == (1, 0, 0, 1)


def test_a_part_that_joins_an_unchanged_one_changes_it(folder: DataFolder) -> None:
    folder.ingest(FULL)
    assert folder.ingest(FULL, TEASER).changed == 1
    (paper,) = folder.check().values()
    assert isinstance(paper, Paper)
    assert (paper.abstract, paper.summary) == (FULL.abstract, TEASER.summary)


def test_parts_of_two_runs_become_one_paper_whichever_is_ingested_last(
    folder: DataFolder, tmp_path: Path
) -> None:
    pages = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    teaser = TEASER.model_copy(update={"title": FULL.title})
    for page, part in zip(pages, (FULL, teaser), strict=True):
        page.write_text(part.model_dump_json() + "\n")
    assert [folder.ingest_files(page).generation for page in (*pages, *pages)] == [1, 2, 2, 2]
    (paper,) = folder.check().values()
    assert isinstance(paper, Paper)
    assert (paper.abstract, paper.summary) == (FULL.abstract, TEASER.summary)
    assert paper.tags == ("Control", "Motors")


def test_a_file_may_still_take_back_what_it_alone_said(folder: DataFolder) -> None:
    folder.ingest(FULL.model_copy(update={"summary": "Feedback tames motors."}))
    folder.ingest(FULL)
    assert folder.check() == {"p1": FULL}


def test_a_paper_of_another_title_takes_nothing_from_the_one_it_replaces(
    folder: DataFolder, tmp_path: Path
) -> None:
    folder.ingest(FULL)
    other = tmp_path / "other.jsonl"
    wild = Paper(id="p1", title="Wild motors", summary="Nobody tames them.")
    other.write_text(wild.model_dump_json() + "\n")
    folder.ingest_files(other)
    assert folder.check() == {"p1": wild}


def test_the_same_record_twice_is_read_twice_and_counted_once(folder: DataFolder) -> None:
    report = folder.ingest(FULL, FULL)
    assert (report.read, report.new, report.quarantined) == (2, 1, ())


def test_one_id_for_two_papers_is_a_clash_that_names_both(folder: DataFolder) -> None:
    other = Paper(id="p1", title="Wild motors", abstract="Nobody tames them.")
    report = folder.ingest(FULL, other)
    (clash,) = report.quarantined
    assert clash.line == 2
    assert "'p1' already names another record" in clash.reason
    assert clash.reason.endswith(f"{folder.source}:1")
    assert folder.check() == {"p1": FULL}


def test_one_id_for_records_of_two_kinds_is_a_clash(folder: DataFolder) -> None:
    report = folder.ingest(FULL, explainer("", record_id="p1").model_copy(update={"title": FULL.title}))
    assert len(report.quarantined) == 1
    assert folder.check() == {"p1": FULL}


def test_explainers_of_one_id_are_not_joined(folder: DataFolder) -> None:
    longer = explainer("").model_copy(update={"sections": (Section(text="Another text."),)})
    report = folder.ingest(explainer(""), longer)
    assert len(report.quarantined) == 1
    assert folder.check() == {"e1": explainer("")}


def test_a_topics_description_survives_a_page_that_lacks_it(folder: DataFolder) -> None:
    folder.ingest(RL)
    folder.ingest(Topic(slug=RL.slug, name="reinforcement learning", aliases=("RLearn",)))
    assert topics(folder) == {RL.id: RL.model_copy(update={"aliases": ("RL", "RLearn")})}


def test_a_newer_description_replaces_the_older(folder: DataFolder) -> None:
    folder.ingest(RL)
    folder.ingest(RL.model_copy(update={"description": "Agents learn from rewards."}))
    assert topics(folder)[RL.id].description == "Agents learn from rewards."


def test_a_topic_named_by_an_explainer_or_the_operator_comes_to_be(folder: DataFolder) -> None:
    folder.ingest(explainer("Control Theory"), topic="Robots")
    assert topics(folder) == {
        "topic:control-theory": Topic(slug="control-theory", name="Control Theory"),
        "topic:robots": Topic(slug="robots", name="Robots"),
    }
    report = folder.ingest(explainer("Control Theory"), topic="Robots")
    assert (report.unchanged, report.changed, report.generation) == (3, 0, 1)


def test_a_described_topic_named_by_its_alias_does_not_come_to_be_twice(folder: DataFolder) -> None:
    folder.ingest(RL, explainer("RL"), topic="rl")
    assert topics(folder) == {RL.id: RL}


def test_a_bare_topic_gives_way_to_one_that_answers_to_its_name(folder: DataFolder) -> None:
    folder.ingest(explainer("RL"), topic="RL")
    assert topics(folder) == {"topic:rl": Topic(slug="rl", name="RL")}
    report = folder.ingest(RL)
    assert (report.new, report.removed) == (1, 1)
    assert topics(folder) == {RL.id: RL}
    with folder.snapshot() as snapshot:
        assert snapshot.topic("rl").slug == RL.slug
        assert {kind: len(members) for kind, members in snapshot.catalog.dated_members(RL.slug).items()} == {
            "explainer": 1,
            "topic": 1,
        }


def test_a_described_topic_takes_over_the_bare_one_of_its_slug(folder: DataFolder) -> None:
    folder.ingest(explainer("Reinforcement Learning"))
    report = folder.ingest(RL)
    assert (report.new, report.changed, report.removed) == (0, 1, 0)
    assert topics(folder) == {RL.id: RL}


def test_pruning_a_description_leaves_the_topic_that_its_explainer_names(folder: DataFolder) -> None:
    folder.ingest(RL, explainer("Reinforcement Learning"))
    report = folder.ingest(explainer("Reinforcement Learning"), prune=True)
    assert (report.changed, report.unchanged, report.removed) == (1, 1, 0)
    assert topics(folder) == {RL.id: Topic(slug=RL.slug, name=RL.name)}


def test_pruning_keeps_topics_that_are_still_named(folder: DataFolder) -> None:
    folder.ingest(FULL, explainer("Loops"), topic="Motors")
    report = folder.ingest(explainer("Loops"), topic="Motors", prune=True)
    assert report.removed == 1
    assert set(topics(folder)) == {"topic:loops", "topic:motors"}


def test_no_topic_comes_to_be_where_nothing_could_be_read(folder: DataFolder) -> None:
    folder.source.write_text("{broken\n")
    assert folder.ingest_files(folder.source, topic="Robots").generation == 0


@pytest.mark.parametrize("name", ["x" * 201, "  ", "—", "ﬃ" * 200])
def test_an_explainer_of_an_impossible_topic_is_set_aside(folder: DataFolder, name: str) -> None:
    report = folder.ingest(explainer(name), FULL)
    (bad,) = report.quarantined
    assert bad.line == 1
    assert bad.reason.startswith("topic: expected a name")
    assert folder.check() == {"p1": FULL}


@pytest.mark.parametrize("name", ["x" * 300, "  ", "", "a\ud800"])
def test_an_impossible_topic_of_the_operator_stops_the_ingest_before_it_starts(
    folder: DataFolder, name: str
) -> None:
    with pytest.raises(BadTopic, match=r"^topic: expected a name .*$"):
        folder.ingest(FULL, topic=name)
    assert not folder.paths.root.exists()


@pytest.mark.parametrize("record_id", [".", "..", "..."])
def test_an_id_of_dots_is_set_aside(folder: DataFolder, record_id: str) -> None:
    folder.source.write_text(FULL.model_dump_json().replace('"p1"', f'"{record_id}"'))
    (bad,) = folder.ingest_files(folder.source).quarantined
    assert bad.reason == f"id: expected an id of more than dots, got '{record_id}'"


def test_the_counts_add_up(folder: DataFolder) -> None:
    clash = FULL.model_copy(update={"title": "Wild motors"})
    other = Paper(id="p2", title="Pumps", abstract="A pump lifts water.")
    for records in ((FULL, FULL, TEASER, clash, explainer("Loops")), (FULL, other, explainer("Loops"))):
        report = folder.ingest(*records, topic="Robots")
        assert report.read == len(records) - len(report.quarantined)
        assert report.read - report.joined + report.named == report.usable
    assert (report.joined, report.named, len(report.quarantined)) == (0, 2, 0)


def test_text_is_stored_repaired_and_its_invisible_characters_are_counted(folder: DataFolder) -> None:
    report = folder.ingest(
        FULL.model_copy(update={"abstract": "Mo\u200btors are ta\u202emed.\nBy feedback."})
    )
    assert report.invisible_characters == 2
    (paper,) = folder.check().values()
    assert paper.field("abstract") == "Motors are tamed. By feedback."
