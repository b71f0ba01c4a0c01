"""Feeds: the newest papers of a topic, or the answer to a question, as Atom (RFC 4287) or JSON Feed 1.1."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass

from api.markup import web_url
from api.pages.addresses import paper_path
from rag.answer import Answer, PaperInfo

_ATOM = "http://www.w3.org/2005/Atom"
_EPOCH = dt.date(1970, 1, 1)
"""The date of what has none: feeds ask for one."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to tell of. `id` stays the same for as long as it is the same thing."""

    id: str
    title: str
    url: str
    date: dt.date | None
    summary: str
    authors: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed: `url` is its own address, `page` that of what it tells about."""

    title: str
    url: str
    page: str
    entries: Sequence[Entry]

    @property
    def updated(self) -> dt.date:
        return max((entry.date for entry in self.entries if entry.date), default=_EPOCH)

    def atom(self) -> bytes:
        ET.register_namespace("", _ATOM)
        root = ET.Element(f"{{{_ATOM}}}feed")
        _add(root, "id", self.url)
        _add(root, "title", self.title)
        _add(root, "updated", _instant(self.updated))
        _add(root, "link", rel="self", type="application/atom+xml", href=self.url)
        _add(root, "link", rel="alternate", type="text/html", href=self.page)
        _add(root, "generator", "asktopic")
        for entry in self.entries:
            node = _add(root, "entry")
            _add(node, "id", entry.id)
            _add(node, "title", entry.title)
            _add(node, "updated", _instant(entry.date or _EPOCH))
            _add(node, "link", rel="alternate", href=entry.url)
            _add(node, "summary", entry.summary)
            for name in entry.authors or ("unknown",):  # Atom asks for one
                _add(_add(node, "author"), "name", name)
        document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)

        return document

    def json(self) -> bytes:
        items = [
            {
                "id": entry.id,
                "url": entry.url,
                "title": entry.title,
                "content_text": entry.summary,
                "date_published": _instant(entry.date or _EPOCH),
                "authors": [{"name": name} for name in entry.authors],
            }
            for entry in self.entries
        ]
        feed = {
            "version": "https://jsonfeed.org/version/1.1",
            "title": self.title,
            "home_page_url": self.page,
            "feed_url": self.url,
            "items": items,
        }
        return json.dumps(feed, ensure_ascii=False).encode()


def paper_entries(papers: Sequence[PaperInfo], base: str) -> list[Entry]:
    return [
        Entry(
            id=base + paper_path(paper.id),
            title=paper.title,
            url=base + paper_path(paper.id),
            date=paper.date,
            summary=paper.summary,
            authors=paper.authors,
        )
        for paper in papers
    ]


def answer_entry(answer: Answer, page: str) -> Entry:
    """The answer to a question as one entry, which is another as soon as its sources are others.

    So a reader who follows a question hears of it exactly when an ingest has changed what answers it.
    """
    sources = sorted(source.id for source in answer.sources)
    stands_on = hashlib.blake2b("\n".join(sources).encode(), digest_size=8).hexdigest()
    dates = [source.date for source in answer.sources if source.date]
    listed = "".join(
        f"\n\n[{source.n}] {source.title}" + (f" {web_url(source.url)}" if web_url(source.url) else "")
        for source in answer.sources
    )
    told = answer.answer if answer.answered else answer.reason.message if answer.reason else ""
    return Entry(
        id=f"{page}#{stands_on}",
        title=answer.question,
        url=page,
        date=max(dates, default=None),
        summary=told + listed,
    )


def _add(parent: ET.Element, name: str, text: str = "", **attributes: str) -> ET.Element:
    node = ET.SubElement(parent, f"{{{_ATOM}}}{name}", attributes)
    node.text = "".join(char for char in text if char.isprintable() or char in "\t\n") or None
    return node


def _instant(day: dt.date) -> str:
    return f"{day.isoformat()}T00:00:00Z"
