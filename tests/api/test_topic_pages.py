"""The pages, as documents."""

from __future__ import annotations

import datetime as dt
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from api import pages
from rag.answer import FieldText, PaperInfo, PaperPage, SourceInfo, TopicInfo
from rag.engine import Engine

HOSTILE = '<img src="https://evil.example/x" onerror=alert(1)></title><script>alert(1)</script>'
VOID = {"meta", "link", "img", "br", "input"}


class Document(HTMLParser):
    """Elements and text of a page; fails on a tag that is not closed where it must be."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def scripts(self) -> list[dict[str, str | None]]:
        """The elements that run something: JSON-LD is data."""
        return [each for each in self.all("script") if each["type"] != "application/ld+json"]

    def headings(self) -> list[int]:
        return [int(tag[1]) for tag, _ in self.elements if tag in {"h1", "h2", "h3", "h4"}]


def topic_info(**changes: Any) -> TopicInfo:
    return TopicInfo(slug="t", name="Topic", papers=1, explainers=0).model_copy(update=changes)


def paper_page(*papers: PaperInfo) -> PaperPage:
    return PaperPage(total=len(papers), offset=0, papers=papers)


def test_the_topic_page_shows_the_topic_and_the_way_to_ask(client: httpx.Client, engine: Engine) -> None:
    response = client.get("/topics/reinforcement-learning")
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    document = Document(response.text)
    info = engine.topic("RL")
    assert "Also known as RL" in document.text
    assert info.description[:60] in document.text
    assert f"{info.papers:,} papers" in document.text
    assert document.all("ask-topic") == [{"topic": "reinforcement-learning"}]
    assert document.scripts() == [{"type": "module", "src": "/widget.js"}]
    assert engine.explainers("RL")[0].fields[0].text[:40] in document.text


def test_pages_are_well_formed_and_their_headings_nested(client: httpx.Client, engine: Engine) -> None:
    explainer = quote(engine.explainers("RL")[0].id, safe="")
    for path in ("/topics/reinforcement-learning", f"/sources/{explainer}"):
        document = Document(client.get(path).text)
        levels = document.headings()
        assert levels.count(1) == 1
        assert all(after - before <= 1 for before, after in pairwise(levels))
        assert [attributes["lang"] for attributes in document.all("html")] == ["en"]
        assert len(document.all("main")) == 1


def test_everything_a_page_loads_is_here(client: httpx.Client) -> None:
    document = Document(client.get("/topics/reinforcement-learning").text)
    links = [a["href"] for a in document.all("link") if a["rel"] != "canonical"]
    loaded = links + [a["src"] for a in document.scripts()]
    assert len(loaded) == 5  # style, icon, script, two feeds
    for path in loaded:
        assert client.get(str(path)).status_code == 200


def test_following_more_papers_shows_every_paper_once(client: httpx.Client, engine: Engine) -> None:
    url, shown = "/topics/reinforcement-learning", 0
    seen: list[str] = []
    while url:
        document = Document(client.get(url).text)
        shown += len([a for a in document.all("li") if a.get("class") == "card"])
        seen.append(url)
        url = next((str(a["href"]).split("#")[0] for a in document.all("a") if a.get("rel") == "next"), "")
        assert url not in seen
    assert shown == engine.papers("RL", 0, 1).total


@pytest.mark.parametrize("name", ["RL", "Reinforcement Learning"])
def test_other_names_lead_to_the_topics_own_address(client: httpx.Client, name: str) -> None:
    response = client.get(f"/topics/{quote(name)}")
    assert (response.status_code, response.headers["location"]) == (308, "/topics/reinforcement-learning")


def test_the_front_page_leads_to_the_only_topic(client: httpx.Client, engine: Engine) -> None:
    assert len(engine.topics()) == 1
    response = client.get("/")
    assert (response.status_code, response.headers["location"]) == (307, "/topics/reinforcement-learning")


def test_several_topics_are_listed_with_what_the_index_holds() -> None:
    topics = [topic_info(slug="planning", name="Planning", papers=1), topic_info(slug="a/b", papers=1_234)]
    document = Document(pages.topic_list(topics))
    assert {"/topics/planning", "/topics/a%2Fb"} <= {a["href"] for a in document.all("a")}
    assert "1 paper" in document.text
    assert "1,234 papers" in document.text
    assert "explainer" not in document.text
    assert "1,234 papers" in document.text


def test_a_front_page_without_topics_says_what_to_do() -> None:
    assert "asktopic ingest" in Document(pages.topic_list([])).text


def test_pages_answer_head_requests(client: httpx.Client) -> None:
    response = client.head("/topics/reinforcement-learning")
    assert (response.status_code, response.content) == (200, b"")


def test_the_widget_may_be_embedded_anywhere_and_is_revalidated(client: httpx.Client) -> None:
    response = client.get("/widget.js")
    assert response.headers["content-type"].startswith("text/javascript")
    assert response.headers["access-control-allow-origin"] == "*"
    again = client.get("/widget.js", headers={"If-None-Match": response.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_published_figures_are_told_as_the_sources(client: httpx.Client) -> None:
    figures = {
        "papers": 1742,
        "papers_last_four_weeks": 237,
        "change_percent": -4.5,
        "share_of_new_papers_percent": 1.4,
    }
    sentence = (
        "1,742 papers; 237 in the last four weeks, down 4.5% on the four weeks before; 1.4% of all new papers"
    )
    assert pages.statistics_sentence(figures) == sentence
    page = pages.topic(topic_info(published_statistics=figures), paper_page(), [], papers_per_page=20)
    assert f"As published by the source {sentence}" in Document(page).text


def test_no_text_of_a_record_becomes_markup() -> None:
    paper = PaperInfo(
        id=HOSTILE,
        title=HOSTILE,
        headline=HOSTILE,
        summary=HOSTILE,
        authors=(HOSTILE,),
        authors_total=3,
        date=dt.date(2026, 1, 20),
        venue=HOSTILE,
        url="javascript:alert(1)",
    )
    info = topic_info(slug=HOSTILE, name=HOSTILE, aliases=(HOSTILE,), description=HOSTILE)
    source = SourceInfo(
        id=HOSTILE,
        kind="paper",
        title=HOSTILE,
        url="javascript:alert(1)",
        retracted=True,
        fields=(FieldText(field="section.0", heading=HOSTILE, text=HOSTILE),),
    )
    for page in (
        pages.topic(info, paper_page(paper), [source, source], papers_per_page=20),
        pages.topic_list([info]),
        pages.source(source),
    ):
        document = Document(page)
        assert HOSTILE in document.text
        assert document.all("img") == []
        assert document.scripts() == [{"type": "module", "src": "/widget.js"}]
        hrefs = [str(a["href"]) for a in document.all("a")]
        assert all(href.startswith(("/", "#")) for href in hrefs)
        assert not any(name.startswith("on") for _, attributes in document.elements for name in attributes)


def test_a_retracted_paper_says_so() -> None:
    source = SourceInfo(id="p", kind="paper", title="P", retracted=True, fields=())
    assert "retracted" in Document(pages.source(source)).text


def test_of_many_explainers_the_one_named_like_the_topic_is_shown_and_the_others_linked() -> None:
    explainers = [
        SourceInfo(
            id=f"e{n}",
            kind="explainer",
            title=title,
            fields=(FieldText(field="section.0", heading=title, text=f"Text {n}."),),
        )
        for n, title in enumerate(("Another", "topic", "A third"))
    ]
    document = Document(pages.topic(topic_info(), paper_page(), explainers, papers_per_page=20))
    assert "Text 1." in document.text
    assert "Text 0." not in document.text
    assert {"/sources/e0", "/sources/e2"} <= {a["href"] for a in document.all("a")}
    assert document.headings() == [1, 2, 2]  # a section headed like its explainer needs no second heading


def test_beyond_the_last_paper_the_last_page_is_shown(client: httpx.Client, engine: Engine) -> None:
    response = client.get("/topics/reinforcement-learning?offset=100000", follow_redirects=True)
    total = engine.papers("reinforcement-learning").total
    assert response.status_code == 200
    assert f"–{total} of {total}" in response.text
