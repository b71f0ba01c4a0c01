"""What a question takes for granted and its best evidence denies is told; nothing else is."""

from __future__ import annotations

import pytest

from rag.answer import AskRequest
from rag.engine import Engine

DENIES = "The question takes something for granted that source ["


def is_denied(engine: Engine, question: str) -> bool:
    answer = engine.ask(AskRequest(question=question, topic="RL"))
    return any(notice.startswith(DENIES) for notice in answer.notices)


def test_a_premise_that_the_source_denies_is_said_to_be_denied(engine: Engine) -> None:
    assert is_denied(engine, "Why is soft actor-critic so unstable across random seeds?")


@pytest.mark.parametrize(
    "question",
    [
        "Why is soft actor-critic stable across random seeds?",
        "Is soft actor-critic unstable across random seeds?",
        "How does SAC differ from PPO?",
        "What does PPO clip?",
        "How are humanoid robots trained to play badminton?",
        "How do agents learn when rewards are not given?",
        "Why does Q-learning overestimate action values?",
        "How much longer do PERL agents survive than NERL agents?",
    ],
)
def test_nobody_is_called_wrong_who_is_not(engine: Engine, question: str) -> None:
    assert not is_denied(engine, question)
