"""BEIR folders: which queries are asked, what is judged, and what is wrong said with its line."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from eval.questions.sets import open_set


def lines(rows: Iterable[object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_beir_asks_what_the_split_judges(beir: Path) -> None:
    found = open_set(str(beir))
    assert [(question.id, question.question) for question in found.questions] == [
        ("1", "Mice sleep."),
        ("2", "Mice fast."),
    ]
    assert [question.relevant for question in found.questions] == [{"d1": 2, "d2": 0}, {"d2": 0}]
    assert (found.name, found.paths, found.records) == ("mice-test", (beir / "corpus.jsonl.xz",), ())
    assert [question.id for question in open_set(str(beir), split="train").questions] == ["3"]


def test_the_only_split_need_not_be_named(beir: Path) -> None:
    (beir / "qrels" / "test.tsv").unlink()
    assert open_set(str(beir)).name == "mice-train"


def test_an_unknown_split_names_the_splits(beir: Path, refusal: Callable[..., str]) -> None:
    assert refusal(beir, "dev") == f"{beir}: there is no split 'dev'; its splits are test, train"


def test_documents_without_a_title_become_records_with_one(beir: Path) -> None:
    long = "one two three four five six seven eight nine ten eleven twelve thirteen"
    packed = beir / "corpus.jsonl.xz"
    titled = lzma.decompress(packed.read_bytes()).decode()
    packed.unlink()
    (beir / "corpus.jsonl").write_text(titled + lines([{"_id": "d3", "title": "", "text": long}]), "utf-8")
    found = open_set(str(beir))
    assert found.paths == ()
    assert [record.id for record in found.records] == ["d1", "d2", "d3"]
    assert found.records[2].title == "one two three four five six seven eight nine ten eleven twelve…"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("1\td1", "3: expected three columns (query, document, grade), got 2"),
        ("1\td1\thigh", "3: grade: expected a whole number, got 'high'"),
        ("9\td1\t1", " expected judgements of queries in queries.jsonl.gz; 1 are of others, '9' the first"),
    ],
)
def test_bad_judgements_are_named_with_their_line(
    beir: Path, row: str, said: str, refusal: Callable[..., str]
) -> None:
    file = beir / "qrels" / "test.tsv"
    file.write_text(f"query-id\tcorpus-id\tscore\n1\td2\t1\n{row}\n", "utf-8")
    assert f"{file}:{said}" in refusal(beir)


def test_bad_queries_are_named_with_their_line(beir: Path, refusal: Callable[..., str]) -> None:
    packed = beir / "queries.jsonl.gz"
    good = gzip.decompress(packed.read_bytes()).decode()
    packed.unlink()
    file = beir / "queries.jsonl"
    file.write_text(
        good + lines([{"_id": "1", "text": "Mice sleep."}, {"_id": "2"}]) + '{"_id": "5", "te', "utf-8"
    )
    said = refusal(beir)
    assert f"{file}:4: id: expected each id once; '1' is also that of {file}:1" in said
    assert f"{file}:5: text: expected text that is not empty, found none" in said
    assert f"{file}:6: expected JSON; " in said
