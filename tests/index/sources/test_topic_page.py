"""The topic page dump."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from index.errors import SourceError
from index.records import Paper, Topic
from index.sources.base import Quarantined, Read
from index.sources.topic_page import TopicPage

FIXTURE = Path(__file__).parents[2] / "fixtures" / "topic_page.txt"


def read(path: Path) -> list[Read | Quarantined]:
    return list(TopicPage().read(path))


def papers(path: Path) -> list[Paper]:
    return [found.record for found in read(path) if isinstance(found, Read) and found.record.kind == "paper"]


def page(tmp_path: Path, *lines: str, title: str = "Graph Learning") -> Path:
    path = tmp_path / "page.txt"
    path.write_text("\n\n".join((title, "Latest papers", *lines)), encoding="utf-8")
    return path


def test_topic_carries_name_aliases_description_and_figures() -> None:
    topic = read(FIXTURE)[0].record  # type: ignore[union-attr]
    assert isinstance(topic, Topic)
    assert (topic.slug, topic.name) == ("graph-learning", "Graph Learning")
    assert topic.aliases == ("GL", "Learning on Graphs")
    assert topic.description.startswith("Graph learning fits")
    assert topic.statistics is not None
    assert topic.statistics.model_dump() == {
        "papers": 1204,
        "papers_last_four_weeks": 58,
        "change_percent": -12.0,
        "share_of_new_papers_percent": 0.7,
    }


def test_paper_carries_every_field() -> None:
    paper = papers(FIXTURE)[0]
    assert paper.title == "Counting Short Walks Is Enough"
    assert paper.date == dt.date(2025, 3, 3)
    assert paper.authors == ("Ana Lima", "Bo Vestergaard", "Chidi O. Eze")
    assert paper.authors_total == 7
    assert paper.affiliations == ("Harbour Institute, Lisbon", "Northern Lab")
    assert paper.affiliations_total == 4
    assert paper.tags == ("Graph Learning", "Expressive GL", "Walk Counting")
    assert paper.tags_total == 3
    assert paper.tags_raw == "Graph Learning Expressive GL Walk Counting"


def test_formulas_are_back_in_the_abstract() -> None:
    abstract = papers(FIXTURE)[0].abstract
    assert r"walks of length \(\ell\), with at most \(O(n^{3/2})\) edges" in abstract
    assert r"(\(T\)-shaped ones included)" in abstract
    assert r"2.5 \(\times\) faster and \(1.7\times\) smaller." in abstract
    assert "\n" not in abstract


def test_single_author_with_particle_and_affiliation_with_commas() -> None:
    paper = papers(FIXTURE)[1]
    assert paper.authors == ("Dana van der Berg",)
    assert paper.authors_total == 1
    assert paper.affiliations == ("School of Networks, Coastal University, Porto, Portugal.",)
    assert paper.date == dt.date(2025, 2, 28)
    assert (paper.tags_total, paper.tags_raw) == (6, "Robust GL Graph Learning Graph Augmentation+3")


def test_paper_without_affiliations() -> None:
    paper = papers(FIXTURE)[2]
    assert paper.authors == ("Eun-ji Park", "Farid Nazari")
    assert paper.affiliations == ()
    assert paper.affiliations_total is None
    assert paper.abstract.endswith("may see.")


def test_record_stands_at_the_line_of_its_date() -> None:
    lines = FIXTURE.read_text(encoding="utf-8").split("\n")
    found = [item for item in read(FIXTURE) if isinstance(item, Read) and item.record.kind == "paper"]
    assert [lines[(item.line or 0) - 1] for item in found] == [
        "Mar 3, 2025",
        "February 28, 2025",
        "Feb 11, 2025",
    ]


def test_abstract_that_ends_in_a_formula_is_no_author(tmp_path: Path) -> None:
    path = page(tmp_path, "Mar 3, 2025", "Bounds", "We bound it by", "T", "Ana Lima", "Graph Learning Bounds")
    (paper,) = papers(path)
    assert (paper.abstract, paper.authors) == (r"We bound it by \(T\)", ("Ana Lima",))


def test_paper_without_abstract(tmp_path: Path) -> None:
    (paper,) = papers(
        page(tmp_path, "Mar 3, 2025", "Bounds", "Ana Lima +1", "A Lab · B Lab", "Graph Learning")
    )
    assert (paper.title, paper.abstract, paper.authors_total) == ("Bounds", "", 2)
    assert paper.affiliations == ("A Lab", "B Lab")


def test_formula_in_a_title_stays_in_the_title(tmp_path: Path) -> None:
    lines = ("Mar 3, 2025", "Walks of length", r"\ell", "on trees", "We walk.", "Ana Lima", "Graph Learning")
    (paper,) = papers(page(tmp_path, *lines))
    assert (paper.title, paper.abstract) == (r"Walks of length \(\ell\) on trees", "We walk.")


def test_paper_without_tag_line_belongs_to_the_page_s_topic(tmp_path: Path) -> None:
    (paper,) = papers(page(tmp_path, "Mar 3, 2025", "Bounds", "We bound it.", "Ana Lima, Bo Park +1"))
    assert (paper.tags, paper.tags_total, paper.tags_raw) == (("Graph Learning",), None, "")


def test_broken_block_is_quarantined_and_its_neighbours_are_read(tmp_path: Path) -> None:
    good = ("Mar 4, 2025", "Bounds", "We bound it.", "Ana Lima", "Graph Learning")
    path = page(
        tmp_path, "Feb 30, 2025", "Never", "Ana Lima", "Graph Learning", "Mar 3, 2025", "Alone", *good
    )
    found = read(path)[1:]
    assert [type(item) for item in found] == [Quarantined, Quarantined, Read]
    assert isinstance(found[0], Quarantined)
    assert "Feb 30, 2025" in found[0].reason
    assert isinstance(found[1], Quarantined)
    assert "authors" in found[1].reason


def test_page_without_papers_says_so(tmp_path: Path) -> None:
    assert isinstance(read(page(tmp_path, "no dates here"))[-1], Quarantined)


def test_file_of_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("no such heading", encoding="utf-8")
    with pytest.raises(SourceError, match="Latest papers"):
        read(path)


def test_matches_by_content_alone() -> None:
    head = FIXTURE.read_bytes()
    assert TopicPage().matches(Path("anything.bin"), head)
    assert not TopicPage().matches(FIXTURE, b"Latest papers\n\nnone dated")
