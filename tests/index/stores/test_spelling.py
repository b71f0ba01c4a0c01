"""One term for all spellings of a word."""

from __future__ import annotations

import pytest

from index.stores.lexical import analyze
from index.stores.spelling import fold_spelling


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("optimise", "optimize"),
        ("optimisation", "optimization"),
        ("regulariser", "regularizer"),
        ("generalising", "generalizing"),
        ("behaviour", "behavior"),
        ("neighbourhoods", "neighborhoods"),
        ("analysed", "analyzed"),
        ("centre", "center"),
        ("modelling", "modeling"),
        ("labelled", "labeled"),
        ("MDPs", "MDP"),
        ("llms", "LLM"),
        ("ε-greedy", "epsilon-greedy"),
        (r"\(\varepsilon\)-greedy", "ϵ-greedy"),
        (r"$\lambda$-returns", "λ-return"),
        ("TD(Λ)", "TD(lambda)"),
        ("Aβ", "Abeta"),
    ],
)
def test_all_spellings_give_one_term(british: str, american: str) -> None:
    assert analyze(british) == analyze(american)


@pytest.mark.parametrize(
    "text", ["four hours of your time", "this is his", "a list of tours", "GPS, gps, css"]
)
def test_short_and_other_words_stay(text: str) -> None:
    assert fold_spelling(text) == text
