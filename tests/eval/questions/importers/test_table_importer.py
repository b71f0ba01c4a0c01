"""Tables with a header, as a spreadsheet writes them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from eval.questions.sets import QuestionSet, open_set


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_tables_are_read_by_their_header(tmp_path: Path, mark: str) -> None:
    header = mark.join(("Id", "Question", "Category", "Answer", "Relevant", "Answerable", "Notes"))
    cells = mark.join(
        ("q1", '"Do mice, as a rule,\nsleep?"', "in short", "Yes", '"d1=2; topic:mice"', "", "ask Ann")
    )
    no = mark.join(("q2", "Do mice fly?", "", "", "", "no", ""))
    path = tmp_path / ("set.tsv" if mark == "\t" else "set.csv")
    path.write_bytes(b"\xef\xbb\xbf" + f"{header}\r\n{cells}\r\n\r\n{no}\r\n".encode())
    first, second = open_set(str(path)).questions
    assert (first.id, first.question) == ("q1", "Do mice, as a rule,\nsleep?")
    assert (first.category, first.gold_answer) == ("in_short", "Yes")
    assert first.relevant == {"d1": 2, "topic:mice": 1}
    assert (second.answerable, second.why_not) == (False, "so says the table, without a reason")


def test_a_table_of_questions_alone_is_a_set(
    tmp_path: Path, opened: Callable[[Path, str], QuestionSet]
) -> None:
    found = opened(tmp_path / "set.csv", "question\nDo mice sleep?\n").questions
    assert [question.question for question in found] == ["Do mice sleep?"]


def test_bad_tables_are_named_with_their_line(tmp_path: Path, refusal: Callable[..., str]) -> None:
    path = tmp_path / "set.csv"
    path.write_text(
        "id,question,anwser,relevant,answerable,as_of\n"
        'q1,"Do\nmice?",,,perhaps,\n'
        "q1,Sleep?,,d1=high,,\n"
        "q2,,,,,\n"
        "q3,Sleep?,,,,spring\n"
        "q4,a,b,c,d,e,f\n"
        "q5,Sleep?,,,,\n"
        "q5,Sleep?,,,,\n",
        "utf-8",
    )
    said = refusal(path)
    for expected in (
        "1: column 'anwser': did you mean 'answer'?",
        "2: answerable: expected yes or no, got 'perhaps'",
        "4: grade: expected a whole number, got 'high'",
        "5: question: expected text that is not empty, found none",
        "6: date: expected a date as YYYY-MM-DD, got 'spring'",
        "7: expected at most 6 cells, got 7",
        f"9: id: expected each id once; 'q5' is also that of {path}:8",
    ):
        assert f"{path}:{expected}" in said


def test_a_table_cut_inside_a_quoted_cell_is_refused(tmp_path: Path, refusal: Callable[..., str]) -> None:
    (tmp_path / "set.csv").write_text('id,question\nq1,"Do mice\n', "utf-8")
    assert "set.csv:2: expected a table; unexpected end of data" in refusal(tmp_path / "set.csv")


def test_a_table_with_a_header_alone_has_no_question(tmp_path: Path, refusal: Callable[..., str]) -> None:
    (tmp_path / "set.csv").write_text("id,question\n", "utf-8")
    assert (
        refusal(tmp_path / "set.csv") == f"{tmp_path / 'set.csv'}: expected at least one question, found none"
    )
