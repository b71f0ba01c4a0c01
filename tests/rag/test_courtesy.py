"""Greetings and thanks around a question are no part of it."""

from __future__ import annotations

import pytest

from rag.courtesy import without_courtesy


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Hi, what is PPO?", "what is PPO?"),
        ("Hello there! How do robots walk? Thanks a lot!", "How do robots walk?"),
        ("Thanks. And its limits?", "And its limits?"),
        ("explain hindsight replay please", "explain hindsight replay"),
        ("thanks!", "thanks!"),
        ("Hi!", "Hi!"),
        ("What is a thank-you note?", "What is a thank-you note?"),
        ("High jumps, how are they learnt?", "High jumps, how are they learnt?"),
    ],
)
def test_what_is_left_is_the_question(text: str, asked: str) -> None:
    assert without_courtesy(text) == asked
