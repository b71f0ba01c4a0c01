from __future__ import annotations

import json
from typing import Any

import pytest

from eval.questions.make.feedback import Drafts, drafts_from_feedback


def drafts(*lines: dict[str, Any] | str, comments: bool = True) -> Drafts:
    return drafts_from_feedback(
        [line if isinstance(line, str) else json.dumps(line) for line in lines], comments=comments
    )


def down(question: str, **other: Any) -> dict[str, Any]:
    return {"question": question, "helpful": False, **other}


def test_the_most_frequent_comes_first_and_the_same_question_once() -> None:
    made = drafts(
        down("Why is it slow?"),
        down("What is  PPO?", comment="wrong paper"),
        {"question": "what is PPO", "rating": "down", "comment": "too short"},
        {"question": "What is PPO?", "rating": 1},
    )
    assert [one.question for one in made.questions] == ["What is  PPO?", "Why is it slow?"]
    first = made.questions[0]
    assert first.draft
    assert "2 times" in first.source
    assert "“wrong paper”" in first.source
    assert "“too short”" in first.source
    assert not first.gold_answer
    assert not made.bad


def test_keeps_what_was_asked_under_which_conditions() -> None:
    filters = {"from": "2020-01-01", "venues": ["ICML"]}
    history = [{"question": "What is PPO?", "answer": "A method."}]
    cited = {"id": "a1", "citations": [{"source_id": "p1", "n": 1}], "sources": [{"id": "p2"}, "p3"]}
    made = drafts(
        down("And why?", topic="rl", filters=filters, history=history, answer=cited), down("And why?")
    )
    assert len(made.questions) == 2
    one = made.questions[0]
    assert (one.topic, one.filters.venues, one.history[0].question) == ("rl", ("ICML",), "What is PPO?")
    assert "cited p1, p2, p3" in one.source
    assert one.relevant == {}


@pytest.mark.parametrize(
    ("private", "comment"),
    [
        ("jo.doe@mail.example", "Write to jo.doe@mail.example please"),
        ("192.168.10.4", "from 192.168.10.4 it fails"),
        ("2001:db8:0:1::7", "from 2001:db8:0:1::7 it fails"),
        ("+49 170 1234567", "call +49 170 1234567"),
        ("Jo Doe", "My name is Jo Doe and this is wrong"),
        ("Jo Doe", "This is wrong. Best regards, Jo Doe"),
        ("https://x.example/u/7", "see https://x.example/u/7"),
    ],
)
def test_takes_out_what_tells_who_the_reader_is(private: str, comment: str) -> None:
    (one,) = drafts(down("Why?", comment=comment)).questions
    assert private not in one.source
    assert "[" in one.source


def test_unknown_fields_are_not_copied() -> None:
    (one,) = drafts(
        down("Why?", user="Jo Doe", ip="10.0.0.1", answer={"answer": "text", "id": "x"})
    ).questions
    assert "Jo" not in one.model_dump_json()
    assert "10.0.0.1" not in one.model_dump_json()


def test_numbers_in_comments_and_names_in_questions_stay() -> None:
    (one,) = drafts(down("Is 38.5% of 2018 right — PPO", comment="it is 41.2% in 2019, not 38.5%")).questions
    assert one.question == "Is 38.5% of 2018 right — PPO"
    assert "41.2% in 2019, not 38.5%" in one.source


def test_comments_may_be_left_out() -> None:
    (one,) = drafts(down("Why?", comment="secret"), comments=False).questions
    assert "secret" not in one.source


def test_bad_lines_are_named_and_the_others_used() -> None:
    made = drafts_from_feedback(
        [
            b'{"question": "Why?", "helpful": false}\n',
            b"{nonsense\n",
            b"\n",
            b'{"question": "  ", "helpful": false}',
            b'{"question": "Why?"}',
            b'{"question": "Why?", "helpful": true, "rating": -1}',
            b'{"question": "Why?", "helpful": "no"}',
            b"[1]",
            b"\xff\xfe",
        ]
    )
    assert [one.question for one in made.questions] == ["Why?"]
    assert [bad.line for bad in made.bad] == [2, 4, 5, 6, 7, 8, 9]
    assert all("expected" in bad.reason or "contradict" in bad.reason for bad in made.bad), made.bad


def test_ids_do_not_depend_on_the_order() -> None:
    first, second = down("Why is it slow?"), down("What is PPO?")
    ids = {one.question: one.id for one in drafts(first, second).questions}
    assert ids == {one.question: one.id for one in drafts(second, first).questions}
