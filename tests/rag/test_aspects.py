"""Reasons, limits, benefits and uses are found by what tells them, not by the word that asks for them."""

from __future__ import annotations

import pytest

from rag.answer import AskRequest, Turn
from rag.aspects import aspect_of
from rag.engine import Engine
from rag.question import read_question


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Why do agents overfit?", "Why"),
        ("What are the limits of model-based RL?", "limits"),
        ("And what are its main drawbacks?", "drawbacks"),
        ("What is the advantage of off-policy learning?", "advantage"),
        ("When should I use offline RL?", "use"),
        ("What is reward shaping good for?", "good for"),
    ],
)
def test_an_aspect_is_asked_for_by_a_word(question: str, word: str) -> None:
    found = aspect_of(question)
    assert found is not None
    assert found[1] == word


@pytest.mark.parametrize(
    "question",
    [
        "How does PPO limit its steps?",
        "Which limits does the proof assume?",
        "What is risk-sensitive RL?",
        "How do people use RL?",
        "What is an advantage function?",
        "What is advantage estimation?",
    ],
)
def test_the_same_words_in_other_questions_ask_for_none(question: str) -> None:
    assert aspect_of(question) is None


def test_the_word_is_not_looked_for_unless_it_is_all_there_is() -> None:
    assert "limit" not in read_question("What are the limits of model-based RL?").terms
    assert "limit" in read_question("What are the limits?").terms


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What are the limits of model-based RL?", "The main risk is model bias"),
        ("When should I use offline RL?", "Offline learning suits medicine, driving and industry"),
        ("What are the risks of RLHF?", "The main weaknesses of RLHF are that reward models can be gamed"),
    ],
)
def test_what_tells_it_is_quoted_first(engine: Engine, question: str, told: str) -> None:
    answer = engine.ask(AskRequest(question=question, topic="RL"))
    assert told in answer.answer.split(" [1]")[0]


def test_an_aspect_is_asked_for_in_a_follow_up(engine: Engine) -> None:
    turn = Turn(question="What is model-based RL?")
    answer = engine.ask(AskRequest(question="and its limits?", topic="RL", history=(turn,)))
    assert answer.understood.text == "What are the limits of model-based RL?"
    assert "The main risk is model bias" in answer.answer
