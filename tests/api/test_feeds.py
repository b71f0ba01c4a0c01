"""What a reader follows: the papers of a topic, of a tag, of an author; the answer to a question."""

from __future__ import annotations

import datetime as dt
import json
import xml.etree.ElementTree as ET
from typing import Any

import httpx

from api.feeds import Entry, Feed, answer_entry
from rag.answer import AskRequest
from rag.engine import Engine

ATOM = "{http://www.w3.org/2005/Atom}"
TOPIC = "/topics/reinforcement-learning"


def atom(client: httpx.Client, path: str) -> ET.Element:
    response = client.get(path)
    assert response.headers["content-type"] == "application/atom+xml"
    return ET.fromstring(response.text)


def titles(feed: ET.Element) -> list[str | None]:
    return [entry.findtext(f"{ATOM}title") for entry in feed.iter(f"{ATOM}entry")]


def test_a_topics_feed_tells_of_its_newest_papers(client: httpx.Client, engine: Engine) -> None:
    papers = engine.papers("RL", 0, 50).papers
    feed = atom(client, f"{TOPIC}/feed.atom")
    assert titles(feed) == [paper.title for paper in papers]
    assert feed.findtext(f"{ATOM}updated") == f"{papers[0].date}T00:00:00Z"
    for entry in feed.iter(f"{ATOM}entry"):
        link = entry.find(f"{ATOM}link")
        assert link is not None
        assert client.get(link.attrib["href"]).status_code == 200


def test_both_kinds_of_feed_tell_the_same(client: httpx.Client) -> None:
    response = client.get(f"{TOPIC}/feed.json")
    assert response.headers["content-type"] == "application/feed+json"
    feed = json.loads(response.text)
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert [item["title"] for item in feed["items"]] == titles(atom(client, f"{TOPIC}/feed.atom"))


def test_a_tag_or_an_author_can_be_followed(client: httpx.Client, engine: Engine) -> None:
    paper = next(paper for paper in engine.papers("RL", 0, 50).papers if len(paper.tags) > 1)
    for name, value in (("tag", paper.tags[-1].name), ("author", paper.authors[0])):
        found = titles(atom(client, f"{TOPIC}/feed.atom?{httpx.QueryParams({name: value})}"))
        assert paper.title in found
        assert len(found) < engine.papers("RL").total


def test_a_question_is_followed_and_its_entry_is_another_when_its_sources_change(engine: Engine) -> None:
    answer = engine.ask(AskRequest(question="What is reward hacking?", topic="RL"))
    page = "https://here.example/ask?question=x"
    entry = answer_entry(answer, page)
    assert entry.title == "What is reward hacking?"
    assert answer.answer in entry.summary
    assert answer_entry(answer.model_copy(update={"id": "another"}), page).id == entry.id
    assert answer_entry(answer.model_copy(update={"sources": answer.sources[:-1]}), page).id != entry.id


def test_the_feed_of_a_question_answers_it(client: httpx.Client) -> None:
    feed = atom(client, f"{TOPIC}/feed.atom?{httpx.QueryParams({'question': 'What is reward hacking?'})}")
    assert titles(feed) == ["What is reward hacking?"]


def test_a_feed_is_sent_again_only_where_it_has_changed(client: httpx.Client) -> None:
    first = client.get(f"{TOPIC}/feed.atom")
    again = client.get(f"{TOPIC}/feed.atom", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_no_character_of_a_record_breaks_a_feed() -> None:
    hostile = "<b>\x00&]]>\ud83d\u202e</b>"
    entry = Entry("i", hostile, "https://x.example/", dt.date(2026, 1, 1), hostile, (hostile,))
    feed = Feed(hostile, "https://x.example/feed", "https://x.example/", [entry])
    read: Any = ET.fromstring(feed.atom())
    assert read.findtext(f"{ATOM}title") == "<b>&]]></b>"
