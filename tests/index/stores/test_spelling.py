"""One term for both spellings."""

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
    ],
)
def test_both_spellings_give_one_term(british: str, american: str) -> None:
    assert analyze(british) == analyze(american)


@pytest.mark.parametrize("text", ["four hours of your time", "this is his", "a list of tours"])
def test_short_and_other_words_stay(text: str) -> None:
    assert fold_spelling(text) == text
