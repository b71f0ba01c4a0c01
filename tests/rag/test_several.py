"""A text is taken apart where it asks more than one question, and only there."""

from __future__ import annotations

import pytest

from rag.several import parts_of_question


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("What is PPO and how does it differ from TRPO?", 2),
        ("What is HER and can it be used on robots?", 2),
        ("How do exploration and exploitation differ?", 1),
        ("Is it known that DAgger trains one policy and can be read as online learning?", 1),
        ("Is it known that an editor learns both where to edit and how, with a bandit?", 1),
    ],
)
def test_questions_joined_are_taken_apart(text: str, parts: int) -> None:
    assert len(parts_of_question(text)) == parts
