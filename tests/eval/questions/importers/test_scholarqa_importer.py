"""ScholarQABench: rubrics, experts' answers and gold passages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

from eval.questions.question import Nugget
from eval.questions.sets import QuestionSet


def lines(rows: Iterable[object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_scholarqa_cs_criteria_are_nuggets(
    tmp_path: Path, refusal: Callable[..., str], opened: Callable[[Path, str], QuestionSet]
) -> None:
    criteria = [
        {
            "name": "most_important_item_0",
            "criterion": "Say that mice sleep",
            "weight": 0.2,
            "evidence": ["Mice slept."],
        },
        {"name": "nice_to_have_item_0", "criterion": "Say when", "weight": 0.1},
    ]
    row = {
        "initial_prompt": "Do mice sleep?",
        "metric_config": {
            "name": "rubric",
            "config": {"question": "Do mice sleep?", "other_properties": criteria},
        },
        "case_id": "c1",
        "annotator": "A",
        "agreement": True,
    }
    found = opened(tmp_path / "configs.json", json.dumps([row, {**row, "case_id": "c2"}], indent=1)).questions
    assert found[0].nuggets == (
        Nugget(text="Say that mice sleep", accepted=("Mice slept.",)),
        Nugget(text="Say when", vital=False),
    )
    assert [question.id for question in found] == ["c1", "c2"]
    assert found[0].group == found[1].group
    bad = {**row, "metric_config": {"config": {"other_properties": [{"criterion": 7}]}}}
    (tmp_path / "configs.json").write_text(json.dumps([bad]), "utf-8")
    assert "configs.json, item 1: criterion: expected text that is not empty, got 7" in refusal(
        tmp_path / "configs.json"
    )


def test_scholarqa_passages_of_an_expert_answer_are_relevant(
    tmp_path: Path, opened: Callable[[Path, str], QuestionSet]
) -> None:
    row = {
        "input": "Do mice sleep?",
        "output": "They do [1].",
        "ctxs": [{"title": "Sleep", "text": "Mice slept."}],
    }
    found = opened(tmp_path / "human_answers.json", json.dumps([{**row, "subject": "Life Science"}]))
    (question,) = found.questions
    assert (question.gold_answer, question.category) == ("They do [1].", "life_science")
    assert [record.id for record in found.records] == list(question.relevant)
    assert (found.records[0].title, found.records[0].field("abstract")) == ("Sleep", "Mice slept.")


def test_scholarqa_gold_passages_come_before_the_rest_of_the_paper(
    tmp_path: Path, refusal: Callable[..., str], opened: Callable[[Path, str], QuestionSet]
) -> None:
    rows = [
        {
            "input": "Do mice sleep?",
            "answer": "They do.",
            "gold_ctxs": [{"title": "Sleep", "text": "Mice slept."}],
            "ctxs": [
                {"title": "Sleep", "text": "Mice slept."},
                {"title": "Sleep", "text": "We thank the mice."},
            ],
        },
        {"input": "Mice sleep.", "answer": "true", "gold_ctx": [{"title": "", "text": "Mice slept."}]},
        {"input": "What about voles?"},
    ]
    found = opened(tmp_path / "qasa_test.jsonl", lines(rows))
    assert [len(question.relevant) for question in found.questions] == [1, 1, 0]
    assert len(found.records) == 3
    (tmp_path / "qasa_test.jsonl").write_text(lines([*rows, {"input": "x", "ctxs": ["Mice"]}]), "utf-8")
    assert "qasa_test.jsonl:4: ctxs: expected passages with a text, got 'Mice'" in refusal(
        tmp_path / "qasa_test.jsonl"
    )
