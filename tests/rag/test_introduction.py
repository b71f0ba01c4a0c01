"""Who brought a thing in: the title that is its name, and the earliest, before those that build on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from index.encoder import Encoder
from index.ingest.build import build
from index.settings import IndexSettings
from rag.answer import SearchRequest
from rag.engine import Engine
from rag.introduction import BEGINS, EARLIEST, IS, names_asked, title_scores
from rag.question import read_question

MOSSNET = frozenset({("mossnet",)})


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("Which paper introduced MossNet?", "mossnet"),
        ("Who first proposed the tidal pooling, and why?", "tidal pool"),
        ("Which paper proposed lantern search for sparse graphs?", "lantern search"),
        ("Which paper presented the Fern suite of puzzles?", "fern suit"),
        ("What paper first introduced ember-trees?", "ember tree"),
    ],
)
def test_the_name_is_what_stands_after_the_verb(asked: str, name: str) -> None:
    assert names_asked(read_question(asked)) == {tuple(name.split())}


def test_a_question_that_ends_at_its_verb_names_nothing() -> None:
    assert names_asked(read_question("By which paper was it introduced?")) == frozenset()


def test_a_title_counts_by_how_it_holds_the_name_and_by_its_date() -> None:
    scores = title_scores(
        MOSSNET,
        [
            ("MossNet: Growing Networks", "2015-01-01"),
            ("MossNet", "2016-01-01"),
            ("MossNet grows further", "2016-01-01"),
            ("Pruning MossNet", None),
            ("Growing Networks", "2010-01-01"),
            None,
        ],
    )
    expected = [BEGINS + IS + EARLIEST, BEGINS + IS + EARLIEST / 2, BEGINS + EARLIEST / 2, EARLIEST / 3, 0, 0]
    assert scores == pytest.approx(expected)


def test_the_paper_that_introduced_it_comes_before_those_that_say_its_name_more(
    encoder: Encoder, tmp_path: Path
) -> None:
    papers = [
        (
            "first",
            "Recursive Moss Networks for Seeds",
            "A network of moss sorts the seeds of trees by their coats. We call it RMN.",
            "2011-06-01",
        ),
        (
            "later",
            "Why recursive moss networks work",
            "We study recursive moss networks (RMN).",
            "2014-06-01",
        ),
        *((f"p{n}", f"Sorting {n} kinds of gravel", "Gravel is sorted.", "2009-06-01") for n in range(9)),
    ]
    lines = [
        json.dumps({"kind": "paper", "id": key, "title": title, "abstract": text, "date": date})
        for key, title, text, date in papers
    ]
    (tmp_path / "papers.jsonl").write_text("\n".join(lines))
    settings = IndexSettings(data_dir=tmp_path / "data")
    build([tmp_path / "papers.jsonl"], settings, encoder=encoder)
    with Engine(settings, encoder=encoder) as engine:
        for asked in ("Which paper introduced recursive moss networks?", "Who proposed RMN?"):
            results = engine.search(SearchRequest(query=asked)).results
            assert results[0].id == "first"
            assert all(0 <= result.score <= 1 for result in results)
        assert engine.search(SearchRequest(query="How do RMN work?")).results[0].id == "later"
