from __future__ import annotations

import pytest
from rapidfuzz.distance import OSA

from eval.questions.make.typos import typos
from eval.questions.question import EvalQuestion


def asked(text: str, *, seed: int = 0, words: frozenset[str] = frozenset()) -> str | None:
    made = typos([EvalQuestion(id="q", question=text)], seed=seed, words=words)
    return made[0].question if made else None


@pytest.mark.parametrize("seed", range(200))
def test_makes_one_or_two_slips_and_nothing_else(seed: int) -> None:
    text = "Why does bootstrapping overestimate action values without double estimates?"
    slipped = asked(text, seed=seed)
    assert slipped is not None
    before, after = text.split(), slipped.split()
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert 1 <= len(changed) <= 2
    for old, new in changed:
        assert OSA.distance(old, new) == 1
        assert old[0] == new[0]
        assert len(old) >= 5
        assert old != "without"


@pytest.mark.parametrize(
    "text",
    [
        "Is PPO off-policy?",
        "How did InternGeometry beat AlphaGeometry2 in 2025?",
        r"Why is \(gamma times delta\) big?",
        "Why is it never without cost?",
    ],
)
def test_leaves_names_numbers_formulas_compounds_and_negations(text: str) -> None:
    assert [asked(text, seed=seed) for seed in range(30)] == [None] * 30


def test_never_makes_a_word_to_avoid() -> None:
    every = {asked("Is it stable?", seed=seed) for seed in range(300)}
    assert "Is it stalbe?" in every
    again = {asked("Is it stable?", seed=seed, words=frozenset({"stalbe"})) for seed in range(300)}
    assert "Is it stalbe?" not in again


def test_keeps_the_cluster_and_names_the_copy() -> None:
    question = EvalQuestion(id="q", question="Why is exploration difficult?", cluster="c", must_cite=("p",))
    (made,) = typos([question])
    assert (made.id, made.group, made.must_cite) == ("q~typo", "c", ("p",))


def test_the_same_seed_makes_the_same_slips() -> None:
    text = "Why does bootstrapping overestimate action values?"
    assert asked(text, seed=5) == asked(text, seed=5)
    assert len({asked(text, seed=seed) for seed in range(20)}) > 10
