"""What a question that leans on earlier ones asks, as a question that stands by itself."""

from __future__ import annotations

import pytest

from rag.anaphora import focus
from rag.answer import Turn
from rag.followup import FollowUp, resolve


def after(earlier: str, text: str, answer: str = "") -> FollowUp:
    return resolve(text, [Turn(question=earlier, answer=answer)])


@pytest.mark.parametrize(
    ("earlier", "text", "meant"),
    [
        ("What is model-based RL?", "and its limits?", "What are the limits of model-based RL?"),
        ("What is HER?", "Which tasks was it tested on?", "Which tasks was HER tested on?"),
        ("What does PPO maximise?", "What about SAC?", "What does SAC maximise?"),
        ("Is GRPO biased?", "how so?", "How is GRPO biased?"),
        ("Does RLHF make answers longer?", "Why is that?", "Why does RLHF make answers longer?"),
        ("How do robots grasp?", "in clutter?", "How do robots grasp in clutter?"),
        ("Which papers study offline RL?", "only since 2024", "Which papers study offline RL since 2024?"),
        ("How many papers by Ada are there?", "only 2019?", "How many papers by Ada are there in 2019?"),
        ("What is QMIX?", "And who introduced it?", "who introduced QMIX?"),
        ("How does DQN cope with noise?", "How does SAC do it?", "How does SAC cope with noise?"),
        ("What does P-ACC learn?", "and CherryBot, what does it use?", "what does CherryBot use?"),
        ("Can a DLR-Hand turn a cube?", "How often does it fail?", "How often does DLR-Hand fail?"),
        ("What does RTAW do?", "What do those robots cost?", "What do those robots (RTAW) cost?"),
    ],
)
def test_it_is_written_out(earlier: str, text: str, meant: str) -> None:
    assert after(earlier, text).text == meant


@pytest.mark.parametrize(
    ("earlier", "text", "meant"),
    [
        ("How many papers by Ada are there?", "How many of them in 2020?", "How many papers by Ada in 2020?"),
        ("Which papers are by Ada?", "Which of them is the newest?", "What is the newest paper by Ada?"),
        ("How many papers are there?", "Which is the oldest?", "What is the oldest paper?"),
        ("What are the newest papers on bees?", "and the oldest?", "What are the oldest papers on bees?"),
    ],
)  # fmt: skip
def test_papers_just_counted_are_asked_about(earlier: str, text: str, meant: str) -> None:
    assert after(earlier, text).text == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Who are its authors?", "Who wrote that paper?"),
        ("whose idea was that?", "Who wrote that paper?"),
        ("Which year?", "When was that paper published?"),
        ("how recent is this?", "When was that paper published?"),
        ("At which conference was it presented?", "Where was that paper published?"),
        ("Which university is it from?", "Where do the authors of that paper work?"),
    ],
)
def test_facts_are_of_the_paper_spoken_of(text: str, meant: str) -> None:
    assert after("What is QMIX?", text).text == meant


@pytest.mark.parametrize(
    ("text", "source"),
    [("What does the second one find?", 2), ("and the last?", -1), ("Tell me more about [3].", 3)],
)
def test_a_source_is_pointed_at_by_its_number(text: str, source: int) -> None:
    assert after("Which papers study walking?", text).source == source


@pytest.mark.parametrize(
    "text",
    [
        "What is reward hacking?",
        "How do agents improve their policy?",
        "How does PPO work and why does it fail?",
        "Which year had the most papers at ICML?",
        "Who uses curriculum learning?",
        "What is it that makes exploration hard?",
    ],
)
def test_a_question_of_its_own_stays_as_it_is(text: str) -> None:
    found = after("What is QMIX?", text)
    assert found == FollowUp(text, may_go_on=True)


def test_a_change_of_topic_is_one() -> None:
    found = after("What is AERO?", "ok, something else: can RL optimise peptides?")
    assert found == FollowUp("can RL optimise peptides?")


def test_turns_are_followed_back() -> None:
    history = [Turn(question="How does HER work?"), Turn(question="Which tasks was it tested on?")]
    found = resolve("And in the real world?", history)
    assert found.text == "Which tasks was HER tested on in the real world?"


def test_what_has_no_name_is_said_by_the_earlier_question() -> None:
    earlier = "Do large agents trained on few small hard random levels of games overfit?"
    found = after(earlier, "What helps against this?")
    assert found.leans
    assert found.text == f"{earlier} What helps against this?"


def test_what_goes_on_leans_and_what_asks_elsewhere_does_not() -> None:
    assert after("What is HER?", "How often does it fail?").leans
    assert after("What is HER?", "How often does it fail?").bare == "How often does it fail?"
    assert not after("What is HER?", "And DQN?").leans
    assert not after("How do robots grasp?", "in clutter?").leans


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("What is soft actor-critic?", "soft actor-critic"),
        ("What are neural barriers for?", "neural barriers"),
        ("What did “A Walk in the Park” find?", "“A Walk in the Park”"),
        ("How does DreamerV3 handle sparse rewards?", "DreamerV3"),
        ("What does HER stand for?", "HER"),
    ],
)
def test_what_a_question_is_about(question: str, about: str) -> None:
    assert focus(question) == about


@pytest.mark.parametrize("earlier", ["", "???", "What?"])
def test_an_earlier_question_without_words_is_no_obstacle(earlier: str) -> None:
    assert after(earlier, "And its limits?").text


def test_a_year_gives_way_to_a_year() -> None:
    assert after("Which papers from 2018?", "And 2019?").text == "Which papers in 2019?"


@pytest.mark.parametrize(
    ("earlier", "text", "source", "of_each"),
    [
        ("What is the newest paper?", "What did it find?", 1, False),
        ("Who wrote “Fast Walks”?", "What is it about?", 1, False),
        ("Who wrote the newest paper?", "What are its limits?", 1, False),
        ("How many papers are by Ada?", "What do they find?", None, True),
        ("What is new since May?", "What are their limits?", None, True),
    ],
)
def test_what_the_catalog_told_of_is_asked_about(
    earlier: str, text: str, source: int | None, of_each: bool
) -> None:
    found = after(earlier, text)
    assert (found.source, found.of_each) == (source, of_each)
    assert found.place is not None


def test_the_same_paper_is_asked_about_further() -> None:
    turns = [Turn(question="What is the newest paper?"), Turn(question="What did it find?")]
    assert resolve("And what are its limits?", turns).source == 1


@pytest.mark.parametrize(
    ("earlier", "text", "meant"),
    [
        ("Does noise cause deafness?", "What are its causes?", "What are the causes of deafness?"),
        ("Does noise cause deafness?", "What are its effects?", "What are the effects of noise?"),
        ("What are the causes of deafness?", "And the remedies?", "What are the remedies of deafness?"),
        ("What are the newest papers?", "Which of them are on PPO?", "What are the newest papers on PPO?"),
    ],
)
def test_causes_are_those_of_what_is_caused(earlier: str, text: str, meant: str) -> None:
    assert after(earlier, text).text == meant


def test_what_was_spoken_of_is_spoken_of_still_after_a_fact() -> None:
    history = [Turn(question="What is HER?"), Turn(question="who wrote that?")]
    assert resolve("what are its limits?", history).text == "what are the limits of HER?"
