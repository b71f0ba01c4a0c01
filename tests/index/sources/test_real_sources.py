"""The readers on the real data, where it lies beside the project."""

from __future__ import annotations

import datetime as dt
import itertools
from pathlib import Path

import pytest

from index.records import Explainer, Paper, Topic
from index.sources.base import Quarantined, Read
from index.sources.detect import read


def only(folder: Path, pattern: str) -> Path:
    (path,) = folder.glob(pattern)
    return path


@pytest.fixture(scope="module")
def topic_page(shared_data: Path) -> list[Read]:
    found = list(read(only(shared_data, "seeds/004_*.txt")))
    assert not [item for item in found if isinstance(item, Quarantined)]
    return [item for item in found if isinstance(item, Read)]


@pytest.fixture(scope="module")
def listed(topic_page: list[Read]) -> list[Paper]:
    return [item.record for item in topic_page if isinstance(item.record, Paper)]


def test_topic_page_gives_the_topic(topic_page: list[Read]) -> None:
    topic = topic_page[0].record
    assert isinstance(topic, Topic)
    assert (topic.slug, topic.name, topic.aliases) == (
        "reinforcement-learning",
        "Reinforcement Learning",
        ("RL",),
    )
    assert topic.statistics is not None
    assert tuple(topic.statistics.model_dump().values()) == (1742, 237, 46, 1.4)
    assert topic.description.count(".") == 4


def test_topic_page_gives_thirty_papers(listed: list[Paper]) -> None:
    assert len(listed) == 30
    assert listed[0].date == dt.date(2026, 1, 20)
    assert listed[-1].date == dt.date(2025, 10, 14)
    assert all(paper.abstract and paper.authors and paper.tags_raw for paper in listed)
    assert sum(not paper.affiliations for paper in listed) == 2
    assert all("Reinforcement Learning" in paper.tags for paper in listed)


def test_totals_count_what_is_not_shown(listed: list[Paper]) -> None:
    paper = next(paper for paper in listed if "HydroGym" in paper.title)
    assert (len(paper.authors), paper.authors_total) == (3, 21)
    assert (len(paper.affiliations), paper.affiliations_total) == (3, 12)
    alone = next(paper for paper in listed if paper.authors == ("Nadav Merlis",))
    assert (alone.authors_total, alone.affiliations_total) == (1, 1)
    many = next(paper for paper in listed if "SpatialThinker" in paper.title)
    assert (len(many.tags), many.tags_total) == (6, 11)


def test_formulas_are_back_in_their_sentences(listed: list[Paper]) -> None:
    text = "\n".join(paper.abstract for paper in listed)
    for piece in (
        r"observes \(\ell\) steps",
        r"horizon \(\ell\), which",
        r"Fitted \(Q\)-iteration (FQI)",
        r"(\(O(T^{3/2})\)), a Mixed",
        r"length \(T\), rendering",
        r"(\(π_{\text{roll}} \neq π_θ\))",
        r"achieves 3.6 \(\times\) larger",
        r"and \(1.7\times\) better",
        r"(\(\ell=1\)) can",
        r"policy \(π^\star\) and",
    ):
        assert piece in text
    assert text.count(r"\(") == text.count(r"\)") == 23
    assert not [paper for paper in listed if "\n" in paper.abstract]


def test_tag_lines_are_split_where_a_reader_would(listed: list[Paper]) -> None:
    tags = {paper.tags_raw: paper.tags for paper in listed}
    line = "RL Benchmarks Reinforcement Learning Domain Generalization Visual RL Generalization in RL"
    assert tags[line] == (
        "RL Benchmarks",
        "Reinforcement Learning",
        "Domain Generalization",
        "Visual RL",
        "Generalization in RL",
    )
    assert all(" ".join(split) == raw.partition("+")[0] for raw, split in tags.items())
    assert max(len(split) for split in tags.values()) == 6


def test_explainer_page_gives_one_explainer_and_its_papers(shared_data: Path) -> None:
    found = [item.record for item in read(only(shared_data, "seeds/000_*.txt")) if isinstance(item, Read)]
    topic, explainer, *papers = found
    assert isinstance(topic, Topic)
    assert (topic.slug, topic.description, topic.aliases) == ("reinforcement-learning", "", ())
    assert isinstance(explainer, Explainer)
    assert [section.heading for section in explainer.sections] == [
        "What it is",
        "Why it matters",
        "In practice",
        "The tradeoff",
    ]
    assert len(papers) == 71
    assert all(isinstance(paper, Paper) and paper.headline and paper.summary for paper in papers)
    assert any(paper.title.startswith("$R^3$: Training") for paper in papers)


def test_conference_papers_are_read_without_loss(shared_data: Path) -> None:
    found = list(itertools.islice(read(shared_data / "papers.jsonl.xz"), 2000))
    assert all(isinstance(item, Read) for item in found)
    assert [item.line for item in found] == list(range(1, 2001))
    papers = [item.record for item in found if isinstance(item, Read) and isinstance(item.record, Paper)]
    assert len(papers) == 2000
    assert all(paper.abstract and paper.date for paper in papers)


def test_every_explainer_of_both_courses_is_read_clean(shared_data: Path) -> None:
    found = list(read(shared_data / "explainers"))
    assert all(isinstance(item, Read) for item in found)
    records = [item.record for item in found if isinstance(item, Read)]
    assert len(records) == 60
    assert len({record.id for record in records}) == 60
    prose = [
        section.text
        for record in records
        if isinstance(record, Explainer)
        for section in record.sections
        if "```" not in section.text
    ]
    for trace in ("<img", "<figure", "<Tip", "</", "[[the-", ":math:", ".. ", "](", "**"):
        assert not [text for text in prose if trace in text], trace
    assert sum(text.count(r"\(") for text in prose) > 400
