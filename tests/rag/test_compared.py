"""Comparisons of what earlier turns spoke of, written out."""

from __future__ import annotations

import pytest

from rag.answer import Turn
from rag.compared import compared
from rag.followup import resolve
from rag.question import read_question


@pytest.mark.parametrize(
    ("bare", "earlier", "earliest", "meant"),
    [
        (
            "How do they differ?",
            "What is PPO?",
            "What is SAC?",
            "What is the difference between SAC and PPO?",
        ),
        ("Compare them", "What is PPO?", "What is SAC?", "What is the difference between SAC and PPO?"),
        ("Which of the two is faster?", "PPO vs TRPO", "", "Which is faster, PPO or TRPO?"),
        ("compared with TRPO?", "What is PPO?", "", "How does PPO compare with TRPO?"),
        ("What is the difference to TRPO?", "What is PPO?", "", "How does PPO compare with TRPO?"),
        ("than SAC?", "Is PPO better than TRPO?", "", "Is PPO better than SAC?"),
        ("How do they differ?", "What is PPO?", "", ""),
        ("What does it cost?", "What is PPO?", "What is SAC?", ""),
    ],
)
def test_it_is_written_out(bare: str, earlier: str, earliest: str, meant: str) -> None:
    assert compared(bare, earlier, earliest) == meant


def test_both_sides_are_read_again_from_what_is_written() -> None:
    turns = [Turn(question="What is SAC?"), Turn(question="What is PPO?")]
    for text in ("Which one is more stable?", "how do they differ?", "And compared with TRPO?"):
        assert read_question(resolve(text, turns).text).sides is not None
