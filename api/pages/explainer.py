"""A topic's explainer, and where the topic appears."""

from __future__ import annotations

from collections.abc import Sequence

from api.markup import Markup, inline, render
from api.pages.addresses import explainer_path, paper_path, source_path, topic_path
from api.pages.layout import Head, layout
from api.pages.parts import day, fields, original
from api.pages.topic import by_name
from rag.answer import PaperInfo, SourceInfo, TopicInfo


def explainer(
    info: TopicInfo, explainers: Sequence[SourceInfo], papers: Sequence[PaperInfo], base: str = ""
) -> Markup:
    """What a topic is, why it matters, how it is practised, and the papers that have a headline.

    Where there is no explainer, the topic's description stands for it.
    """
    first, *others = by_name(info, explainers) if explainers else [None]
    text = fields(first, "h2") if first else [render("<p>$text</p>", text=info.description)]
    items = [
        render(
            '<li><a href="$path">$title</a></li>',
            path=source_path(each.id, each.kind),
            title=inline(each.title),
        )
        for each in others
        if each
    ]
    head = Head(
        f"{info.name}: explainer",
        path=explainer_path(info.slug),
        base=base,
        summary=first.fields[0].text if first and first.fields else info.description,
        kind="article",
    )
    main = render(
        """<article class="source">
<p class="eyebrow">Explainer</p>
<h1>$title</h1>
<p class="meta"><a href="$topic">$name</a>$original</p>
$text
$appears
$more
</article>""",
        title=inline(first.title) if first else info.name,
        topic=topic_path(info.slug),
        name=info.name,
        original=render(" · $link", link=original(first.url, "Read the original"))
        if first and first.url
        else "",
        text=text,
        appears=_appears(papers),
        more=render("<section><h2>More explainers</h2><ul>$items</ul></section>", items=items)
        if items
        else "",
    )
    return layout(head, main)


def _appears(papers: Sequence[PaperInfo]) -> Markup:
    if not papers:
        return Markup()
    items = [
        render(
            '<li class="card"><h3><a href="$path">$headline</a></h3>'
            '<p class="meta">$title$date</p><p>$summary</p></li>',
            path=paper_path(paper.id),
            headline=inline(paper.headline),
            title=inline(paper.title),
            date=f" · {day(paper.date)}" if paper.date else "",
            summary=inline(_one_sentence(paper.summary)),
        )
        for paper in papers
    ]
    return render(
        '<section class="papers"><h2>Where it appears</h2><ul class="cards">$items</ul></section>',
        items=items,
    )


def _one_sentence(text: str) -> str:
    from index.text.sentences import sentences

    spans = sentences(text)
    return text[slice(*spans[0])] if spans else text
