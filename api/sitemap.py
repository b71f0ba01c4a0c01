"""What search engines are told of (https://www.sitemaps.org): every topic, explainer and paper."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import TYPE_CHECKING

from api.pages.addresses import explainer_path, paper_path, topic_path

if TYPE_CHECKING:
    from rag.engine import Engine

PART = 20_000
"""Papers in one file, which may hold 50,000 addresses and 50 MB."""

_NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def index(engine: Engine, base: str) -> bytes:
    """The list of the files; the first holds topics and explainers too."""
    parts = -(-engine.paper_count() // PART) or 1
    return _document("sitemapindex", "sitemap", ((f"{base}/sitemap/{n}.xml", "") for n in range(parts)))


def part(engine: Engine, base: str, number: int) -> bytes:
    """One file; it is empty beyond the last paper."""
    return _document("urlset", "url", _addresses(engine, base, number))


def _addresses(engine: Engine, base: str, number: int) -> Iterable[tuple[str, str]]:
    if number == 0:
        yield base + "/topics", ""
        for topic in engine.topics():
            changed = topic.latest.isoformat() if topic.latest else ""
            yield base + topic_path(topic.slug), changed
            yield base + explainer_path(topic.slug), ""
    for paper_id, date in engine.paper_ids(number * PART, PART):
        yield base + paper_path(paper_id), date or ""


def _document(root_name: str, name: str, addresses: Iterable[tuple[str, str]]) -> bytes:
    ET.register_namespace("", _NAMESPACE)
    root = ET.Element(f"{{{_NAMESPACE}}}{root_name}")
    for address, changed in addresses:
        node = ET.SubElement(root, f"{{{_NAMESPACE}}}{name}")
        ET.SubElement(node, f"{{{_NAMESPACE}}}loc").text = address
        if changed:
            ET.SubElement(node, f"{{{_NAMESPACE}}}lastmod").text = changed
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return document
