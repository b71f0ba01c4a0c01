"""A source's page: a paper or explainer with its stored text, and how to cite it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from api.markup import Markup, inline, render, web_url
from api.pages.addresses import paper_path, source_path, topic_path
from api.pages.layout import Head, layout
from api.pages.parts import byline, day, fields, folded, original, retracted, tags
from rag.answer import PaperInfo, SourceInfo


def source(
    info: SourceInfo,
    related: Sequence[PaperInfo] = (),
    base: str = "",
    cited: tuple[str, int, int] | None = None,
) -> Markup:
    """Everything that is stored of a source, field by field; `cited` (field, start, end) is marked."""
    is_paper = info.kind == "paper"
    head = Head(
        info.title,
        path=source_path(info.id, info.kind),
        base=base,
        summary=info.fields[0].text if info.fields else "",
        kind="article",
        data=[_article(info, base)] if is_paper else (),
    )
    places = folded([inline(place) for place in info.affiliations], info.affiliations_total, "affiliations")
    topic = info.topics[0] if info.topics else ""
    main = render(
        """
$path
<article class="source">
<h1>$title</h1>
<div class="meta">$byline$link</div>
$places
$retracted
$tags
$fields
$cite
</article>
$related""",
        path=_path(info, topic) if topic else "",
        title=inline(info.title),
        byline=byline(info.authors, info.authors_total, info.date, info.venue),
        places=render('<div class="meta">$places</div>', places=places) if places else "",
        retracted=retracted(info.retracted),
        link=render(" · $link", link=link) if (link := original(info.url, "Read the original")) else "",
        tags=tags(info.tags, info.tags_total, topic),
        fields=fields(info, "h2", cited),
        cite=_cite(info) if is_paper else "",
        related=_related(info, related),
    )
    return layout(head, main)


def _path(info: SourceInfo, topic: str) -> Markup:
    return render(
        '<nav class="path" aria-label="Topic"><a href="$path">$name</a></nav>',
        path=topic_path(topic),
        name=_name_of(info, topic),
    )


def _name_of(info: SourceInfo, topic: str) -> str:
    """Name a topic as the source's tags do; else by its slug's words."""
    named = (tag.name for tag in info.tags if tag.topic == topic)
    return next(named, topic.replace("-", " ").capitalize())


def _cite(info: SourceInfo) -> Markup:
    path = f"/v1{source_path(info.id, 'source')}"
    return render(
        '<section class="cite"><h2>Cite</h2><p><a class="button" href="$path.bib">BibTeX</a> '
        '<a class="button" href="$path.ris">RIS</a> '
        '<a class="button" href="$path.md">Markdown</a></p></section>',
        path=path,
    )


def _related(info: SourceInfo, papers: Sequence[PaperInfo]) -> Markup:
    topics = [
        render('<li><a href="$path">$name</a></li>', path=topic_path(slug), name=_name_of(info, slug))
        for slug in info.topics
    ]
    items = [
        render(
            '<li><a href="$path">$title</a><span class="meta">$date</span></li>',
            path=paper_path(paper.id),
            title=inline(paper.title),
            date=f" {day(paper.date)}" if paper.date else "",
        )
        for paper in papers
    ]
    return render(
        "$near$topics",
        near=render('<section class="related"><h2>Related papers</h2><ul>$items</ul></section>', items=items)
        if items
        else "",
        topics=render(
            '<section class="related"><h2>Topics</h2><ul class="tags">$topics</ul></section>', topics=topics
        )
        if topics
        else "",
    )


def _article(info: SourceInfo, base: str) -> dict[str, Any]:
    """The paper as a schema.org `ScholarlyArticle`."""
    abstract = next((field.text for field in info.fields if field.field == "abstract"), "")
    known = {
        "datePublished": info.date.isoformat() if info.date else None,
        "isPartOf": {"@type": "PublicationEvent", "name": info.venue} if info.venue else None,
        "sameAs": web_url(info.url) or None,
        "abstract": abstract or None,
        "keywords": [tag.name for tag in info.tags] or None,
        "creativeWorkStatus": "retracted" if info.retracted else None,
    }
    return {
        "@type": "ScholarlyArticle",
        "@id": base + paper_path(info.id),
        "headline": info.title,
        "author": [{"@type": "Person", "name": name} for name in info.authors],
        **{name: value for name, value in known.items() if value is not None},
    }
