"""One topic's part of a corpus."""

from __future__ import annotations

import pytest

from eval.questions.make.topic_corpus import left_out_by, topic_corpus
from eval.questions.question import EvalQuestion
from index.records import Paper, Topic

TIDES = Topic(slug="tides", name="Tidal Power", aliases=("TP",))


def test_keeps_the_papers_of_the_topic_once_behind_the_topic() -> None:
    tagged = Paper(id="tagged", title="Turbines", tags=("Tidal Power",))
    named = Paper(id="named", title="Lagoons for TP")
    records = [
        tagged,
        Paper(id="other", title="Wind"),
        named,
        tagged,
    ]
    assert list(topic_corpus(records, TIDES)) == [TIDES, tagged, named]


def test_gathers_what_questions_want_left_out() -> None:
    def asked(name: str, *without: str) -> EvalQuestion:
        return EvalQuestion(id=name, question="Why?", answerable=False, why_not="gone", without=without)

    assert left_out_by([asked("a", "p", "r"), asked("b"), asked("c", "p")]) == {"p", "r"}


def test_a_source_cannot_be_left_out_and_relevant() -> None:
    with pytest.raises(ValueError, match="'p', which relevant calls relevant"):
        EvalQuestion(id="a", question="Why?", relevant={"p": 1}, without=("p",))
