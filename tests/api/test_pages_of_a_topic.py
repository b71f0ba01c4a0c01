"""The pages around a topic: its figures, the choice of its papers, its explainer, its papers."""

from __future__ import annotations

import datetime as dt
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from contextlib import AbstractContextManager
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from api import pages
from api.app import create_app
from api.pages.chart import weekly
from index.encoder import Encoder
from index.ingest.build import build
from index.settings import IndexSettings
from rag.answer import FieldText, PaperInfo, PaperPage, SourceInfo, Tag, TopicFigures, TopicInfo, Week
from rag.engine import Engine

TOPIC = "/topics/reinforcement-learning"
Connect = Callable[[FastAPI], AbstractContextManager[httpx.Client]]
QUOTE = {"field": "summary", "start": 433, "end": 573}


@pytest.mark.parametrize(
    ("recent", "before", "change", "share", "told"),
    [
        (40, 50, -20.0, 1.4, "40 papers {}, down 20% on the four weeks before; 1.4% of all new papers here<"),
        (4, 5, -20.0, 100.0, "4 papers {}, 5 in the four weeks before<"),
        (4, 0, None, 50.0, "4 papers {}; 50% of all new papers here<"),
    ],
)
def test_the_figures_of_four_weeks_are_told_with_their_days(
    recent: int, before: int, change: float | None, share: float, told: str
) -> None:
    figures = TopicFigures(
        first=dt.date(2025, 12, 24),
        last=dt.date(2026, 1, 20),
        recent=recent,
        before=before,
        change_percent=change,
        share_percent=share,
        weeks=(Week(first=dt.date(2026, 1, 14), papers=2),),
    )
    info = TopicInfo(slug="t", name="T", papers=9, explainers=0, figures=figures)
    page = pages.topic(info, PaperPage(total=0, offset=0, papers=()), [], papers_per_page=20)
    assert told.format("in the last four weeks (from 24 December 2025 to 20 January 2026)") in page
    assert "2 papers in the week from 14 January 2026" in page
    assert "Papers a week, from 14 January 2026 to 20 January 2026; 2 at most" in page


def test_the_engine_counts_every_paper_of_half_a_year_once(engine: Engine) -> None:
    info = engine.topic("RL")
    assert info.figures
    weeks = info.figures.weeks
    assert {after.first - before.first for before, after in pairwise(weeks)} == {dt.timedelta(7)}
    assert len(weeks) == 26
    assert weeks[-1].first + dt.timedelta(6) == info.figures.last
    dated = [paper.date for paper in engine.papers("RL", 0, 1_000).papers if paper.date]
    assert sum(week.papers for week in weeks) == sum(
        weeks[0].first <= day <= info.figures.last for day in dated
    )
    assert sum(week.papers for week in weeks[-4:]) == info.figures.recent == info.recent


def test_a_chart_without_papers_is_left_out() -> None:
    assert weekly([Week(first=dt.date(2026, 1, 1), papers=0)]) == ""


def test_papers_are_chosen_by_tag_author_and_date(client: httpx.Client, engine: Engine) -> None:
    everything = engine.papers("RL", 0, 1_000).papers
    paper = next(paper for paper in everything if len(paper.tags) > 1 and paper.date)
    asked = {
        "tag": paper.tags[-1].name.lower(),
        "author": paper.authors[0],
        "from": str(paper.date),
        "to": "",
    }
    page = client.get(f"{TOPIC}?{httpx.QueryParams(asked)}").text
    assert paper.title in page
    expected = [
        each
        for each in everything
        if asked["tag"] in [tag.name.lower() for tag in each.tags]
        and paper.authors[0] in each.authors
        and each.date
        and each.date >= paper.date
    ]
    assert f"1–{len(expected)} of {len(expected)}, newest first" in page
    assert "No paper matches." in client.get(f"{TOPIC}?author=Nobody").text


@pytest.mark.parametrize("query", ["from=yesterday", "offset=-1", "colour=red"])
def test_an_address_that_asks_for_the_impossible_is_told_so(client: httpx.Client, query: str) -> None:
    assert client.get(f"{TOPIC}?{query}").status_code == 422


def test_the_explainers_page_names_where_the_topic_appears(client: httpx.Client, engine: Engine) -> None:
    page = client.get(f"{TOPIC}/explainer").text
    explainer = engine.explainers("RL")[0]
    for field in explainer.fields:
        assert field.text[:40] in page
    headed = next(paper for paper in engine.papers("RL", 0, 60).papers if paper.headline)
    assert headed.headline in page
    assert f'href="/papers/{headed.id}"' in page


def test_a_papers_page_marks_the_passage_that_an_answer_came_from(
    client: httpx.Client, engine: Engine
) -> None:
    info = engine.source("paper-8b19cf56b2dc")
    quote = next(field.text for field in info.fields if field.field == "summary")[433:573]
    page = client.get(f"/papers/{info.id}?{httpx.QueryParams(QUOTE)}").text
    assert f'<mark id="cited">{quote}</mark>' in page
    assert "<mark" not in client.get(f"/papers/{info.id}").text
    beyond = QUOTE | {"start": 10_000, "end": 10_001}
    assert "<mark" not in client.get(f"/papers/{info.id}?{httpx.QueryParams(beyond)}").text


def test_a_papers_page_tells_all_that_is_known_of_it() -> None:
    info = SourceInfo(
        id="p",
        kind="paper",
        title="Title",
        authors=("Ann", "Bob", "Cyd", "Dan", "Eve"),
        authors_total=7,
        affiliations=("Here",),
        affiliations_total=3,
        tags=(Tag(name="Topic", topic="topic"), Tag(name="Other")),
        tags_total=5,
        topics=("topic",),
        date=dt.date(2026, 1, 7),
        retracted=True,
        fields=(FieldText(field="abstract", text=r"So \(x\) is."),),
    )
    page = pages.source(info, [PaperInfo(id="q", title="Near")])
    assert re.search(
        r"Ann, Bob, Cyd <details.*\+4</summary>Dan, Eve and 2 that the source does not name", page
    )
    assert 'Here <span class="more">+2</span>' in page
    assert '<a href="/topics/topic">Topic</a>' in page
    assert '<a href="/topics/topic?tag=Other#papers">Other</a>' in page
    assert "retracted" in page
    assert "<math" in page
    assert '<a href="/papers/q">Near</a>' in page


def test_a_source_has_one_address(client: httpx.Client, engine: Engine) -> None:
    paper, explainer = engine.papers("RL").papers[0], engine.explainers("RL")[0]
    moved = client.get(f"/sources/{paper.id}?field=abstract")
    assert (moved.status_code, moved.headers["location"]) == (308, f"/papers/{paper.id}?field=abstract")
    moved = client.get(f"/papers/{explainer.id}")
    assert (moved.status_code, moved.headers["location"]) == (308, f"/sources/{explainer.id}")


def test_the_nearest_papers_are_others(engine: Engine) -> None:
    for paper in engine.papers("RL", 0, 5).papers:
        related = engine.related(paper.id)
        assert 0 < len(related) <= 6
        assert paper.id not in {each.id for each in related}


def test_pages_describe_themselves_to_other_programs(client: httpx.Client, engine: Engine) -> None:
    paper = engine.papers("RL").papers[0]
    page = client.get(f"/papers/{paper.id}").text
    (found,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    data = json.loads(found)
    assert (data["@type"], data["headline"]) == ("ScholarlyArticle", paper.title)
    assert data["author"][0] == {"@type": "Person", "name": paper.authors[0]}
    base = str(client.base_url).rstrip("/")
    assert f'<link rel="canonical" href="{base}/papers/{paper.id}">' in page
    assert f'<meta property="og:title" content="{paper.title}">' in page


def test_nothing_in_a_record_ends_the_data_of_its_page() -> None:
    info = SourceInfo(id="p", kind="paper", title="</script><script>alert(1)</script>", fields=())
    page = pages.source(info)
    (found,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    assert json.loads(found)["headline"] == info.title
    assert "<script>alert" not in page


def test_every_paper_is_in_the_sitemap(client: httpx.Client, engine: Engine) -> None:
    parts = [str(node.text) for node in ET.fromstring(client.get("/sitemap.xml").text).iter() if node.text]
    listed = {
        str(node.text)
        for part in parts
        for node in ET.fromstring(client.get(part).text).iter()
        if node.tag.endswith("loc")
    }
    base = str(client.base_url).rstrip("/")
    papers = engine.papers("RL", 0, 1_000).papers
    assert {f"{base}/papers/{paper.id}" for paper in papers} <= listed
    assert f"{base}{TOPIC}/explainer" in listed


def test_a_page_is_sent_again_only_where_it_has_changed(client: httpx.Client) -> None:
    first = client.get(TOPIC)
    again = client.get(TOPIC, headers={"If-None-Match": f'"other", W/{first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(TOPIC, headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_long_abstract_begins_with_whole_sentences_and_can_be_read_on() -> None:
    short = "It works."
    long = " ".join(f"This is sentence number {n} of a long abstract." for n in range(30))
    papers = tuple(
        PaperInfo(id=str(n), title=f"Paper {n}", summary=text) for n, text in enumerate((short, long))
    )
    info = TopicInfo(slug="t", name="T", papers=2, explainers=0)
    page = pages.topic(info, PaperPage(total=2, offset=0, papers=papers), [], papers_per_page=20)
    assert page.count('<details class="rest">') == 1
    shown, folded = page.split('<details class="rest">')
    assert "number 0 of a long abstract." in shown
    assert "number 29 of" not in shown
    assert "number 29 of a long abstract." in folded
    assert all(page.count(f"number {n} of") == 1 for n in range(30))


def test_a_topic_that_nothing_explains_has_no_explainer_page(
    connect: Connect, encoder: Encoder, tmp_path: Path
) -> None:
    file, settings = tmp_path / "papers.jsonl", IndexSettings(data_dir=tmp_path / "data")
    file.write_text(
        '{"kind": "topic", "slug": "bare", "name": "Bare"}\n'
        '{"kind": "paper", "id": "p", "title": "On the bare", "abstract": "It is.", "tags": ["Bare"]}\n'
    )
    build([file], settings, encoder=encoder)
    with Engine(settings, encoder=encoder) as engine, connect(create_app(engine)) as client:
        assert client.get("/topics/bare").status_code == 200
        response = client.get("/topics/bare/explainer", headers={"Accept": "text/html"})
    assert response.status_code == 404
    assert "Nothing in this index explains Bare yet." in response.text


def test_no_address_but_one_of_the_web_is_told_to_other_programs() -> None:
    info = SourceInfo(id="p", kind="paper", title="On links", url="javascript:alert(1)", fields=())
    assert "javascript:" not in pages.source(info, [])
    assert '"sameAs": "https://example.org/p"' in pages.source(
        info.model_copy(update={"url": "https://example.org/p"}), []
    )
