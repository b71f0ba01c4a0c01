from __future__ import annotations

from pathlib import Path

import pytest

from eval.questions.make.near_miss import corpus_without, near_misses
from eval.questions.make.writing import CannotMake
from eval.questions.question import EvalQuestion, Nugget
from eval.runs.folder import write_lines
from index.records import Paper, Topic


def question(name: str, *sources: str, answerable: bool = True) -> EvalQuestion:
    return EvalQuestion(
        id=name,
        question=f"What did {name} find?",
        answerable=answerable,
        why_not="" if answerable else "nobody wrote about it",
        relevant=dict.fromkeys(sources, 1),
        must_cite=sources if answerable else (),
        nuggets=(Nugget(text="something"),) if answerable else (),
    )


def test_half_can_no_longer_be_answered_and_the_rest_is_untouched() -> None:
    questions = [question(f"q{n}", f"p{n}") for n in range(10)]
    made = near_misses(questions, share=0.5, seed=1)
    missed = [one for one in made.questions if not one.answerable]
    assert len(missed) == len(made.left_out) == 5
    assert [one for one in made.questions if one.answerable] == [
        one for one in questions if not one.positives & made.left_out
    ]
    for one in missed:
        source = "p" + one.id.removesuffix("~near-miss").removeprefix("q")
        assert source in made.left_out
        assert source in one.why_not
        assert one.group == one.id.removesuffix("~near-miss")
        EvalQuestion.model_validate(one.model_dump(by_alias=True))


def test_the_seed_decides_the_draw() -> None:
    questions = [question(f"q{n}", f"p{n}") for n in range(20)]
    assert near_misses(questions, seed=1).left_out == near_misses(questions[::-1], seed=1).left_out
    assert near_misses(questions, seed=1).left_out != near_misses(questions, seed=2).left_out


def test_all_questions_of_a_paper_miss_it_together() -> None:
    made = near_misses([question("a", "p"), question("b", "p")], share=1)
    assert [one.answerable for one in made.questions] == [False, False]


def test_a_question_that_keeps_some_of_its_sources_is_left_out() -> None:
    made = near_misses([question("a", "p"), question("b", "p", "r")], share=0.5, seed=0)
    assert made.left_out == {"p"}
    assert [one.id for one in made.questions] == ["a~near-miss"]


def test_does_not_make_more_than_asked_for() -> None:
    questions = [question(f"q{n}", "book") for n in range(9)] + [question("own", "p")]
    for seed in range(10):
        assert near_misses(questions, share=0.1, seed=seed).left_out == {"p"}


def test_unanswerable_questions_stay_and_those_of_unknown_sources_do_not() -> None:
    off = question("off", answerable=False)
    made = near_misses([off, question("unknown"), question("a", "p")], share=1)
    assert [one.id for one in made.questions] == ["off", "a~near-miss"]


def test_only_papers_go_where_they_are_told() -> None:
    questions = [question("a", "guide"), question("b", "p"), question("c", "p", "guide")]
    made = near_misses(questions, share=1, papers={"p": "On Bridges"})
    assert made.left_out == {"p"}
    assert [one.id for one in made.questions] == ["a", "b~near-miss"]


def test_says_the_title() -> None:
    (made,) = near_misses([question("a", "p")], papers={"p": "On Bridges"}).questions
    assert "“On Bridges” (p)" in made.why_not


@pytest.mark.parametrize("share", [0, 1.5])
def test_refuses_an_impossible_share(share: float) -> None:
    with pytest.raises(ValueError, match="share is"):
        near_misses([], share=share)


def test_copies_a_corpus_without_the_papers_and_their_twins(tmp_path: Path) -> None:
    papers = [
        Paper(id="p1", title="On Bridges", abstract="Bridges sway."),
        Paper(id="p2", title="On bridges", abstract="The same paper under another id."),
        Paper(id="p3", title="On Tunnels", abstract="Tunnels do not."),
    ]
    write_lines(tmp_path / "corpus.jsonl", papers)
    assert list(corpus_without([tmp_path], {"p1"})) == papers[2:]


def test_a_topic_loses_what_it_says_and_stays(tmp_path: Path) -> None:
    topic = Topic(slug="bridges", name="Bridges", aliases=("BR",), description="Bridges carry roads.")
    write_lines(tmp_path / "corpus.jsonl", [topic])
    (kept,) = corpus_without([tmp_path], {"topic:bridges"})
    assert kept == topic.model_copy(update={"description": ""})


def test_says_that_it_is_another_corpus(tmp_path: Path) -> None:
    write_lines(tmp_path / "corpus.jsonl", [Paper(id="p3", title="On Tunnels")])
    with pytest.raises(CannotMake, match="no 'p1'"):
        corpus_without([tmp_path], {"p1"})
