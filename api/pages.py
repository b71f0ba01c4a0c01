"""The pages a reader sees: topics, one topic, one source. Functions from records to HTML."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Literal
from urllib.parse import quote

from api.markup import Markup, inline, prose, render, web_url
from rag.answer import PaperInfo, PaperPage, SourceInfo, TopicInfo

_FIELD_NAMES = {
    "abstract": "Abstract",
    "summary": "Summary",
    "headline": "Headline",
    "title": "Title",
    "description": "Description",
}


def topic_list(topics: Sequence[TopicInfo]) -> Markup:
    """The front page: every topic with what the index holds of it."""
    items = [
        render(
            '<li class="card"><h2><a href="$path">$name</a></h2><p class="meta">$holdings</p></li>',
            path=topic_path(topic.slug),
            name=topic.name,
            holdings=_holdings(topic),
        )
        for topic in topics
    ]
    empty = render("<p>Nothing has been ingested yet. Run <code>asktopic ingest PATH</code>.</p>")
    body = render('<ul class="cards">$items</ul>', items=items) if items else empty
    return _layout("Topics", render("<h1>Topics</h1>$body", body=body))


def topic(
    info: TopicInfo, papers: PaperPage, explainers: Sequence[SourceInfo], *, papers_per_page: int
) -> Markup:
    """A topic's page. With its first page of papers it also describes and explains the topic."""
    first_page = papers.offset == 0
    aliases = render('<p class="aliases">Also known as $names</p>', names=", ".join(info.aliases))
    main = render(
        """
<header class="intro">
<h1>$name</h1>
$aliases
$description
<ask-topic topic="$slug"><noscript>Asking a question needs JavaScript.</noscript></ask-topic>
<ul class="facts">$facts</ul>
</header>
$explainers
$papers""",
        name=info.name,
        aliases=aliases if info.aliases else "",
        description=_description(info.description) if first_page else "",
        slug=info.slug,
        facts=_facts(info),
        explainers=_explainers(info, explainers) if first_page else "",
        papers=_papers(info.slug, papers, papers_per_page),
    )
    return _layout(info.name, main)


def source(info: SourceInfo) -> Markup:
    """A source with its stored text, field by field."""
    url = web_url(info.url)
    main = render(
        """
<article class="source">
<h1>$title</h1>
<p class="meta">$meta</p>
$retracted
$link
$fields
</article>""",
        title=inline(info.title),
        meta=_byline(info.authors, info.authors_total, info.date, info.venue),
        retracted=render('<p class="notice">This paper has been retracted.</p>') if info.retracted else "",
        link=render("<p>$link</p>", link=_external(url, "Read the original")) if url else "",
        fields=_fields(info, "h2"),
    )
    return _layout(info.title, main)


def error(title: str, detail: str) -> Markup:
    """What a reader sees in place of a page that cannot be shown."""
    body = render(
        '<h1>$title</h1><p>$detail</p><p><a class="button" href="/">All topics</a></p>',
        title=title,
        detail=detail,
    )
    return _layout(title, body)


def statistics_sentence(statistics: Mapping[str, float | int]) -> str:
    """A topic's published figures as one sentence, or nothing."""
    parts = []
    if (papers := statistics.get("papers")) is not None:
        parts.append(f"{papers:,} papers")
    if (recent := statistics.get("papers_last_four_weeks")) is not None:
        change = statistics.get("change_percent")
        trend = "" if change is None else f", {_trend(change)} on the four weeks before"
        parts.append(f"{recent:,} in the last four weeks{trend}")
    if (share := statistics.get("share_of_new_papers_percent")) is not None:
        parts.append(f"{share:g}% of all new papers")
    return "; ".join(parts)


def _layout(title: str, main: Markup) -> Markup:
    return render(
        """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$title · asktopic</title>
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/page.css">
<script type="module" src="/widget.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<nav class="site" aria-label="Site"><a href="/">asktopic</a></nav>
<main id="main" tabindex="-1">$main</main>
</body>
</html>
""",
        title=title,
        main=main,
    )


def _description(text: str) -> Markup:
    return render('<div class="description">$text</div>', text=prose(text)) if text else Markup()


def _facts(info: TopicInfo) -> list[Markup]:
    facts = [render("<li><strong>In this index</strong> $holdings</li>", holdings=_holdings(info))]
    published = statistics_sentence(info.published_statistics or {})
    if published:
        facts.append(render("<li><strong>As published by the source</strong> $text</li>", text=published))
    return facts


def _holdings(info: TopicInfo) -> str:
    recent = f" ({info.recent:,} in the last four weeks)" if info.recent else ""
    latest = f"; latest of {_day(info.latest)}" if info.latest else ""
    return f"{_count(info.papers, 'paper')}{recent}, {_count(info.explainers, 'explainer')}{latest}"


def _explainers(topic: TopicInfo, explainers: Sequence[SourceInfo]) -> Markup:
    """One explainer in full, the others by title: a topic may have dozens of long ones.

    The one in full is the one named like the topic, if there is one.
    """
    if not explainers:
        return Markup()
    names = {name.casefold() for name in (topic.name, *topic.aliases)}
    first, *others = sorted(explainers, key=lambda each: each.title.casefold() not in names)
    items = [
        render('<li><a href="$path">$title</a></li>', path=_source_path(each.id), title=inline(each.title))
        for each in others
    ]
    more = render(
        "<details><summary>$count</summary><ul>$items</ul></details>",
        count=_count(len(items), "more explainer"),
        items=items,
    )
    return render(
        """<section class="explainer" aria-labelledby="explainer">
<p class="eyebrow">Explainer</p>
<h2 id="explainer">$title</h2>
$fields
$more
</section>""",
        title=inline(first.title),
        fields=_fields(first, "h3"),
        more=more if items else "",
    )


def _fields(source: SourceInfo, level: Literal["h2", "h3"]) -> list[Markup]:
    parts: list[Markup] = []
    for field in source.fields:
        heading = field.heading or _FIELD_NAMES.get(field.field, "")
        if heading and heading != source.title:  # many an explainer begins with its title
            parts.append(render("<$level>$heading</$level>", level=Markup(level), heading=inline(heading)))
        parts.append(prose(field.text))
    return parts


def _papers(slug: str, page: PaperPage, per_page: int) -> Markup:
    if not page.papers:
        return render('<section class="papers"><h2>Papers</h2><p>No papers here.</p></section>')
    last = page.offset + len(page.papers)
    return render(
        """<section class="papers" aria-labelledby="papers">
<h2 id="papers">Papers</h2>
<p class="meta">$first–$last of $total, newest first</p>
<ol start="$first">$papers</ol>
<nav class="pager" aria-label="Pages of papers">$newer$older</nav>
</section>""",
        first=page.offset + 1,
        last=last,
        total=f"{page.total:,}",
        papers=[_paper(paper) for paper in page.papers],
        newer=_page_link(slug, max(0, page.offset - per_page), "prev", "Newer papers") if page.offset else "",
        older=_page_link(slug, last, "next", "More papers") if last < page.total else "",
    )


def _paper(paper: PaperInfo) -> Markup:
    url = web_url(paper.url)
    title = inline(paper.title)
    return render(
        '<li class="card"><h3>$title</h3><p class="meta">$meta</p>$headline$summary</li>',
        title=_external(url, title)
        if url
        else render('<a href="$path">$title</a>', path=_source_path(paper.id), title=title),
        meta=_byline(paper.authors, paper.authors_total, paper.date, paper.venue),
        headline=render('<p class="headline">$text</p>', text=inline(paper.headline))
        if paper.headline
        else "",
        summary=prose(paper.summary),
    )


def _byline(authors: Sequence[str], total: int | None, date: dt.date | None, venue: str) -> Markup:
    more = f" +{total - len(authors)}" if total and total > len(authors) else ""
    day = (
        render('<time datetime="$iso">$day</time>', iso=date.isoformat(), day=_day(date))
        if date
        else Markup()
    )
    parts = [day, render("$text", text=venue), render("$text", text=", ".join(authors) + more)]
    return Markup(" · ".join(part for part in parts if part))


def _page_link(slug: str, offset: int, rel: Literal["prev", "next"], label: str) -> Markup:
    path = topic_path(slug, offset) + "#papers"
    return render('<a class="button" rel="$rel" href="$path">$label</a>', rel=rel, path=path, label=label)


def _external(url: str, text: str | Markup) -> Markup:
    return render('<a href="$url" rel="noopener noreferrer">$text</a>', url=url, text=text)


def topic_path(slug: str, offset: int = 0) -> str:
    """Where a topic's page lies, with the papers from `offset` on."""
    return f"/topics/{quote(slug, safe='')}" + (f"?offset={offset}" if offset else "")


def _source_path(source_id: str) -> str:
    return f"/sources/{quote(source_id, safe='')}"


def _trend(percent: float) -> str:
    return f"up {percent:g}%" if percent >= 0 else f"down {-percent:g}%"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _day(date: dt.date) -> str:
    return f"{date.day} {date:%B %Y}"
