"""RAGAS data sets by their names of today and of before, in JSON and in tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from eval.questions.sets import QuestionSet
from rag.answer import Turn


def lines(rows: Iterable[object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_ragas_reference_contexts_are_documents_and_relevant(
    tmp_path: Path, opened: Callable[[Path, str], QuestionSet]
) -> None:
    rows = [
        {
            "user_input": "Do mice sleep?",
            "reference": "They do.",
            "reference_contexts": ["Mice slept."],
            "retrieved_contexts": ["Mice ate."],
            "response": "No.",
            "synthesizer_name": "single hop",
        },
        {
            "user_input": "Do mice eat?",
            "reference": "Yes.",
            "reference_contexts": ["Mice slept.", "Mice ate."],
        },
    ]
    for text in (lines(rows), json.dumps(rows, indent=2)):
        found = opened(tmp_path / "set.json", text)
        first, second = found.questions
        texts = {record.id: record.field("abstract") for record in found.records}
        assert [texts[source] for source in first.relevant] == ["Mice slept."]
        assert [texts[source] for source in second.relevant] == ["Mice slept.", "Mice ate."]
        assert len(texts) == 2
        assert (first.gold_answer, first.category) == ("They do.", "single_hop")


def test_ragas_ids_depend_on_the_text_alone(
    tmp_path: Path, opened: Callable[[Path, str], QuestionSet]
) -> None:
    rows = [{"user_input": text, "reference": "-"} for text in ("A?", "B?", "A?")]
    first = opened(tmp_path / "set.jsonl", lines(rows)).questions
    turned = opened(tmp_path / "set.jsonl", lines(rows[::-1])).questions
    assert {question.id for question in first} == {question.id for question in turned}
    assert first[2].id == f"{first[0].id}-2"


def test_ragas_in_its_old_names(tmp_path: Path, opened: Callable[[Path, str], QuestionSet]) -> None:
    row = {"question": "Do mice sleep?", "contexts": ["Mice slept."], "ground_truth": "They do."}
    generated = opened(tmp_path / "set.jsonl", lines([row])).questions[0]
    assert (generated.gold_answer, len(generated.relevant)) == ("They do.", 1)
    # With a system's answer, the contexts are what that system retrieved.
    found = opened(tmp_path / "set.jsonl", lines([{**row, "answer": "No."}]))
    assert (found.questions[0].relevant, len(found.records)) == ({}, 1)
    several = {"question": "Do mice sleep?", "ground_truths": ["They do.", "At night."]}
    assert opened(tmp_path / "set.jsonl", lines([several])).questions[0].gold_answer == "They do. At night."


def test_ragas_tables_hold_lists_as_json_or_python_writes_them(
    tmp_path: Path, opened: Callable[[Path, str], QuestionSet]
) -> None:
    found = opened(
        tmp_path / "set.csv",
        "user_input,reference_contexts,reference\r\n"
        'Do mice sleep?,"[\'Mice slept.\', ""It\'s dark.""]",They do.\r\n'
        'Do mice eat?,"[""Mice ate.""]",nan\r\n',
    )
    assert [len(question.relevant) for question in found.questions] == [2, 1]
    assert {record.field("abstract") for record in found.records} == {
        "Mice slept.",
        "It's dark.",
        "Mice ate.",
    }
    assert [question.gold_answer for question in found.questions] == ["They do.", ""]


def test_ragas_conversations_become_history(
    tmp_path: Path, opened: Callable[[Path, str], QuestionSet]
) -> None:
    messages = [
        {"type": "human", "content": "What are mice?"},
        {"type": "ai", "content": "Rodents."},
        {"type": "human", "content": "Do they sleep?"},
        {"type": "ai", "content": "They do."},
    ]
    (question,) = opened(tmp_path / "set.jsonl", lines([{"user_input": messages}])).questions
    assert question.question == "Do they sleep?"
    assert question.history == (Turn(question="What are mice?", answer="Rodents."),)


def test_ragas_documents_keep_the_ids_they_come_with(
    tmp_path: Path, opened: Callable[[Path, str], QuestionSet]
) -> None:
    row = {"user_input": "Sleep?", "reference_contexts": ["Mice slept."], "reference_context_ids": ["d1"]}
    found = opened(tmp_path / "set.jsonl", lines([row]))
    assert found.questions[0].relevant == {"d1": 1}
    assert [record.id for record in found.records] == ["d1"]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"user_input": ""}, "user_input: expected text that is not empty, found none"),
        ({"user_input": 1.5}, "user_input: expected text, got 1.5"),
        ({"user_input": [{"content": "x"}]}, "user_input: expected messages with a type and a content"),
        ({"user_input": [{"type": "ai", "content": "x"}]}, "user_input: expected a message of type human"),
        (
            {"user_input": "x", "reference_contexts": "Mice"},
            "reference_contexts: expected a list in brackets, got 'Mice'",
        ),
        ({"user_input": "x", "reference_contexts": {}}, None),
        (
            {"user_input": "x", "reference_contexts": [7]},
            "reference_contexts: expected a list of texts, got 7 in it",
        ),
    ],
)
def test_bad_ragas_rows_are_named(
    tmp_path: Path, row: dict[str, object], said: str | None, refusal: Callable[..., str]
) -> None:
    file = tmp_path / "set.json"
    file.write_text(json.dumps([{"user_input": "ok?"}, row]), "utf-8")
    assert (said or "reference_contexts: expected a list, got an object") in refusal(file)
    assert f"{file}, item 2: " in refusal(file)
