"""Which sentences need the name of their paper before them."""

from __future__ import annotations

import pytest

from rag.voice import ages, speaks_for_its_paper


@pytest.mark.parametrize(
    "sentence",
    [
        "We propose a clipped objective.",
        "In this paper, a clipped objective is derived.",
        "The proposed method needs fewer samples.",
        "Our results hold for larger networks.",
        "The authors observe no such effect.",
        "I show that one bit is enough.",
        "Experiments on five games confirm the bound.",
        "Extensive experimental results show a gain of 4%.",
        "The algorithm converges in polynomial time.",
        "Here, rewards are sparse.",
        "It converges in polynomial time.",
        "A new estimator is proposed for long horizons.",
    ],
)
def test_a_sentence_speaks_for_its_paper(sentence: str) -> None:
    assert speaks_for_its_paper(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Q-learning overestimates action values in noisy environments.",
        "A policy maps each state to an action.",
        "Weight sharing speeds up the training of large networks.",
        "Power grids are weakly coupled systems.",
        "First-order methods need a learning rate.",
        "Reinforcement learning finds policies by trial and error.",
    ],
)
def test_a_sentence_about_the_subject_speaks_for_itself(sentence: str) -> None:
    assert not speaks_for_its_paper(sentence)
    assert not ages(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "PPO reaches state-of-the-art results on many tasks.",
        "Recently, transformers have been applied to control.",
        "No algorithm so far solves every game.",
        "AlphaGo is the first program to beat a professional.",
        "Exploration remains an open problem.",
        "Current methods need dense rewards.",
    ],
)
def test_a_claim_of_its_own_time_ages(sentence: str) -> None:
    assert ages(sentence)
