"""When two papers report different things of the same."""

from __future__ import annotations

import pytest

from index.records import Chunk, Explainer, Paper, Section
from rag.compose.disagreement import disagree
from rag.passages import Sentence, read_passage


def sentence(text: str, *, explains: bool = False) -> Sentence:
    record = (
        Explainer(id="e", title="On batches", sections=(Section(text=text),))
        if explains
        else Paper(id="p", title="On batches", abstract=text)
    )
    field, heading, _ = next(record.fields())
    chunk = Chunk(
        id="c", source_id=record.id, field=field, start=0, end=len(text), text=text, heading=heading,
        sentences=((0, len(text)),),
    )  # fmt: skip
    return read_passage(record, chunk).sentences[0]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "We find that large batches increase the final return of deep policy networks.",
            "Our experiments show that large batches decrease the final return of deep policy networks.",
        ),
        (
            "Results show that reward shaping improves the exploration of sparse mazes.",
            "Results show that reward shaping does not improve the exploration of sparse mazes.",
        ),
        (
            "We show that offline pretraining reduces the samples needed for robot grasping by 40%.",
            "We found that offline pretraining reduces the samples needed for robot grasping by only 5%.",
        ),
    ],
)
def test_opposite_results_on_the_same_disagree(first: str, second: str) -> None:
    assert disagree(sentence(first), sentence(second))
    assert disagree(sentence(second), sentence(first))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (  # the same result
            "We find that large batches increase the final return of deep policy networks.",
            "Results show that large batches raise the final return of deep policy networks.",
        ),
        (  # about another thing
            "We find that large batches increase the final return of deep policy networks.",
            "We find that small replay buffers decrease the accuracy of image classifiers.",
        ),
        (  # on another task, by its name
            "We show that offline pretraining reduces the samples needed on Atari games by 40%.",
            "We show that offline pretraining reduces the samples needed on MuJoCo games by 5%.",
        ),
        (  # in another unit
            "We show that offline pretraining reduces the samples needed for robot grasping by 40%.",
            "We show that offline pretraining reduces the samples needed for robot grasping 3 times.",
        ),
        (  # a hedge says less than the opposite
            "Results show that reward shaping improves the exploration of sparse mazes.",
            "Results suggest that reward shaping may not improve the exploration of sparse mazes.",
        ),
        (  # "does not improve" and "worsens" agree
            "Results show that reward shaping does not improve the exploration of sparse mazes.",
            "Results show that reward shaping worsens the exploration of sparse mazes.",
        ),
        (  # aims, not results
            "We aim to study larger policy networks for robot grasping tasks.",
            "We aim to study smaller policy networks for robot grasping tasks.",
        ),
    ],
)
def test_what_is_no_contradiction_is_none(first: str, second: str) -> None:
    assert not disagree(sentence(first), sentence(second))


def test_an_explainer_contradicts_nobody() -> None:
    first = "Results show that reward shaping improves the exploration of sparse mazes."
    second = "Results show that reward shaping does not improve the exploration of sparse mazes."
    assert not disagree(sentence(first, explains=True), sentence(second))


def test_an_effect_is_denied_whose_size_another_states() -> None:
    pair = (
        "In field doses, gliders did not lower homing success.",
        "Gliders lowered homing success from 84% to 57%.",
    )
    one, other = (sentence(text) for text in pair)
    assert disagree(one, other)
    assert disagree(other, one)
    agreeing = sentence("In field doses, gliders lowered homing success.")
    assert not disagree(agreeing, other)
