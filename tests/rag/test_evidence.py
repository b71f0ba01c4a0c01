"""What may be quoted, and how terms are weighed."""

from __future__ import annotations

import math

import pytest

from rag.evidence import Weights, weigh
from rag.passages import is_quotable
from rag.question import read_question


@pytest.mark.parametrize(
    "text",
    [
        "See the earlier survey [12] for a full account of the methods.",
        "Several works [3, 7] and others [4-6] study this question in depth.",
        "The agent ![tracker](https://evil.example/x.png) reaches the goal quickly.",
        "Read [our page](https://evil.example) before you use this method at all.",
        "The agent <img src=x onerror=alert(1)> reaches the goal in ten steps.",
        "The code is available at https://example.org/code for everyone to use.",
        "# A heading that looks like a sentence but is markup.",
        "It `runs` as code in the browser of the reader today.",
        "Too short.",
        "Does a larger network help in this setting at all?",
        "This is slightly inaccurate.) and goes on for a while here.",
        "Why use policy-gradient methods?”.",
        "Data Augmentation for Model-Free Methods.",
        "A sentence that was cut off in the middle of",
    ],
)
def test_active_or_broken_text_is_never_quoted(text: str) -> None:
    assert not is_quotable(text)


@pytest.mark.parametrize(
    "text",
    [
        "The bound grows as \\(O(T^{3/2})\\) in the length of the sequence.",
        "Agents survive 201.69 steps longer (on average) than the others.",
    ],
)
def test_ordinary_scientific_sentences_are_quotable(text: str) -> None:
    assert is_quotable(text)


def test_rare_terms_weigh_more_and_names_double() -> None:
    question = read_question("Does AlphaStar improve exploration?")
    weights = weigh(question, 100, {"alphastar": 2, "improv": 50, "explor": 10}.__getitem__)
    assert weights.idf["explor"] == pytest.approx(math.log(1 + 90.5 / 10.5))
    assert weights.idf["alphastar"] == pytest.approx(2 * math.log(1 + 98.5 / 2.5))
    assert weights.idf["improv"] < weights.idf["explor"]


def test_a_share_is_of_the_questions_whole_mass() -> None:
    weights = Weights({"a": 3.0, "b": 1.0}, {("a", "b"): 4.0})
    assert weights.share({"a", "c"}) == 0.75
    assert weights.share(set()) == 0.0
    assert weights.share({"a", "b"}) == 1.0
    assert Weights({}, {}).share({"a"}) == 0.0


def test_an_abbreviation_that_is_a_small_word_is_told_by_its_capitals() -> None:
    question = read_question("What is HER?")
    assert weigh(question, 100, {"her": 30}.__getitem__).shouted == {"her"}
    assert weigh(read_question("What is off-policy learning?"), 100, lambda _: 30).shouted == set()
