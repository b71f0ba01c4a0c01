"""Pieces that several pages show: bylines, tags, papers in a list, stored fields."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Literal

from api.markup import Markup, inline, prose, render, web_url
from api.pages.addresses import paper_path, topic_path
from index.text.sentences import sentences
from rag.answer import PaperChoice, PaperInfo, SourceInfo, Tag

SHOWN = 3
"""Authors, affiliations and tags shown before "+N": as many as the sources themselves show."""

BEGINNING, WORTH_FOLDING = 360, 240
"""Code points of an abstract that a list shows at least, in whole sentences, and of a rest that it folds
away: some five lines, so that a screen holds three papers and not one."""

_MARKS = ("\ue000", "\ue001")
"""Characters without a meaning, which stand for a mark until the text around it is HTML."""

_FIELD_NAMES = {
    "abstract": "Abstract",
    "summary": "Summary",
    "headline": "Headline",
    "title": "Title",
    "description": "Description",
}


def folded(items: Sequence[Markup], total: int | None, noun: str) -> Markup:
    """A list of which the first are shown, and the others behind a "+N" that opens.

    `total` may exceed the list, where the source itself named no more.
    """
    if not items:
        return Markup()
    shown, more = items[:SHOWN], items[SHOWN:]
    unnamed = max(0, (total or 0) - len(items))
    parts = [Markup(", ".join(shown))]
    if more:
        rest = Markup(", ".join(more))
        also = render(" and $n that the source does not name", n=unnamed) if unnamed else Markup()
        parts.append(
            render(
                ' <details class="more"><summary aria-label="$n more $noun">+$n</summary>'
                "$rest$also</details>",
                n=len(more) + unnamed,
                noun=noun,
                rest=rest,
                also=also,
            )
        )
    elif unnamed:
        parts.append(render(' <span class="more">+$n</span>', n=unnamed))
    return Markup("".join(parts))


def byline(authors: Sequence[str], total: int | None, date: dt.date | None, venue: str) -> Markup:
    names = folded([render("$name", name=name) for name in authors], total, "authors")
    parts = [time_of(date) if date else Markup(), render("$text", text=venue), names]
    return Markup(" · ".join(part for part in parts if part))


def time_of(date: dt.date) -> Markup:
    return render('<time datetime="$iso">$day</time>', iso=date.isoformat(), day=day(date))


def tags(shown: Sequence[Tag], total: int | None, slug: str) -> Markup:
    """Tags that lead to the topic of their name, or to the papers of this topic that have them."""
    if not shown:
        return Markup()
    links = [
        render(
            '<a href="$path">$name</a>',
            path=topic_path(tag.topic)
            if tag.topic
            else topic_path(slug, choice=PaperChoice(tag=tag.name)) + "#papers",
            name=tag.name,
        )
        for tag in shown
    ]
    items = [render("<li>$link</li>", link=link) for link in links]
    unnamed = max(0, (total or 0) - len(shown))
    if unnamed:
        items.append(render('<li class="more">+$n</li>', n=unnamed))
    return render('<ul class="tags" aria-label="Tags">$items</ul>', items=items)


def paper(info: PaperInfo, slug: str) -> Markup:
    """A paper in a list."""
    places = folded([inline(place) for place in info.affiliations], info.affiliations_total, "affiliations")
    return render(
        '<li class="card"><h3><a href="$path">$title</a></h3>$retracted<div class="meta">$byline</div>'
        "$headline$summary$places$tags</li>",
        path=paper_path(info.id),
        title=inline(info.title),
        retracted=retracted(info.retracted),
        byline=byline(info.authors, info.authors_total, info.date, info.venue),
        headline=render('<p class="headline">$text</p>', text=inline(info.headline)) if info.headline else "",
        summary=_begun(info.summary),
        places=render('<div class="meta">$places</div>', places=places) if places else "",
        tags=tags(info.tags, info.tags_total, slug),
    )


def _begun(text: str) -> list[Markup]:
    """A text's first sentences, with the others behind what opens them."""
    end = next((end for _, end in sentences(text) if end >= BEGINNING), len(text))
    if len(text) - end < WORTH_FOLDING:
        return [prose(text)]
    rest = prose(text[end:].strip())
    folded = render('<details class="rest"><summary>Read on</summary>$rest</details>', rest=rest)
    return [prose(text[:end]), folded]


def retracted(is_retracted: bool) -> Markup:
    return render('<p class="notice">This paper has been retracted.</p>') if is_retracted else Markup()


def fields(
    source: SourceInfo, level: Literal["h2", "h3"], cited: tuple[str, int, int] | None = None
) -> list[Markup]:
    """The stored text of a source under its headings; the cited span of a field is marked."""
    parts: list[Markup] = []
    for field in source.fields:
        heading = field.heading or _FIELD_NAMES.get(field.field, "")
        if heading and heading != source.title:  # many an explainer begins with its title
            parts.append(render("<$level>$heading</$level>", level=Markup(level), heading=inline(heading)))
        if cited and cited[0] == field.field:
            _, start, end = cited
            parts.append(_marked(field.text, start, end))
        else:
            parts.append(prose(field.text))
    return parts


def _marked(text: str, start: int, end: int) -> Markup:
    """Text as paragraphs with one span of it marked, if that lies within one."""
    quote = text[start:end]
    if not quote.strip() or "\n\n" in quote or any(mark in text for mark in _MARKS):
        return prose(text)
    marked = prose(f"{text[:start]}{_MARKS[0]}{quote}{_MARKS[1]}{text[end:]}")
    return Markup(marked.replace(_MARKS[0], '<mark id="cited">').replace(_MARKS[1], "</mark>"))


def original(url: str, text: str) -> Markup:
    """A link to where a source was published, if that may be followed."""
    address = web_url(url)
    if not address:
        return Markup()
    return render('<a href="$url" rel="noopener noreferrer">$text</a>', url=address, text=text)


def count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def day(date: dt.date) -> str:
    return f"{date.day} {date:%B %Y}"
