"""Views of the stored records: topics, their papers and explainers, single sources."""

from __future__ import annotations

import datetime as dt

from index.errors import UnknownSource
from index.records import Paper, Record, Topic
from index.snapshot import Snapshot
from rag.answer import FieldText, PaperInfo, PaperPage, SourceInfo, TopicInfo

FOUR_WEEKS = dt.timedelta(days=27)
"""From the first to the last of 28 days."""
NEWEST = 2
"""Newest papers offered as example questions."""


def topic_info(snapshot: Snapshot, topic: Topic, today: dt.date) -> TopicInfo:
    """Describe a topic; `today` is the last of the four weeks in which a paper counts as recent."""
    counts = snapshot.catalog.count_members(topic.slug)
    newest = [snapshot.record(key) for key in snapshot.catalog.members(topic.slug, "paper", limit=NEWEST)]
    statistics = topic.statistics.model_dump(exclude_none=True) if topic.statistics else None
    explained = topic.description or counts.get("explainer")
    return TopicInfo(
        slug=topic.slug,
        name=topic.name,
        aliases=topic.aliases,
        description=topic.description,
        url=topic.url,
        papers=counts.get("paper", 0),
        explainers=counts.get("explainer", 0),
        recent=snapshot.catalog.count_dated(topic.slug, today - FOUR_WEEKS, today),
        latest=newest[0].date if newest else None,
        examples=(
            *((f"What is {topic.name}?",) if explained else ()),
            *(f"What did “{paper.title}” find?" for paper in newest),
        ),
        published_statistics=statistics or None,
    )


def paper_page(snapshot: Snapshot, topic: Topic, offset: int, limit: int) -> PaperPage:
    """Return a topic's papers from `offset` on, newest first."""
    keys = snapshot.catalog.members(topic.slug, "paper", offset, limit)
    return PaperPage(
        total=snapshot.catalog.count_members(topic.slug).get("paper", 0),
        offset=offset,
        papers=tuple(_paper_info(paper) for paper in map(snapshot.record, keys) if isinstance(paper, Paper)),
    )


def explainers(snapshot: Snapshot, topic: Topic) -> list[SourceInfo]:
    keys = snapshot.catalog.members(topic.slug, "explainer")
    return [_source_info(snapshot, key, snapshot.record(key)) for key in keys]


def source(snapshot: Snapshot, source_id: str) -> SourceInfo:
    """Return a source with its stored text. Raises `UnknownSource`."""
    key = snapshot.catalog.record_key(source_id)
    if key is None:
        raise UnknownSource(
            f"no source has the id {source_id[:200]!r}; ids come from `sources` and `/v1/search`"
        )
    return _source_info(snapshot, key, snapshot.record(key))


def _paper_info(paper: Paper) -> PaperInfo:
    return PaperInfo(
        id=paper.id,
        title=paper.title,
        headline=paper.headline,
        summary=paper.summary or paper.abstract,
        authors=paper.authors,
        authors_total=paper.authors_total,
        date=paper.date,
        venue=paper.venue,
        url=paper.url,
    )


def _source_info(snapshot: Snapshot, key: int, record: Record) -> SourceInfo:
    paper = record if isinstance(record, Paper) else None
    fields = tuple(
        FieldText(field=name, heading=heading, text=text) for name, heading, text in record.fields()
    )
    return SourceInfo(
        id=record.id,
        kind=record.kind,
        title=record.title,
        authors=paper.authors if paper else (),
        authors_total=paper.authors_total if paper else None,
        date=record.date,
        venue=paper.venue if paper else "",
        url=record.url,
        retracted=paper.retracted if paper else False,
        topics=snapshot.catalog.topics_of(key),
        fields=fields,
    )
