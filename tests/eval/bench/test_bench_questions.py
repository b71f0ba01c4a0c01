"""Questions of a benchmark: the same every time, each naming the paper that it was made from."""

from __future__ import annotations

import re

import pytest

from eval.bench.questions import FORMS, BenchQuestion, make_questions
from index.records import Paper
from rag.answer import MAX_QUESTION


@pytest.fixture
def made(papers: list[Paper]) -> list[BenchQuestion]:
    return make_questions(papers, 30, seed=7)


def test_the_same_papers_and_seed_give_the_same_questions_in_any_order_of_the_papers(
    papers: list[Paper], made: list[BenchQuestion]
) -> None:
    assert make_questions(papers[::-1], 30, seed=7) == made


def test_another_seed_gives_other_questions(papers: list[Paper], made: list[BenchQuestion]) -> None:
    assert make_questions(papers, 30, seed=8) != made


def test_every_question_is_different_and_made_from_the_paper_it_names(
    papers: list[Paper], made: list[BenchQuestion]
) -> None:
    texts = {paper.id: f"{paper.title} {paper.abstract}".lower() for paper in papers}
    assert len({question.text for question in made}) == len(made) == 30
    for question in made:
        asked = question.text.lower().removeprefix("is it known that ").removeprefix("which paper studies ")
        words = re.findall(r"\w[\w-]*", asked.removeprefix("what did ").removesuffix(" find?"))
        assert all(word in texts[question.paper_id] for word in words), question


def test_the_forms_come_in_turn(papers: list[Paper]) -> None:
    first = make_questions(papers, len(papers), seed=7)
    assert {form: sum(question.form == form for question in first) for form in FORMS} == dict.fromkeys(
        FORMS, 4
    )


def test_a_question_of_words_does_not_quote_the_title(papers: list[Paper], made: list[BenchQuestion]) -> None:
    titles = [paper.title.lower() for paper in papers]
    asked = [question.text.lower() for question in made if question.form == "words"]
    assert asked
    assert not any(title in text for title in titles for text in asked)


def test_a_question_of_a_sentence_takes_neither_the_first_nor_the_last(
    papers: list[Paper], made: list[BenchQuestion]
) -> None:
    asked = [question.text for question in made if question.form == "sentence"]
    assert asked
    assert not any("learn slowly" in text or "limits of the approach" in text for text in asked)


def test_a_sentence_becomes_a_clause_in_lower_case(papers: list[Paper]) -> None:
    texts = {question.text for question in make_questions(papers, 100, seed=7)}
    assert (
        "Is it known that the jerk penalty raised the average return on fruit picking by 16 percent "
        "over the plain agent?" in texts
    )


def test_papers_that_give_fewer_questions_give_those_and_stop() -> None:
    bare = Paper(id="a", title="Learning Without Abstracts")
    one_word = Paper(id="b", title="Sarsa")
    made = make_questions([bare, one_word], 50, seed=7)
    assert sorted((question.paper_id, question.form) for question in made) == [
        ("a", "title"),
        ("a", "words"),
        ("b", "title"),
    ]


def test_no_papers_give_no_questions() -> None:
    assert make_questions([], 5, seed=7) == []


def test_a_question_is_never_longer_than_the_engine_takes() -> None:
    long = "The agent " + "really " * 400 + "learns. "
    paper = Paper(id="a", title="Long Sentences", abstract=f"It begins. {long} It ends.")
    made = make_questions([paper], 50, seed=7)
    assert [question.form for question in made] == ["title", "words"]
    assert all(len(question.text) <= MAX_QUESTION for question in made)
