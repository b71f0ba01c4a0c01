"""What the tests of the importers share: a small BEIR folder, opening a file's text, being refused."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from eval.questions.reading import BadQuestionSet
from eval.questions.sets import QuestionSet, open_set


@pytest.fixture
def opened() -> Callable[[Path, str], QuestionSet]:
    """Write a text to a file, and open it as a set."""

    def write_and_open(path: Path, text: str) -> QuestionSet:
        path.write_text(text, "utf-8")
        return open_set(str(path))

    return write_and_open


@pytest.fixture
def refusal() -> Callable[..., str]:
    """Open a set that is refused; gives what is said."""

    def message(path: Path, split: str | None = None) -> str:
        with pytest.raises(BadQuestionSet) as caught:
            open_set(str(path), split=split)
        return caught.value.message

    return message


def lines(rows: Iterable[object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


CORPUS: list[dict[str, Any]] = [
    {
        "_id": "d1",
        "title": "Sleep",
        "text": "Mice slept. They woke.",
        "sentences": ["Mice slept.", "They woke. "],
    },
    {"_id": "d2", "title": "Food", "text": "Mice ate.", "sentences": ["Mice ate."]},
]
QUERIES = [
    {"_id": "1", "text": "Mice sleep."},
    {"_id": "2", "text": "Mice fast."},
    {"_id": "3", "text": "Rats?"},
]


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    folder = tmp_path / "mice"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl.xz").write_bytes(lzma.compress(lines(CORPUS).encode()))
    (folder / "queries.jsonl.gz").write_bytes(gzip.compress(lines(QUERIES).encode()))
    (folder / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\r\n1\td1\t2\r\n1\td2\t0\r\n2\td2\t-1\r\n", "utf-8"
    )
    (folder / "qrels" / "train.tsv").write_text("3\td2\t1\n", "utf-8")
    return folder
