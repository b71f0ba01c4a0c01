from __future__ import annotations

from pathlib import Path

import pytest

from eval.questions.make.writing import CannotMake, write_set
from eval.questions.question import EvalQuestion
from eval.questions.reading import read_questions
from eval.questions.sets import open_set
from index.records import Paper
from index.sources.base import Read
from index.sources.detect import read

QUESTION = EvalQuestion(id="q", question="Why?", relevant={"p": 1})
PAPER = Paper(id="p", title="On Bridges", abstract="Bridges sway.")


def test_a_set_is_written_and_opened_again(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "bridges"
    assert write_set(folder, iter([QUESTION]), iter([PAPER])) == 1
    opened = open_set(str(folder))
    assert opened.questions == (QUESTION,)
    (corpus,) = opened.paths
    assert [item.record for item in read(corpus) if isinstance(item, Read)] == [PAPER]


def test_without_documents_there_is_no_corpus(tmp_path: Path) -> None:
    write_set(tmp_path, [QUESTION])
    assert [path.name for path in tmp_path.iterdir()] == ["questions.jsonl"]


@pytest.mark.parametrize("name", ["questions.jsonl", "corpus.jsonl"])
def test_an_earlier_set_is_kept(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(CannotMake, match=name):
        write_set(tmp_path, [QUESTION], [PAPER])
    assert (tmp_path / name).read_text() == "mine"


def test_replacing_leaves_no_earlier_corpus(tmp_path: Path) -> None:
    write_set(tmp_path, [QUESTION], [PAPER])
    other = EvalQuestion(id="other", question="How?")
    write_set(tmp_path, [other], replace=True)
    assert read_questions(tmp_path / "questions.jsonl") == (other,)
    assert not (tmp_path / "corpus.jsonl").exists()


def test_no_questions_and_two_of_one_id_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotMake, match="no question"):
        write_set(tmp_path, [])
    with pytest.raises(CannotMake, match="'q'"):
        write_set(tmp_path, [QUESTION, QUESTION])
    assert not list(tmp_path.iterdir())
