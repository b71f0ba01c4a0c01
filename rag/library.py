"""Views of the stored records: topics, their papers and explainers, single sources."""

from __future__ import annotations

import datetime as dt

from index.errors import UnknownSource
from index.records import Paper, Record, Topic
from index.snapshot import Snapshot
from rag.answer import (
    ALL_PAPERS,
    FieldText,
    PaperChoice,
    PaperInfo,
    PaperPage,
    SourceInfo,
    Tag,
    TopicFigures,
    TopicInfo,
    Week,
)
from rag.facts.statistics import statistics_of_dated, weekly

WEEKS = 26
"""Weeks of which a topic's papers are counted one by one: half a year."""
RELATED = 6
"""Papers offered beside one."""
NEWEST = 2
"""Newest papers offered as example questions."""


def examples(snapshot: Snapshot, topic: Topic) -> tuple[str, ...]:
    """Return questions about a topic to begin with, which its sources answer."""
    members = snapshot.dated_members(topic.slug)
    explained = topic.description or members.get("explainer")
    newest = [snapshot.record(key) for key, _ in members.get("paper", [])[:NEWEST]]
    return (
        *((f"What is {topic.name}?",) if explained else ()),
        *(f"What did “{paper.title}” find?" for paper in newest),
    )


def topic_info(snapshot: Snapshot, topic: Topic, today: dt.date) -> TopicInfo:
    """Describe a topic; `today` is the last of the four weeks in which a paper counts as recent."""
    members = snapshot.dated_members(topic.slug)
    papers, explaining = members.get("paper", []), members.get("explainer", [])
    newest = [snapshot.record(key) for key, _ in papers[:NEWEST]]
    figures = statistics_of_dated(snapshot, papers, today)
    statistics = topic.statistics.model_dump(exclude_none=True) if topic.statistics else None
    return TopicInfo(
        slug=topic.slug,
        name=topic.name,
        aliases=topic.aliases,
        description=topic.description,
        url=topic.url,
        papers=len(papers),
        explainers=len(explaining),
        recent=len(figures.recent),
        latest=newest[0].date if newest else None,
        examples=examples(snapshot, topic),
        published_statistics=statistics or None,
        figures=TopicFigures(
            first=figures.first,
            last=figures.last,
            recent=len(figures.recent),
            before=len(figures.before),
            change_percent=_rounded(figures.change),
            share_percent=_rounded(figures.share),
            weeks=tuple(Week(first=first, papers=count) for first, count in weekly(papers, today, WEEKS)),
        ),
    )


def paper_page(
    snapshot: Snapshot, topic: Topic, offset: int, limit: int, choice: PaperChoice = ALL_PAPERS
) -> PaperPage:
    """Return a topic's papers from `offset` on, newest first: all, or those of a choice."""
    if choice == ALL_PAPERS:
        keys = [key for key, _ in snapshot.dated_members(topic.slug).get("paper", [])]
    else:
        keys = snapshot.catalog.papers(
            topic.slug, tag=choice.tag, author=choice.author, first=choice.from_, last=choice.to
        )
    papers = map(snapshot.record, keys[offset : offset + limit])
    return PaperPage(
        total=len(keys),
        offset=offset,
        papers=tuple(_paper_info(snapshot, paper) for paper in papers if isinstance(paper, Paper)),
    )


def paper_count(snapshot: Snapshot) -> int:
    return int(snapshot.catalog.rows("SELECT count(*) FROM records WHERE kind = 'paper'")[0][0])


def paper_ids(snapshot: Snapshot, offset: int, limit: int) -> list[tuple[str, str | None]]:
    """Return ids and ISO dates of papers, of all topics, in the order in which they came in."""
    query = "SELECT id, date FROM records WHERE kind = 'paper' ORDER BY key LIMIT ? OFFSET ?"
    return [(paper_id, date) for paper_id, date in snapshot.catalog.rows(query, (limit, offset))]


def related(snapshot: Snapshot, source_id: str) -> list[PaperInfo]:
    """Return the papers nearest to a source, nearest first. Raises `UnknownSource`."""
    near = snapshot.near(_key_of(snapshot, source_id), RELATED)
    papers = map(snapshot.record, near)
    return [_paper_info(snapshot, paper) for paper in papers if isinstance(paper, Paper)]


def explainers(snapshot: Snapshot, topic: Topic) -> list[SourceInfo]:
    members = snapshot.dated_members(topic.slug).get("explainer", [])
    return [_source_info(snapshot, key, snapshot.record(key)) for key, _ in members]


def source(snapshot: Snapshot, source_id: str) -> SourceInfo:
    """Return a source with its stored text. Raises `UnknownSource`."""
    key = _key_of(snapshot, source_id)
    return _source_info(snapshot, key, snapshot.record(key))


def _key_of(snapshot: Snapshot, source_id: str) -> int:
    key = snapshot.catalog.record_key(source_id)
    if key is None:
        raise UnknownSource(
            f"no source has the id {source_id[:200]!r}; ids come from `sources` and `/v1/search`"
        )
    return key


def _paper_info(snapshot: Snapshot, paper: Paper) -> PaperInfo:
    return PaperInfo(
        id=paper.id,
        title=paper.title,
        headline=paper.headline,
        summary=paper.summary or paper.abstract,
        authors=paper.authors,
        authors_total=paper.authors_total,
        affiliations=paper.affiliations,
        affiliations_total=paper.affiliations_total,
        tags=_tags(snapshot, paper),
        tags_total=paper.tags_total,
        date=paper.date,
        venue=paper.venue,
        url=paper.url,
        retracted=paper.retracted,
    )


def _tags(snapshot: Snapshot, paper: Paper) -> tuple[Tag, ...]:
    return tuple(Tag(name=tag, topic=snapshot.slug_of(tag)) for tag in paper.tags)


def _rounded(percent: float | None) -> float | None:
    return None if percent is None else round(percent, 1)


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
        headline=paper.headline if paper else "",
        affiliations=paper.affiliations if paper else (),
        affiliations_total=paper.affiliations_total if paper else None,
        tags=_tags(snapshot, paper) if paper else (),
        tags_total=paper.tags_total if paper else None,
        version=paper.version if paper else "",
        topics=snapshot.catalog.topics_of(key),
        fields=fields,
    )
