"""Which papers a benchmark measures over."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.bench.corpus import corpus_papers, prepare_corpus
from index.encoder import Encoder
from index.errors import SourceError
from index.records import Explainer, Paper, Section, Topic
from index.settings import IndexSettings
from index.sources.base import Quarantined, Read

TOPIC = Topic(slug="reinforcement-learning", name="Reinforcement Learning", aliases=("RL",))


def _read(*records: Paper | Explainer) -> list[Read | Quarantined]:
    return [Read(record, "papers.jsonl", line) for line, record in enumerate(records, start=1)]


def _ids(found: list[Read | Quarantined], limit: int | None = None, *, whole: bool = False) -> list[str]:
    return [paper.id for paper in corpus_papers(found, TOPIC, limit, whole=whole)]


def test_papers_belong_by_tag_by_name_and_by_alias() -> None:
    found = _read(
        Paper(id="tagged", title="Walking Robots", tags=("Reinforcement Learning",)),
        Paper(id="named", title="Deep reinforcement learning for chess"),
        Paper(id="alias", title="Chess", abstract="We use RL."),
        Paper(id="other", title="Chess", abstract="We use a curl of the url."),
    )
    assert _ids(found) == ["tagged", "named", "alias"]
    assert _ids(found, whole=True) == ["tagged", "named", "alias", "other"]


def test_explainers_and_quarantined_records_are_left_out() -> None:
    explainer = Explainer(
        id="e", topic="RL", title="RL explained", sections=(Section(text="RL is learning."),)
    )
    assert _ids([*_read(explainer), Quarantined("papers.jsonl", 2, "expected JSON")]) == []


def test_the_limit_counts_each_paper_once() -> None:
    first, second, third = (Paper(id=name, title=f"RL paper {name}") for name in "abc")
    assert _ids(_read(first, first, second, third), limit=2) == ["a", "b"]


def test_reading_stops_at_the_limit() -> None:
    def endless() -> object:
        yield from _read(Paper(id="a", title="RL"), Paper(id="b", title="RL"))
        raise AssertionError("read on beyond the limit")

    assert [paper.id for paper in corpus_papers(endless(), TOPIC, 1, whole=False)] == ["a"]  # type: ignore[arg-type]


def test_the_same_inputs_are_encoded_once(paper_list: Path, encoder: Encoder, tmp_path: Path) -> None:
    settings = IndexSettings(data_dir=tmp_path)
    first, second = (
        prepare_corpus(paper_list, TOPIC.name, TOPIC.aliases, 3, settings, encoder, lambda _: None)
        for _ in range(2)
    )
    assert (first.encoded, second.encoded) == (3, 0)
    assert first.filled is not None
    assert first.filled.encoded == 3
    assert first.filled.raw_rate
    assert second.filled == first.filled  # what the first run took is still known
    assert first.index == second.index
    assert first.papers == second.papers
    assert {paper.id for paper in first.papers} == {"made-up-0", "made-up-1", "made-up-2"}


def test_other_inputs_have_a_folder_of_their_own(paper_list: Path, encoder: Encoder, tmp_path: Path) -> None:
    settings = IndexSettings(data_dir=tmp_path)
    folders = {
        prepare_corpus(
            paper_list, TOPIC.name, aliases, limit, settings, encoder, lambda _: None
        ).index.data_dir
        for aliases, limit in (((), 1), ((), 2), (("RL",), 1))
    }
    assert len(folders) == 3
    assert all(folder.parent == tmp_path / "bench" for folder in folders)
    assert {entry.name for entry in (tmp_path / "bench").iterdir()} == {folder.name for folder in folders}


def test_all_papers_can_be_taken_and_the_topic_asked_inside(
    paper_list: Path, encoder: Encoder, tmp_path: Path
) -> None:
    settings = IndexSettings(data_dir=tmp_path)
    corpus = prepare_corpus(paper_list, TOPIC.name, (), None, settings, encoder, lambda _: None, whole=True)
    assert len(corpus.papers) == 13
    assert {paper.id for paper in corpus.papers} - corpus.members == {"other"}
    assert {chunk.source_id for chunk in corpus.chunks} == {paper.id for paper in corpus.papers}
    assert {paper.id for paper in corpus.topic_papers} == corpus.members


def test_a_topic_that_no_paper_belongs_to_is_refused_by_name(
    paper_list: Path, encoder: Encoder, tmp_path: Path
) -> None:
    with pytest.raises(SourceError, match="Basket Weaving"):
        prepare_corpus(
            paper_list, "Basket Weaving", (), None, IndexSettings(data_dir=tmp_path), encoder, print
        )
