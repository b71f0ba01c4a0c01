"""Why a question is not answered: what of it is not covered, and what is near."""

from __future__ import annotations

import pytest

from rag.answer import Answer, AskRequest
from rag.engine import Engine


def ask(engine: Engine, question: str) -> Answer:
    return engine.ask(AskRequest(question=question, topic="RL"))


@pytest.mark.parametrize(
    ("question", "uncovered"),
    [
        ("How does AlphaFold predict proteins?", ("AlphaFold", "proteins")),
        ("Which recipe makes the best sourdough bread?", ("sourdough bread",)),
        ("How does MuZero learn its model?", ("MuZero",)),
    ],
)
def test_what_is_not_covered_is_named(engine: Engine, question: str, uncovered: tuple[str, ...]) -> None:
    reason = ask(engine, question).reason
    assert reason is not None
    assert set(uncovered) <= set(reason.uncovered)
    assert all(f"“{phrase}”" in reason.message for phrase in uncovered)


def test_a_name_is_not_held_by_one_that_begins_alike(engine: Engine) -> None:
    reason = ask(engine, "How many games did AlphaStar win against professionals?").reason
    assert reason is not None
    assert "AlphaStar" in reason.uncovered


@pytest.mark.parametrize(
    "question",
    ["How heavy is the badminton robot?", "How much does the badminton robot cost?"],
)
def test_an_amount_has_to_be_of_the_dimension_asked_for(engine: Engine, question: str) -> None:
    answer = ask(engine, question)
    assert not answer.answered


def test_everyday_words_are_no_part_of_what_is_asked(engine: Engine) -> None:
    plain = ask(engine, "How are humanoid robots trained to play badminton?")
    chatty = ask(engine, "So how exactly are humanoid robots actually being trained to play badminton?")
    assert plain.answered
    assert chatty.answered
    assert {each.id for each in chatty.sources} & {each.id for each in plain.sources}


def test_what_is_asked_for_and_found_is_surer_than_what_is_not(engine: Engine) -> None:
    found = ask(engine, "How much longer do PERL agents survive than NERL agents?")
    missing = ask(engine, "How do bees find their way home?")
    assert found.confidence > 0.9
    assert missing.confidence < 0.2
