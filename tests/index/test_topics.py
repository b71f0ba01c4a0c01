"""Membership: by a tag of the source, else by a whole-word match of a topic's name or alias."""

from __future__ import annotations

import pytest

from index.records import Explainer, Paper, Section, Topic
from index.topics import Membership, labels_of

RL = Topic(slug="reinforcement-learning", name="Reinforcement Learning", aliases=("RL", "Deep RL"))


def paper(abstract: str, *tags: str) -> Paper:
    return Paper(id="p", title="A title", abstract=abstract, tags=tags)


@pytest.mark.parametrize(
    "text",
    [
        "We use reinforcement learning here.",
        "We use Reinforcement-Learning here.",
        "Reinforcement\nlearning, at last.",
        "An RL agent.",
        "RL-based control (RL).",
        "deep rl, in lower case, for the alias is not all capitals",
    ],
)
def test_a_name_or_alias_in_the_text_matches(text: str) -> None:
    assert Membership([RL]).of(paper(text)) == {"reinforcement-learning": "match"}


@pytest.mark.parametrize(
    "text",
    [
        "The world and the girl.",
        "rl in lower case may be anything.",
        "An IRL study of RLHF and RL2.",
        "Reinforcement of learning.",
        "Reinforcement learnings.",
    ],
)
def test_parts_of_words_and_other_cases_of_a_short_alias_do_not(text: str) -> None:
    assert Membership([RL]).of(paper(text)) == {}


@pytest.mark.parametrize("tag", ["RL", "rl", "reinforcement learning", "Reinforcement-Learning"])
def test_a_tag_names_a_topic_in_any_spelling_and_outranks_a_match(tag: str) -> None:
    assert Membership([RL]).of(paper("On RL.", tag)) == {"reinforcement-learning": "tag"}


def test_an_unknown_or_empty_tag_is_no_topic() -> None:
    assert Membership([RL]).of(paper("On batteries.", "Batteries", "", "—")) == {}


def test_the_title_counts_as_text() -> None:
    assert Membership([RL]).of(Paper(id="p", title="RL at sea")) == {"reinforcement-learning": "match"}


def test_an_explainer_belongs_to_the_topic_it_names_and_to_those_it_mentions() -> None:
    robots = Topic(slug="robots", name="Robots")
    explainer = Explainer(id="e", title="Acting", topic="RL", sections=(Section(text="For robots too."),))
    assert Membership([RL, robots]).of(explainer) == {"reinforcement-learning": "tag", "robots": "match"}


def test_a_topic_belongs_to_itself_alone() -> None:
    robots = Topic(slug="robots", name="Robots", description="Machines that use reinforcement learning.")
    assert Membership([RL, robots]).of(robots) == {"robots": "tag"}


def test_a_hyphen_in_a_name_may_be_a_space_in_the_text() -> None:
    topic = Topic(slug="multi-agent", name="Multi-Agent Systems")
    assert Membership([topic]).of(paper("A multi agent-systems view.")) == {"multi-agent": "match"}


def test_signs_in_a_name_are_taken_literally() -> None:
    topic = Topic(slug="cpp", name="C++ (language)")
    assert Membership([topic]).of(paper("Written in C++ (language) throughout.")) == {"cpp": "match"}
    assert Membership([topic]).of(paper("Written in CCC language.")) == {}


@pytest.mark.parametrize("blank", ["", " ", "-"])
def test_a_blank_alias_matches_nothing(blank: str) -> None:
    topic = Topic(slug="fusion", name="Nuclear Fusion", aliases=(blank,))
    assert Membership([topic]).of(paper("Anything at all, in words.")) == {}


def test_a_topics_own_name_is_its_own_whatever_else_claims_it() -> None:
    agents = Topic(slug="agents", name="Agents")
    planning = Topic(slug="planning", name="Planning", aliases=("Agents",))
    for order in ([agents, planning], [planning, agents]):
        assert labels_of(order) == {"agents": "agents", "planning": "planning"}
        assert Membership(order).of(paper("Nothing.", "agents")) == {"agents": "tag"}


def test_memberships_that_differ_only_in_the_case_of_an_alias_decide_differently() -> None:
    quiet = RL.model_copy(update={"aliases": ("rl", "Deep RL")})
    assert not Membership([RL]).decides_as(Membership([quiet]))
    assert Membership([RL]).decides_as(Membership([RL.model_copy(update={"description": "New words."})]))
