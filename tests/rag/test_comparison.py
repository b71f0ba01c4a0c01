"""What a question compares."""

from __future__ import annotations

import pytest

from index.records import Topic
from index.stores.lexical import analyze
from rag.comparison import sides_of
from rag.question import read_question
from rag.wording import Equivalent


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        (
            "What is the difference between on-policy and off-policy learning?",
            ("on-policy", "off-policy learning"),
        ),
        ("PPO vs SAC", ("PPO", "SAC")),
        ("A2C versus A3C on Atari", ("A2C", "A3C")),
        ("Is PPO better than TRPO?", ("PPO", "TRPO")),
        ("Why is PPO more stable than TRPO?", ("PPO", "TRPO")),
        ("Is model-based RL more sample-efficient than model-free RL?", ("model-based RL", "model-free RL")),
        ("Compare DDPG with TD3.", ("DDPG", "TD3")),
        ("Compare policy gradients and evolution strategies", ("policy gradients", "evolution strategies")),
        ("How does DQN differ from policy gradient methods?", ("DQN", "policy gradient methods")),
        ("How does HER compare to curiosity in sparse tasks?", ("HER", "curiosity")),
        ("What are the advantages of SAC over DDPG in continuous control?", ("SAC", "DDPG")),
        ("Which is better, PPO or SAC?", ("PPO", "SAC")),
        ("Is PPO or SAC better for robots?", ("PPO", "SAC")),
        ("Does SAC outperform TD3?", ("SAC", "TD3")),
        ("Are transformers better than LSTMs for control?", ("transformers", "LSTMs")),
        ("What makes SAC different from DDPG?", ("SAC", "DDPG")),
        (
            "How does a deterministic policy differ from a stochastic one?",
            ("deterministic policy", "stochastic policy"),
        ),
    ],
)
def test_both_sides_are_read(question: str, sides: tuple[str, str]) -> None:
    found = sides_of(question)
    assert found is not None
    assert tuple(side.name for side in found) == sides


@pytest.mark.parametrize(
    "question",
    [
        "What is PPO?",
        "Which methods are better than PPO?",
        "How does PPO compare with existing approaches?",
        "Does MAPDP beat its baselines?",
        "How many games did AlphaStar win against professionals?",
        "Is it better than that?",
        "What is the difference between PPO and PPO?",
        "Was transferring a controller to the wing cheaper than optimising on the wing?",
        "rather than",
    ],
)
def test_no_sides_are_read_where_no_two_things_are_named(question: str) -> None:
    assert sides_of(question) is None


@pytest.mark.parametrize(
    "question", ["Is PPO more stable than TRPO?", "PPO or SAC: PPO versus SAC", "PPO vs SAC"]
)
def test_a_question_with_two_sides_is_a_comparison(question: str) -> None:
    assert read_question(question).kind == "comparison"


def test_a_question_for_an_amount_stays_one() -> None:
    question = read_question("How much faster is PPO than TRPO?")
    assert question.kind == "quantity"
    assert question.sides is None


def test_the_topic_itself_is_no_side_inside_it() -> None:
    topic = Topic(slug="rl", name="Reinforcement Learning", aliases=("RL",))
    question = "What is the difference between supervised learning and reinforcement learning?"
    assert read_question(question, topic=topic).sides is None
    assert read_question(question).sides is not None


def test_a_side_is_held_word_by_word_or_as_it_is_also_written() -> None:
    her = Equivalent("her", ("hindsight", "experi", "replay"), "hindsight experience replay", asked=True)
    found = sides_of("HER vs off-policy learning", (her,))
    assert found is not None
    first, second = found
    assert first.held_by(analyze("Hindsight experience replay relabels goals."))
    assert second.held_by(analyze("Off-policy methods reuse old data."))
    assert not second.held_by(analyze("The policy is switched off."))
    assert not first.held_by(analyze("Experience is replayed."))


def test_a_longer_side_is_held_in_other_words_but_not_without_its_first() -> None:
    found = sides_of("passive data collection versus active learning")
    assert found is not None
    assert found[0].held_by(analyze("Passive collection costs more."))
    assert not found[0].held_by(analyze("Data collection costs more."))
