"""Opening a set by name or by path: what is asked, and what has to be ingested for it."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from eval.questions.question import EvalQuestion
from eval.questions.reading import BadQuestionSet, write_questions
from eval.questions.sets import open_set, shipped_sets
from index.paths import starter_folder

ASKED = EvalQuestion(id="q1", question="What is a policy?")
DRAFT = EvalQuestion(id="q2", question="Is it?", draft=True)


def refusal(name: str, split: str | None = None) -> str:
    with pytest.raises(BadQuestionSet) as caught:
        open_set(name, split=split)
    return caught.value.message


def test_a_set_folder_brings_its_own_documents(tmp_path: Path) -> None:
    write_questions(tmp_path / "questions.jsonl", [ASKED])
    assert open_set(str(tmp_path)).paths == ()
    (tmp_path / "corpus.jsonl").write_text('{"kind": "paper", "id": "p", "title": "A"}\n', "utf-8")
    found = open_set(str(tmp_path))
    assert (found.name, found.questions) == (tmp_path.name, (ASKED,))
    assert found.paths == (tmp_path / "corpus.jsonl",)


def test_a_single_file_is_a_set_whatever_its_name(tmp_path: Path) -> None:
    write_questions(tmp_path / "mine.jsonl", [ASKED])
    found = open_set(str(tmp_path / "mine.jsonl"))
    assert (found.name, found.questions, found.paths) == ("mine", (ASKED,), ())


def test_drafts_are_not_asked(tmp_path: Path) -> None:
    write_questions(tmp_path / "questions.jsonl", [DRAFT, ASKED])
    assert open_set(str(tmp_path)).questions == (ASKED,)


def test_a_set_of_drafts_says_what_to_do(tmp_path: Path) -> None:
    write_questions(tmp_path / "questions.jsonl", [DRAFT])
    assert 'all 1 are: finish some, and delete "draft": true' in refusal(str(tmp_path))


def test_a_set_that_is_not_divided_has_no_split(tmp_path: Path) -> None:
    write_questions(tmp_path / "questions.jsonl", [ASKED])
    assert "no split 'test'; this set is not divided" in refusal(str(tmp_path), "test")


def test_an_unknown_name_names_the_shipped_sets() -> None:
    said = refusal("keypaper")
    assert all(name in said for name in shipped_sets())
    assert said.endswith("did you mean keypapers?")


def test_an_unknown_format_names_the_known_ones(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n", "utf-8")
    for path in (tmp_path, tmp_path / "notes.md"):
        said = refusal(str(path))
        for name in ("questions.jsonl", "BEIR", "SciFact", "PubMedQA", "TREC", "RAGAS", "ScholarQA", "CSV"):
            assert name in said


def test_faults_of_a_set_are_told_through_its_folder(tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").write_text("", "utf-8")
    assert "expected at least one question" in refusal(str(tmp_path))


@pytest.mark.parametrize("name", ["starter", "dialogues-dev", "dialogues-starter"])
def test_sets_of_the_starter_corpus_are_asked_over_it(name: str) -> None:
    found = open_set(name)
    assert found.paths[0] == starter_folder()
    assert all(path.is_file() for path in found.paths[1:])
    assert found.name == name


def test_every_shipped_set_is_without_faults_and_names_its_source_and_licence() -> None:
    assert {"keypapers", "starter"} <= set(shipped_sets())
    for name in shipped_sets():
        for question in open_set(name).questions:
            assert question.source, question.id
            assert question.licence, question.id


def test_keypapers_ask_for_each_paper_without_its_title(shared_data: Path) -> None:
    listed = {
        row["paper_id"]: row["title"]
        for row in map(
            json.loads, (shared_data / "keypapers" / "keypapers.jsonl").read_text("utf-8").splitlines()
        )
    }
    questions = open_set("keypapers").questions
    assert {source for question in questions for source in question.relevant} == set(listed)
    for question in questions:
        assert question.category == "introduction"
        assert question.must_cite == tuple(question.relevant)
        assert listed[question.must_cite[0]].casefold() not in question.question.casefold()


def test_keypapers_are_in_the_corpus_and_their_abstracts_state_the_nuggets(shared_data: Path) -> None:
    questions = open_set("keypapers").questions
    wanted = {question.must_cite[0] for question in questions}
    abstracts = {}
    with lzma.open(shared_data / "papers.jsonl.xz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            if row["id"] in wanted:
                abstracts[row["id"]] = " ".join(row["abstract"].split()).casefold()
    assert abstracts.keys() == wanted
    for question in questions:
        for nugget in question.nuggets:
            for phrasing in nugget.accepted:
                assert phrasing.casefold() in abstracts[question.must_cite[0]], question.id
