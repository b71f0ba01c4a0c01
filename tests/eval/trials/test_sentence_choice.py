"""When a sentence of ours is the evidence sentence."""

from __future__ import annotations

from eval.trials.sentence_choice import is_same


def test_a_sentence_is_the_same_whatever_its_boundaries() -> None:
    assert is_same("Mice lived longer.", "RESULTS: Mice lived longer.")
    assert is_same("the mice that were fed less lived longer", "mice that were fed less lived much longer")
    assert not is_same("Rats lived shorter lives.", "Mice lived longer.")
