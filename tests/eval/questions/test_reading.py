"""questions.jsonl: what is read, what is refused and how it is said, and that it is written back the same."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import lzma
from pathlib import Path
from typing import Any

import pytest

from eval.questions.question import EvalQuestion, Nugget
from eval.questions.reading import BadQuestionSet, fingerprint, read_questions, write_questions
from index.errors import AsktopicError
from rag.answer import Filters, Turn

FULL = EvalQuestion(
    id="q-full",
    question="How fast is it – on two cores?",
    topic="reinforcement-learning",
    category="quantity",
    history=(Turn(question="What is it?", answer="A planner."),),
    filters=Filters(**{"from": dt.date(2020, 1, 1)}, authors=("Ann Lee",)),
    as_of=dt.date(2024, 5, 1),
    relevant={"p1": 2, "p2": 0},
    must_cite=("p1",),
    gold_answer="Three times as fast.",
    nuggets=(Nugget(text="It is three times as fast.", numbers=("3×",), forbidden=("slower",)),),
    source="own",
    licence="CC0",
    cluster="speed",
)


def line(key: str = "q1", **values: Any) -> str:
    return json.dumps({"id": key, "question": "What is a policy?", **values})


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "questions.jsonl"


def refusal(path: Path) -> str:
    with pytest.raises(BadQuestionSet) as caught:
        read_questions(path)
    assert isinstance(caught.value, AsktopicError)
    return caught.value.message


def test_what_is_written_is_read_back_the_same(file: Path) -> None:
    unanswerable = EvalQuestion(id="q2", question="And in 2040?", answerable=False, why_not="the future")
    write_questions(file, [FULL, unanswerable])
    assert read_questions(file) == (FULL, unanswerable)
    assert [found.name for found in file.parent.iterdir()] == ["questions.jsonl"]


def test_a_written_line_holds_no_default(file: Path) -> None:
    write_questions(file, [EvalQuestion(id="q1", question="What is a policy?")])
    assert file.read_text("utf-8") == '{"id": "q1", "question": "What is a policy?"}\n'


def test_text_beyond_ascii_is_written_as_it_looks(file: Path) -> None:
    write_questions(file, [FULL])
    assert "3×" in file.read_text("utf-8")
    assert '"from": "2020-01-01"' in file.read_text("utf-8")


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress])
def test_compressed_files_are_read_by_their_content(tmp_path: Path, pack: Any) -> None:
    path = tmp_path / "set"
    path.write_bytes(pack(line().encode()))
    assert [question.id for question in read_questions(path)] == ["q1"]


def test_byte_order_mark_crlf_and_blank_lines_are_no_faults(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + f"{line('a')}\r\n\r\n{line('b')}".encode())
    assert [question.id for question in read_questions(file)] == ["a", "b"]


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert refusal(file) == f"{file}: expected at least one question, found none"


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ('{"id": "q1", "question": ', "expected JSON; Expecting value, column 25"),
        ('["q1"]', "expected an object, got a list"),
        ('{"id": "q1"}', "question: expected a value, found none"),
        (line(question=" "), "question: expected text that is not empty, got blanks"),
        (line(question=7), "question: expected text, got 7"),
        (line("two words"), "id: expected an id without spaces, got 'two words'"),
        (line(answerable="no"), "answerable: expected true or false, got 'no'"),
        (line(relevant=["p1"]), "relevant: expected an object, got a list"),
        (line(relevant={"p1": "high"}), "relevant.p1: expected a whole number, got 'high'"),
        (line(relevant={"p1": -1}), "relevant.p1: expected greater than or equal to 0, got -1"),
        (line(must_cite="p1"), "must_cite: expected a list, got 'p1'"),
        (line(as_of="May 2024"), "as_of: expected a date as YYYY-MM-DD, got 'May 2024'"),
        (line(nuggets=[{"txt": "a"}]), "nuggets.0.txt: expected no such key; did you mean text?"),
        (line(anserable=True), "anserable: expected no such key; did you mean answerable?"),
        (line(mood="x"), "mood: expected no such key"),
        (line(answerable=False), "answerable is false: say in why_not what is missing"),
        ('{"id": "q1", "id": "q2", "question": "?"}', "expected each key once; 'id' occurs twice"),
        (line(question="\ud800?"), "expected valid Unicode text, found half of a surrogate pair"),
        (line(question="?" * 2001), "question: expected at most 2000 characters, got"),
    ],
)
def test_a_bad_line_is_named_with_field_and_fault(file: Path, bad: str, said: str) -> None:
    write(file, line("good"), bad)
    assert f"{file}:2: {said}" in refusal(file)


def test_a_line_that_is_not_utf8_is_named(file: Path) -> None:
    file.write_bytes(f"{line('good')}\n".encode() + line("caf\u00e9").encode().replace(b"\\u00e9", b"\xe9"))
    assert f"{file}:2: expected UTF-8 text; found byte 0xe9" in refusal(file)


def test_a_duplicate_id_names_both_lines(file: Path) -> None:
    write(file, line("a"), line("b"), line("a"))
    assert refusal(file) == f"{file}:3: id: expected each id once; 'a' is also that of {file}:1"


def test_all_faults_come_in_one_message_and_the_first_twenty_are_shown(file: Path) -> None:
    write(file, *[line(f"q{n}", mood=1) for n in range(1, 24)], line("good"))
    said = refusal(file).split("\n")
    assert said[0] == f"{file}: 23 faults"
    assert len(said) == 1 + 20 + 1
    assert said[20].startswith(f"  {file}:20: mood")
    assert said[-1] == "  and 3 more"


def test_each_fault_of_a_line_is_said(file: Path) -> None:
    write(file, line(question=7, topic=8))
    said = refusal(file)
    assert "question: expected text, got 7" in said
    assert "topic: expected text, got 8" in said


def test_a_file_cut_short_is_refused(file: Path) -> None:
    # Random-looking ids do not shrink, so that half of the packed bytes hold some of the lines.
    packed = gzip.compress("\n".join(line(f"{n * 7919 % 10007:x}") for n in range(2000)).encode())
    file.write_bytes(packed[: len(packed) // 2])
    assert "cut short" in refusal(file)


def test_no_file_is_refused(file: Path) -> None:
    assert "expected a readable file; no such file" in refusal(file)


def test_the_fingerprint_is_of_content_and_not_of_order() -> None:
    other = EvalQuestion(id="q2", question="Why?", relevant={"b": 1, "a": 1})
    turned = EvalQuestion(id="q2", question="Why?", relevant={"a": 1, "b": 1})
    assert fingerprint([FULL, other]) == fingerprint([turned, FULL])
    assert fingerprint([FULL, other]) != fingerprint([FULL])
    assert fingerprint([other]) != fingerprint([other.model_copy(update={"relevant": {"a": 1, "b": 2}})])
