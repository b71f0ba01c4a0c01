"""PubMedQA, as a folder and as published: the question never stands as a title."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from eval.questions.sets import QuestionSet, open_set
from index.records import Paper


def lines(rows: Iterable[object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def pubmedqa(folder: Path, corpus: list[object], questions: list[object]) -> Path:
    (folder / "corpus.jsonl").write_text(lines(corpus), "utf-8")
    (folder / "questions.jsonl").write_text(lines(questions), "utf-8")
    return folder


SECTIONS = [{"label": "AIM", "text": "Mice were watched"}, {"label": "RESULTS", "text": "They slept."}]
ABSTRACT = {"id": "77", "title": "", "sections": SECTIONS, "year": "2011", "keywords": ["Sleep"]}
ASKED = {
    "id": "77",
    "question": "Do mice sleep?",
    "relevant": {"77": 1},
    "decision": "yes",
    "answer": "Mice do sleep.",
}


def test_pubmedqa_never_tells_the_question_as_a_title(tmp_path: Path) -> None:
    found = open_set(str(pubmedqa(tmp_path, [ABSTRACT], [ASKED])))
    (question,) = found.questions
    assert (question.category, question.gold_answer, question.must_cite) == ("yes", "Mice do sleep.", ("77",))
    assert found.paths == ()
    assert found.records == (
        Paper(
            id="77",
            title="Mice were watched They slept.",
            abstract="Mice were watched\nThey slept.",
            tags=("Sleep",),
        ),
    )


@pytest.mark.parametrize(
    ("corpus", "asked", "said"),
    [
        (ABSTRACT, {**ASKED, "relevant": {"78": 1}}, "questions.jsonl:1: relevant names '78'"),
        (
            ABSTRACT,
            {**ASKED, "relevant": "77"},
            "questions.jsonl:1: relevant: expected an object of grades by id, got '77'",
        ),
        (
            ABSTRACT,
            {**ASKED, "question": ""},
            "questions.jsonl:1: question: expected text that is not empty, found none",
        ),
        (
            {**ABSTRACT, "sections": [{"label": "AIM"}]},
            ASKED,
            "corpus.jsonl:1: sections: expected objects with a text",
        ),
        (
            {**ABSTRACT, "sections": [{"label": "AIM", "text": ""}]},
            ASKED,
            "corpus.jsonl:1: expected sections with text",
        ),
    ],
)
def test_bad_pubmedqa_is_named(
    tmp_path: Path, corpus: object, asked: object, said: str, refusal: Callable[..., str]
) -> None:
    assert said in refusal(pubmedqa(tmp_path, [corpus], [asked]))


@pytest.mark.parametrize("indent", [None, 2])
def test_pubmedqa_in_its_published_form(
    tmp_path: Path,
    indent: int | None,
    refusal: Callable[..., str],
    opened: Callable[[Path, str], QuestionSet],
) -> None:
    item = {
        "QUESTION": "Do mice sleep?",
        "CONTEXTS": ["Mice were watched.", "They slept."],
        "LABELS": ["AIM", "RESULTS"],
        "MESHES": ["Sleep"],
        "YEAR": "2011",
        "final_decision": "yes",
        "LONG_ANSWER": "Mice do sleep.",
    }
    found = opened(tmp_path / "ori_pqal.json", json.dumps({"77": item}, indent=indent))
    assert [(question.id, question.relevant, question.category) for question in found.questions] == [
        ("77", {"77": 1}, "yes")
    ]
    assert found.records[0].field("abstract") == "Mice were watched.\nThey slept."
    (tmp_path / "ori_pqal.json").write_text(json.dumps({"77": {**item, "QUESTION": ""}}), "utf-8")
    assert "ori_pqal.json, item 77: QUESTION: expected text that is not empty" in refusal(
        tmp_path / "ori_pqal.json"
    )


def test_pubmedqa_itself(shared_data: Path) -> None:
    found = open_set(str(shared_data / "pubmedqa"))
    assert Counter(question.category for question in found.questions) == {"yes": 276, "no": 169, "maybe": 55}
    assert len(found.records) == 1000
    titles = {record.title.casefold() for record in found.records}
    assert not titles & {question.question.casefold() for question in found.questions}
    assert {source for question in found.questions for source in question.positives} <= {
        record.id for record in found.records
    }
