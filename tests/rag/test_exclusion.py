"""What a question leaves out, and that nothing said of it is quoted."""

from __future__ import annotations

import pytest

from rag.answer import AskRequest
from rag.engine import Engine
from rag.exclusion import excluded_from


@pytest.mark.parametrize(
    ("text", "rest", "excluded"),
    [
        ("How does it help robots, but not games?", "How does it help robots?", "games"),
        ("Where is shaping used, except in board games?", "Where is shaping used?", "board games"),
        ("Which methods other than PPO are on-policy?", "Which methods are on-policy?", "PPO"),
        ("Why does it work but not converge quickly?", "Why does it work but not converge quickly?", ""),
        ("Is PPO on-policy and not off-policy?", "Is PPO on-policy and not off-policy?", ""),
        ("Why not?", "Why not?", ""),
        ("Which use Atari but not Montezuma's Revenge?", "Which use Atari?", "Montezuma's Revenge"),
        ("Which papers are on robotics, not locomotion?", "Which papers are on robotics?", "locomotion"),
        ("Are there papers not about robots?", "Are there papers?", "robots"),
    ],
)
def test_what_is_left_out_is_a_thing(text: str, rest: str, excluded: str) -> None:
    assert excluded_from(text) == (rest, excluded)


def test_nothing_that_is_left_out_is_quoted(engine: Engine) -> None:
    asked = "What do agents learn from?"
    first = engine.ask(AskRequest(question=asked))
    assert first.answered
    word = first.citations[0].quote.split()[-1].strip(".").lower()
    answer = engine.ask(AskRequest(question=f"{asked[:-1]}, but not {word}?"))
    assert all(word not in citation.quote.lower() for citation in answer.citations)
    assert f"What is said of “{word}” is left out." in answer.notices
