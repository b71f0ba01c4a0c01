"""An answer's own page: what was asked, what was answered, what it stands on, and what produced it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote, urlencode

from api.markup import Markup, inline, render
from api.pages.addresses import source_path, topic_path
from api.pages.layout import Head, layout
from api.pages.parts import byline, day, original
from rag.answer import Answer, Citation
from rag.compose.phrases import emphasised

_MARKER = re.compile(r"\[(\d+)\]")
_BLOCK = re.compile(r"[^\n]+")


def answer(
    given: Answer, *, topic_name: str = "", index: str = "", base: str = "", is_kept: bool = True
) -> Markup:
    """The page. `index` names the index as it is now, so that a reader learns if it has moved on."""
    badge = "Not answered by the sources" if not given.answered else ""
    if given.kind == "catalog":
        badge = "Computed from the catalog"
    head = Head(
        given.question,
        path=f"/answers/{quote(given.id, safe='')}" if is_kept else "",
        base=base,
        summary=_MARKER.sub("", given.answer),
        kind="article",
        is_indexed=False,  # the words are its sources'
    )
    main = render(
        """<article class="given $kind">
<p class="eyebrow">$about</p>
<h1>$question</h1>
$badge
<div class="told">$told</div>
$notices
$sources
$related
$taking
$again
<p class="provenance">$provenance</p>
</article>""",
        kind=given.kind,
        about=_about(given, topic_name),
        question=inline(given.question),
        badge=render('<p class="badge">$badge</p>', badge=badge) if badge else "",
        told=_told(given) if given.answered else _refusal(given),
        notices=[render('<p class="meta">$note</p>', note=inline(note)) for note in _notes(given)],
        sources=_sources(given),
        related=_related(given),
        taking=_taking(given) if is_kept else "",
        again=_again(given),
        provenance=_provenance(given, index),
    )
    return layout(head, main)


def _about(given: Answer, name: str) -> Markup:
    if not given.topic:
        return Markup("Asked over all topics")
    return render(
        'Asked about <a href="$path">$name</a>', path=topic_path(given.topic), name=name or given.topic
    )


def _told(given: Answer) -> list[Markup]:
    """The answer in paragraphs and lists; its markers lead to the passages."""
    spans = [(citation.start_index, citation.end_index) for citation in given.citations]
    italic = sorted(emphasised(given.answer, spans))
    blocks: list[Markup] = []
    items: list[Markup] = []
    for match in _BLOCK.finditer(given.answer):
        is_item = match[0].startswith("- ")
        start = match.start() + (2 if is_item else 0)
        nodes = list(_inline(given, start, match.end(), italic))
        if is_item:
            items.append(render("<li>$nodes</li>", nodes=nodes))
            continue
        if items:
            blocks.append(render("<ul>$items</ul>", items=items))
            items = []
        blocks.append(render("<p>$nodes</p>", nodes=nodes))
    if items:
        blocks.append(render("<ul>$items</ul>", items=items))
    return blocks


def _inline(given: Answer, start: int, end: int, italic: Sequence[tuple[int, int]]) -> Iterator[Markup]:
    """The pieces of a block: text, titles in italics, and markers that are not part of a quote."""
    quoted = [
        (citation.start_index, citation.end_index)
        for citation in given.citations
        if _MARKER.search(citation.quote)
    ]
    pieces: list[tuple[int, int, Markup]] = []
    for first, last in italic:
        if start <= first and last <= end:
            pieces.append(
                (first, last, render("<cite>$t</cite>", t=inline(given.answer[first + 1 : last - 1])))
            )
    for match in _MARKER.finditer(given.answer, start, end):
        if any(first <= match.start() < last for first, last in quoted):
            continue
        cited = [each for each in given.citations if each.n == int(match[1])]
        before = [each for each in cited if each.end_index <= match.start()]
        if cited:
            pieces.append((*match.span(), _marker(before[-1] if before else cited[0], given)))
    at = start
    for first, last, markup in sorted(pieces):
        if first < at:
            continue
        yield inline(given.answer[at:first])
        yield markup
        at = last
    yield inline(given.answer[at:end])


def _marker(citation: Citation, given: Answer) -> Markup:
    kind = next((source.kind for source in given.sources if source.n == citation.n), "paper")
    return render(
        '<a class="marker" href="$path" title="$quote">[$n]</a>',
        path=passage_path(citation, kind),
        quote=citation.quote,
        n=citation.n,
    )


def passage_path(citation: Citation, kind: str) -> str:
    """Where a source opens on what is cited of it."""
    path = source_path(citation.source_id, kind)
    if not citation.chunk_id:
        return path
    span = {"field": citation.field, "start": citation.quote_start, "end": citation.quote_end}
    return f"{path}?{urlencode(span)}#cited"


def _refusal(given: Answer) -> list[Markup]:
    return [render("<p>$message</p>", message=given.reason.message)] if given.reason else []


def _notes(given: Answer) -> list[str]:
    read = given.understood
    notes = [f"Read as: {read.text}"] if read.text.strip() != given.question.strip() else []
    if read.filters.from_:
        notes.append(f"Only sources from {day(read.filters.from_)} on.")
    if read.filters.to:
        notes.append(f"Only sources up to {day(read.filters.to)}.")
    return [*notes, *given.notices]


def _sources(given: Answer) -> Markup:
    if not given.sources:
        return Markup()
    items = []
    for source in given.sources:
        quotes = dict.fromkeys(
            citation.quote for citation in given.citations if citation.n == source.n and citation.chunk_id
        )
        link = original(source.url, "Original")
        items.append(
            render(
                '<li value="$n"><a href="$path">$title</a><div class="meta">$byline$original</div>'
                "$quotes</li>",
                n=source.n,
                path=source_path(source.id, source.kind),
                title=inline(source.title),
                byline=byline(source.authors, source.authors_total, source.date, source.venue),
                original=render(" · $link", link=link) if link else "",
                quotes=[render("<blockquote>$quote</blockquote>", quote=inline(each)) for each in quotes],
            )
        )
    return render('<section class="cited"><h2>Sources</h2><ol>$items</ol></section>', items=items)


def _related(given: Answer) -> Markup:
    if not given.related:
        return Markup()
    items = [
        render(
            '<li><a href="$path">$title</a></li>',
            path=source_path(each.id, each.kind),
            title=inline(each.title),
        )
        for each in given.related
    ]
    return render(
        '<section class="related"><h2>$heading</h2><ul>$items</ul></section>',
        heading="Related" if given.answered else "Nearest",
        items=items,
    )


def _taking(given: Answer) -> Markup:
    return render(
        '<p class="taking"><a class="button" href="$path.md">Markdown</a> '
        '<a class="button" href="$path.bib">BibTeX</a> <a class="button" href="$path.ris">RIS</a> '
        '<a class="button" href="$path">JSON</a></p>',
        path=f"/v1/answers/{quote(given.id, safe='')}",
    )


def _again(given: Answer) -> Markup:
    return render(
        """<form class="ask" method="post" action="/ask">
<input type="hidden" name="topic" value="$topic">
<label for="question">Ask again, or something else</label>
<input id="question" name="question" maxlength="2000" required value="$question">
<button>Ask</button>
</form>""",
        topic=given.topic or "",
        question=given.question,
    )


def _provenance(given: Answer, index: str) -> str:
    made = given.provenance
    told = (
        f"Answered by {made.answerer} from index {made.index} with {made.encoder}, asktopic {made.version}."
    )
    if index and index != made.index:
        told += f" The index has moved on since: it is now {index}."
    return told
