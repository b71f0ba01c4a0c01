"""The index of topics."""

from __future__ import annotations

from collections.abc import Sequence

from api.markup import Markup, render
from api.pages.addresses import topic_path
from api.pages.layout import Head, layout
from api.pages.parts import count, day
from rag.answer import TopicInfo


def topic_list(topics: Sequence[TopicInfo], base: str = "") -> Markup:
    """Every topic with what the index holds of it."""
    items = [
        render(
            '<li class="card"><h2><a href="$path">$name</a></h2><p class="meta">$holdings</p>$about</li>',
            path=topic_path(topic.slug),
            name=topic.name,
            holdings=holdings(topic),
            about=render("<p>$text</p>", text=_first_sentence(topic.description))
            if topic.description
            else "",
        )
        for topic in topics
    ]
    empty = render("<p>Nothing has been ingested yet. Run <code>asktopic ingest PATH</code>.</p>")
    body = render('<ul class="cards">$items</ul>', items=items) if items else empty
    head = Head("Topics", path="/topics", base=base, summary="Research topics to ask about.")
    return layout(head, render("<h1>Topics</h1>$body", body=body))


def holdings(info: TopicInfo) -> str:
    """What the index holds of a topic, in a phrase."""
    latest = f"; latest of {day(info.latest)}" if info.latest else ""
    explainers = f", {count(info.explainers, 'explainer')}" if info.explainers else ""
    return f"{count(info.papers, 'paper')}{explainers}{latest}"


def _first_sentence(text: str) -> str:
    head, dot, _ = text.partition(". ")
    return head + "." if dot else text
