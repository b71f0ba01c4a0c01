"""Which questions are for a fact of the collection, and what they ask for."""

from __future__ import annotations

import datetime as dt

import pytest

from rag.facts.reading import FactQuestion, read_fact

TODAY = dt.date(2026, 1, 20)


class Known:
    """A small world of names."""

    def is_author(self, name: str) -> bool:
        return name in {"Ada Berg", "Berg", "Ben Ode", "Lee"}

    def is_venue(self, name: str) -> bool:
        return name in {"ICML 2017", "ICML", "Learning in Games Workshop"}

    def is_affiliation(self, name: str) -> bool:
        return name in {"Uppsala University"}

    def is_subject(self, name: str) -> bool:
        return name in {"reinforcement learning", "offline RL"}


def read(text: str) -> FactQuestion | None:
    return read_fact(text, TODAY, Known())


@pytest.mark.parametrize(
    ("text", "kind", "title"),
    [
        ("Who wrote Double Q-learning?", "authors", "Double Q-learning"),
        ("who are the authors of “Fast Walks: A Study”?", "authors", "Fast Walks: A Study"),
        ("Who wrote the soft actor-critic paper?", "authors", "soft actor-critic"),
        ("Please tell me who wrote the paper titled Fast Walks", "authors", "Fast Walks"),
        ("When was “Fast Walks” published?", "date", "Fast Walks"),
        ("In which year was QMIX published?", "date", "QMIX"),
        ("Where did QMIX appear?", "venue", "QMIX"),
        ("At which conference was QMIX presented?", "venue", "QMIX"),
        ("Which institutions are behind QMIX?", "affiliations", "QMIX"),
        ("Where do the authors of QMIX work?", "affiliations", "QMIX"),
        ("What tags does QMIX have?", "tags", "QMIX"),
    ],
)
def test_a_fact_of_one_paper(text: str, kind: str, title: str) -> None:
    found = read(text)
    assert found is not None
    assert (found.kind, found.title) == (kind, title)


@pytest.mark.parametrize("text", ["who wrote that?", "When was it published?", "Who wrote this paper?"])
def test_a_fact_of_the_paper_spoken_of_before(text: str) -> None:
    found = read(text)
    assert found is not None
    assert found.points_back


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many papers are there?", FactQuestion("count")),
        ("how many explainers do you have", FactQuestion("count", works="explainer")),
        ("How many papers are there on sparse rewards?", FactQuestion("count", about="sparse rewards")),
        ("How many offline RL papers are there?", FactQuestion("count", about="offline RL")),
        ("How many papers mention exploration?", FactQuestion("count", about="exploration")),
        ("How many ICML papers are there?", FactQuestion("count", venue="ICML")),
        ("How many Ada Berg papers are there?", FactQuestion("count", authors=("Ada Berg",))),
        ("Is the number of papers growing?", FactQuestion("statistics")),
        ("How many papers on walking list Ada Berg as an author?",
         FactQuestion("count", about="walking", authors=("Ada Berg",))),
        ("How many papers has Ada Berg written?", FactQuestion("count", authors=("Ada Berg",))),
        ("Which papers are by Ada Berg and Ben Ode?", FactQuestion("list", authors=("Ada Berg", "Ben Ode"))),
        ("How many papers from ICML 2017 are there?", FactQuestion("count", venue="ICML 2017")),
        ("How many papers have the venue “ICML 2017”?", FactQuestion("count", venue="ICML 2017")),
        ("How many papers from Uppsala University are there?",
         FactQuestion("count", affiliation="Uppsala University")),
        ("How many papers on learning in games are there?", FactQuestion("count", about="learning in games")),
        ("How many authors are there?", FactQuestion("count", column="authors")),
        ("What is the newest paper?", FactQuestion("newest", limit=1)),
        ("What are the three latest papers?", FactQuestion("newest", limit=3)),
        ("latest papers on walking", FactQuestion("newest", about="walking")),
        ("What is the oldest paper?", FactQuestion("oldest", limit=1)),
        ("Who are the most active authors?", FactQuestion("ranking", column="authors")),
        ("Top 3 venues", FactQuestion("ranking", column="venue", limit=3)),
        ("Which venues have the most papers?", FactQuestion("ranking", column="venue")),
        ("How many papers per year?", FactQuestion("trend")),
        ("Papers by month", FactQuestion("trend", by_month=True)),
        ("Show me the statistics of this topic", FactQuestion("statistics")),
        ("Is reinforcement learning growing?", FactQuestion("statistics", about="reinforcement learning")),
        ("List all papers", FactQuestion("list")),
        ("papers by Ada Berg", FactQuestion("list", authors=("Ada Berg",))),
        ("Papers at ICML", FactQuestion("list", venue="ICML")),
        ("Who is Ada Berg?", FactQuestion("list", authors=("Ada Berg",))),
        ("What did Berg et al. find?", FactQuestion("list", authors=("Berg",))),
        ("What has Ada Berg written about walking?",
         FactQuestion("list", authors=("Ada Berg",), about="walking")),
        ("What's new?", FactQuestion("newest")),
        ("What is new in offline RL?", FactQuestion("newest", about="offline RL")),
        ("Who wrote the newest paper on walking?",
         FactQuestion("authors", first_of=FactQuestion("newest", limit=1, about="walking"))),
        ("When was the oldest paper published?",
         FactQuestion("date", first_of=FactQuestion("oldest", limit=1))),
    ],
)  # fmt: skip
def test_a_fact_of_the_collection(text: str, expected: FactQuestion) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "How many papers are from 2025?",
        "Which papers were published in 2025?",
        "How many papers were there last year?",
        "How many 2025 papers are there?",
        "papers from 2025",
        "What was published in 2025?",
        "What was new in 2025?",
    ],
)
def test_dates_in_words_restrict(text: str) -> None:
    found = read(text)
    assert found is not None
    assert found.period is not None
    assert (found.period.first, found.period.last) == (dt.date(2025, 1, 1), dt.date(2025, 12, 31))


@pytest.mark.parametrize(
    "text",
    [
        "How many papers did the survey review?",
        "How many games did the agent win?",
        "What did the first paper find?",
        "Which papers study exploration with sparse rewards?",
        "Which papers are about exploration?",
        "What is the latest idea on exploration?",
        "How many papers by Nobody Known are there?",
        "How many papers by them are there?",
        "How many papers by *?",
        "How many papers mention the?",
        "How many papers about robots or games?",
        "How many papers about robots but not simulation?",
        "How many papers list Ada Berg as first author?",
        "How many first authors are there?",
        "How many good papers are there?",
        "How many papers after 9999-12-31?",
        "Is the agent growing?",
        "How large is the reward?",
        "Who wrote them?",
        "Who introduced Q-learning?",
        "When does learning fail?",
        "What is the number of layers in the papers' networks?",
        "Who wrote the most papers in vain?",
        "Why do papers list their authors?",
        "Show me the paper",
        "Who is it?",
        "What did LEE find?",  # an abbreviation, though Lee is an author
        "What is added by the critic?",
        "What did Ada Berg find about walking?",
        "Papers on exploration",
        "",
        "How many papers " + "really " * 80 + "?",
    ],
)
def test_what_is_not_surely_for_a_fact_is_left_to_the_papers(text: str) -> None:
    assert read(text) is None
