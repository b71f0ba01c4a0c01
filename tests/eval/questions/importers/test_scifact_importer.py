"""SciFact: evidence sentences become nuggets, labels become categories."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from eval.questions.question import Nugget
from eval.questions.reading import read_questions, write_questions
from eval.questions.sets import open_set


def lines(rows: Iterable[object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


EVIDENCE: list[dict[str, Any]] = [
    {
        "claim_id": "1",
        "split": "test",
        "evidence": {
            "d1": {"label": "SUPPORT", "sentences": [[0], [1, 7]]},
            "d2": {"label": "SUPPORT", "sentences": [[9]]},
        },
    },
    {"claim_id": "2", "split": "test", "evidence": {}},
    {"claim_id": "3", "split": "train", "evidence": {"d2": {"label": "CONTRADICT", "sentences": [[0]]}}},
]


def test_scifact_gives_evidence_sentences_as_nuggets(beir: Path) -> None:
    (beir / "evidence.jsonl").write_text(lines(EVIDENCE), "utf-8")
    first, second = open_set(str(beir)).questions
    assert (first.category, second.category) == ("supported", "no_evidence")
    assert first.nuggets == (
        Nugget(text="Mice slept.", accepted=("They woke.",)),
        Nugget(text="They woke.", vital=False),
    )
    # d2 is judged not relevant: it need not be cited.
    assert first.must_cite == ("d1",)
    assert (second.answerable, second.nuggets, second.must_cite) == (True, (), ())
    (third,) = open_set(str(beir), split="train").questions
    assert (third.category, third.nuggets) == ("contradicted", (Nugget(text="Mice ate."),))


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        ([], "evidence.jsonl:1: evidence: expected an object, got a list"),
        (
            {"d1": {"label": "MAYBE"}},
            "evidence.jsonl:1: evidence.d1.label: expected one of SUPPORT, CONTRADICT, got 'MAYBE'",
        ),
        (
            {"d1": {"label": "SUPPORT", "sentences": [[-1]]}},
            "evidence.d1.sentences: expected lists of whole numbers",
        ),
        (
            {"d9": {"label": "SUPPORT", "sentences": [[0]]}},
            "queries.jsonl.gz:1: evidence names document 'd9'",
        ),
    ],
)
def test_bad_evidence_is_named(beir: Path, evidence: object, said: str, refusal: Callable[..., str]) -> None:
    (beir / "evidence.jsonl").write_text(lines([{"claim_id": "1", "evidence": evidence}]), "utf-8")
    assert said in refusal(beir)


def test_what_is_imported_can_be_written_as_a_set_of_ours(beir: Path, tmp_path: Path) -> None:
    (beir / "evidence.jsonl").write_text(lines(EVIDENCE), "utf-8")
    questions = open_set(str(beir)).questions
    write_questions(tmp_path / "questions.jsonl", questions)
    assert read_questions(tmp_path / "questions.jsonl") == questions


@pytest.mark.parametrize(("split", "count"), [("test", 300), ("train", 809)])
def test_scifact_itself(shared_data: Path, split: str, count: int) -> None:
    found = open_set(str(shared_data / "scifact"), split=split)
    assert len(found.questions) == count
    assert [path.name for path in found.paths] == ["corpus.jsonl.xz"]
    with_evidence = {
        row["claim_id"]
        for row in map(
            json.loads, (shared_data / "scifact" / "evidence.jsonl").read_text("utf-8").splitlines()
        )
        if row["split"] == split and row["evidence"]
    }
    assert {question.id for question in found.questions if question.nuggets} == with_evidence
    assert all(bool(question.nuggets) == bool(question.must_cite) for question in found.questions)
    assert all(question.positives for question in found.questions)
