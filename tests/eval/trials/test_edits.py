"""The edits that the verifier is measured with: each changes what it says, and nothing where it cannot."""

from __future__ import annotations

from random import Random

import pytest

from eval.trials.edits import CHANGES, REWORDINGS
from eval.trials.verifier import auc, flagged
from rag.verify import Verifier

EDITS = {**CHANGES, **REWORDINGS}


@pytest.mark.parametrize(
    ("name", "sentence", "edited"),
    [
        ("not added", "Rest is good.", "Rest is not good."),
        ("not dropped", "Rest is not good.", "Rest is good."),
        ("not dropped", "They rest without food.", "They rest with food."),
        ("direction swapped", "Rates were higher at night.", "Rates were lower at night."),
        ("hedge dropped", "Rest may help.", "Rest does help."),
        ("typography", "It isn't 12,000 or 5%.", "It isn’t 12000 or 5 percent."),
        ("contracted", "Rest is not good.", "Rest isn’t good."),
        ("opener dropped", "However, rest is good.", "Rest is good."),
        ("opener dropped", "We show that rest is good.", "Rest is good."),
        ("aside dropped", "Rest (a pause) is good.", "Rest is good."),
        ("circumstance moved", "In mice, rest is good.", "Rest is good in mice."),
        ("synonyms", "Results show it.", "Results demonstrate it."),
    ],
)
def test_an_edit_does_what_its_name_says(name: str, sentence: str, edited: str) -> None:
    assert EDITS[name](sentence, Random(0)) == edited


def test_a_changed_number_has_one_other_digit() -> None:
    edited = CHANGES["number changed"]("It took 38 days.", Random(0))
    assert edited is not None
    assert sum(here != there for here, there in zip("It took 38 days.", edited, strict=True)) == 1


def test_a_swapped_name_is_another_acronym() -> None:
    edited = CHANGES["name swapped"]("We train with PPO here.", Random(0))
    assert edited is not None
    assert edited.startswith("We train with ")
    assert "PPO" not in edited


@pytest.mark.parametrize("name", EDITS)
def test_a_sentence_that_offers_nothing_to_edit_is_left_alone(name: str) -> None:
    assert EDITS[name]("Badgers dig tunnels.", Random(0)) is None


@pytest.mark.parametrize(
    "sentence", ["Whether or not it rests.", "Not only rest helps.", "Most if not all rest."]
)
def test_a_negation_that_negates_nothing_is_not_dropped(sentence: str) -> None:
    assert CHANGES["not dropped"](sentence, Random(0)) is None


def test_flags_are_counted_beside_the_sentence_and_beside_its_abstract() -> None:
    abstract = "The agent was trained for 30 days on a small grid. It won 45 games in a row at its first try."
    found = flagged(Verifier(lambda term: 1.0), [abstract], {"number": CHANGES["number changed"]}, seed=0)
    assert found["number"].quote == [True, True]
    assert found["number"].abstract == [True, True]


def test_auc_counts_ties_half() -> None:
    assert auc([1.0, 2.0], [0.0]) == 1.0
    assert auc([1.0], [1.0]) == 0.5
    assert auc([0.0, 2.0], [1.0]) == 0.5
