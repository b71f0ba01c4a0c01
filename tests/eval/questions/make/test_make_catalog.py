from __future__ import annotations

import datetime as dt

import pytest

from eval.questions.make.catalog import TopicPapers, catalog_questions, stored_papers
from eval.questions.question import EvalQuestion
from rag.answer import PaperInfo
from rag.engine import Engine

MARCH, MAY = dt.date(2020, 3, 1), dt.date(2021, 5, 9)
BRIDGES = TopicPapers(
    "bridges",
    "Bridges",
    (
        PaperInfo(id="p1", title="Sway", authors=("Ann Lee", "Bo Roe"), date=MARCH, venue="BR 2020"),
        PaperInfo(id="p2", title="Steel", authors=("Ann Lee",), authors_total=4, date=MAY),
        PaperInfo(id="p3", title="Rope", authors=("ann lee",), date=MAY, venue="BR 2020"),
        PaperInfo(id="p4", title="Undated"),
    ),
)


def by_id(as_of: dt.date | None = None, *, each: int = 50) -> dict[str, EvalQuestion]:
    made = catalog_questions([BRIDGES], each=each, as_of=as_of)
    assert len({one.id for one in made}) == len(made)
    return {one.id.removeprefix("catalog-bridges-"): one for one in made}


@pytest.mark.parametrize(
    ("name", "count", "ids"),
    [
        ("total", 4, "p1 p2 p3 p4"),
        ("year-2021", 2, "p2 p3"),
        ("month-2020-03", 1, "p1"),
        ("venue-br-2020", 2, "p1 p3"),
        ("author-ann-lee", 3, "p1 p2 p3"),
    ],
)
def test_counts(name: str, count: int, ids: str) -> None:
    question = by_id()[name]
    assert question.nuggets[0].numbers == (str(count),)
    assert question.nuggets[0].text == f"{count} paper{'s' * (count != 1)}"
    assert question.positives == set(ids.split())
    assert question.topic == "bridges"


def test_any_paper_of_the_newest_day_will_do() -> None:
    newest = by_id()["newest"]
    assert {newest.nuggets[0].text, *newest.nuggets[0].accepted} == {"Steel", "Rope"}
    assert newest.must_cite == ("p2", "p3")
    assert by_id()["oldest"].nuggets[0].text == "Sway"


def test_nothing_later_than_as_of_counts() -> None:
    made = by_id(dt.date(2020, 12, 31))
    total = made["total-2020-12-31"]
    assert total.nuggets[0].text == "1 paper"
    assert total.as_of == dt.date(2020, 12, 31)
    assert made["newest-2020-12-31"].nuggets[0].text == "Sway"


def test_authors_dates_and_lists() -> None:
    made = by_id()
    assert [(n.text, n.vital) for n in made["who-p1"].nuggets] == [("Ann Lee", True), ("Bo Roe", False)]
    assert made["who-p2"].gold_answer == "Ann Lee and 3 more"
    assert "1 March 2020" in made["when-p1"].nuggets[0].accepted
    assert [n.text for n in made["list-ann-lee"].nuggets] == ["Sway", "Steel", "Rope"]
    assert "who-p4" not in made
    assert "when-p4" not in made


def test_a_title_that_two_papers_share_is_not_asked_for() -> None:
    twins = TopicPapers("t", "T", tuple(PaperInfo(id=n, title="Same", authors=("A B",)) for n in "xy"))
    assert not [one for one in catalog_questions([twins]) if "Same" in one.question or "list" in one.id]


def test_each_form_is_drawn_by_the_seed() -> None:
    many = TopicPapers(
        "t", "T", tuple(PaperInfo(id=f"p{n}", title=f"Title {n}", authors=(f"A {n}",)) for n in range(40))
    )
    made = catalog_questions([many], each=3, seed=1)
    assert sum("-who-" in one.id for one in made) == 3
    assert made == catalog_questions([many], each=3, seed=1)
    assert made != catalog_questions([many], each=3, seed=2)


def test_agrees_with_the_catalog_of_an_engine(engine: Engine) -> None:
    (topic,) = stored_papers(engine)
    made = {one.id: one for one in catalog_questions([topic], each=1000)}
    total = made["catalog-reinforcement-learning-total"]
    assert total.nuggets[0].numbers == (str(engine.topic("RL").papers),)
    newest = engine.papers("RL", 0, 1).papers[0]
    assert newest.id in made["catalog-reinforcement-learning-newest"].must_cite
    per_year = [one for name, one in made.items() if "-year-" in name]
    assert sum(int(one.nuggets[0].numbers[0]) for one in per_year) == engine.topic("RL").papers
