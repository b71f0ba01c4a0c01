"""Reading a question."""

from __future__ import annotations

import pytest

from index.errors import BadQuestion
from index.records import Topic
from rag.answer import MAX_QUESTION
from rag.question import clean, content_terms, is_foreign, kind_of, named_terms, read_question


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("What is reinforcement learning?", "definition"),
        ("What's a policy?", "definition"),
        ("what does RL stand for", "definition"),
        ("Explain temporal-difference learning", "definition"),
        ("Which paper introduced dueling networks?", "introduction"),
        ("Who first proposed soft actor-critic?", "introduction"),
        ("By how much does it reduce drag?", "quantity"),
        ("How many steps longer do agents survive?", "quantity"),
        ("What gain does pretraining bring?", "quantity"),
        ("What success rate do robots reach?", "quantity"),
        ("What is a learning rate?", "definition"),
        ("What are the limits of offline reinforcement learning?", "finding"),
        ("What is the sample complexity of Q-learning?", "finding"),
        ("How does SAC differ from DDPG?", "comparison"),
        ("PPO vs TRPO", "comparison"),
        ("Why is offline RL hard?", "reason"),
        ("How does Q-learning work?", "method"),
        ("And how is that trained?", "method"),
        ("Which papers study exploration?", "list"),
        ("What did the HydroGym paper find?", "finding"),
        ("What is the effect of entropy bonuses?", "finding"),
        ("Do baselines reduce variance?", "finding"),
    ],
)
def test_the_form_of_a_question_tells_its_kind(text: str, kind: str) -> None:
    assert kind_of(text) == kind


def test_cleaning_folds_white_space_and_drops_what_cannot_be_seen() -> None:
    assert clean("  What\tis\u200b R\u202eL\n\n?\x00 ") == "What is RL ?"
    assert clean("Cafe\u0301") == "Caf\u00e9"


@pytest.mark.parametrize("text", ["", "   ", "\u200b\u200b", "\x00"])
def test_an_empty_question_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(BadQuestion, match="type a question"):
        read_question(text)


def test_a_question_beyond_the_limit_is_refused_and_one_at_the_limit_is_read() -> None:
    assert read_question("a" * MAX_QUESTION).text == "a" * MAX_QUESTION
    with pytest.raises(BadQuestion, match="2,001 characters; shorten it"):
        read_question("a" * (MAX_QUESTION + 1))


def test_function_words_carry_no_content_unless_there_is_nothing_else() -> None:
    assert content_terms("What does the agent learn?") == ("agent", "learn")
    assert content_terms("What is it?") == ("what", "is", "it")


def test_a_small_word_in_capitals_is_a_name_unless_all_is_in_capitals() -> None:
    assert content_terms("What is HER?") == ("her",)
    assert read_question("What is HER?").has_content
    assert content_terms("WHAT IS HER AGENT?") == ("agent",)


def test_names_are_words_with_inner_capitals_or_digits() -> None:
    assert named_terms("Does AlphaStar beat TD3 in StarCraft?") == {"alphastar", "td3", "starcraft"}
    assert named_terms("Why is exploration hard?") == set()
    assert named_terms("WHY IS EXPLORATION HARD") == set(), "capitals throughout name nothing"


@pytest.mark.parametrize(
    "text",
    [
        "Was ist bestärkendes Lernen und warum ist es wichtig?",
        "Was ist bestärkendes Lernen?",
        "¿Qué es el aprendizaje por refuerzo?",
        "Qu'est-ce que l'apprentissage par renforcement ?",
        "什么是强化学习?",
        "Что такое обучение с подкреплением?",
    ],
)
def test_another_language_is_noticed(text: str) -> None:
    assert is_foreign(text)


@pytest.mark.parametrize(
    "text",
    [
        "What is π in policy gradients?",
        "PPO vs TRPO",
        "Die-hard exploration in Montezuma",
        "α β γ in TD(λ)?",
        "de novo design",
    ],
)
def test_symbols_and_names_in_english_are_not_another_language(text: str) -> None:
    assert not is_foreign(text)


def test_an_alias_of_the_topic_is_read_as_its_name() -> None:
    topic = Topic(slug="rl", name="Reinforcement Learning", aliases=("RL",))
    question = read_question("Why is rl hard?", topic=topic)
    assert question.search_text == "Why is Reinforcement Learning hard?"
    assert question.text == "Why is rl hard?"
    assert set(question.terms) == {"reinforc", "learn", "hard"}
    assert read_question("Is URL an alias?", topic=topic).search_text == "Is URL an alias?"


def test_a_question_of_function_words_alone_has_no_content() -> None:
    assert not read_question("why only any very?").has_content
    assert read_question("why explore?").has_content


@pytest.mark.parametrize(
    ("text", "foreign"),
    [("Wie tanzen Bienen?", True), ("Pourquoi dansent?", True), ("Comment generation with RL", False)],
)
def test_a_foreign_word_that_asks_is_enough_where_nothing_is_english(text: str, foreign: bool) -> None:
    assert is_foreign(text) == foreign
