"""A topic's page: what it is, its figures, its papers, and the way to ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from api.markup import Markup, inline, prose, render
from api.pages.addresses import explainer_path, feed_path, source_path, topic_path
from api.pages.chart import weekly
from api.pages.layout import Head, layout
from api.pages.parts import count, day, fields, paper
from api.pages.topics import holdings
from rag.answer import ALL_PAPERS, PaperChoice, PaperPage, SourceInfo, TopicFigures, TopicInfo

FEW = 20
"""New papers below which they are set against those before in numbers."""
ALL = 100


def topic(
    info: TopicInfo,
    papers: PaperPage,
    explainers: Sequence[SourceInfo],
    *,
    papers_per_page: int,
    choice: PaperChoice = ALL_PAPERS,
    base: str = "",
) -> Markup:
    """A topic's page. With its first page of papers it also describes and explains the topic."""
    is_first = papers.offset == 0 and choice == ALL_PAPERS
    head = Head(
        info.name,
        path=topic_path(info.slug, papers.offset, choice),
        base=base,
        summary=info.description,
        data=[_defined(info, base)] if is_first else (),
        feeds=_feeds(info.slug, choice),
        is_indexed=choice == ALL_PAPERS,
    )
    main = render(
        """
<header class="intro">
<h1>$name</h1>
$aliases
<div class="doing">$ask$follow</div>
$description
$figures
</header>
$explainers
$papers""",
        name=info.name,
        aliases=render('<p class="aliases">Also known as $names</p>', names=", ".join(info.aliases))
        if info.aliases
        else "",
        description=render('<div class="description">$text</div>', text=prose(info.description))
        if is_first and info.description
        else "",
        ask=_ask(info),
        follow=_follow(info.slug, choice),
        figures=_figures(info),
        explainers=_explainers(info, explainers) if is_first else "",
        papers=_papers(info.slug, papers, papers_per_page, choice),
    )
    return layout(head, main)


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


def _ask(info: TopicInfo) -> Markup:
    """The widget; where no script runs, the form inside it."""
    return render(
        """<ask-topic topic="$slug"><form class="ask" method="post" action="/ask">
<input type="hidden" name="topic" value="$slug">
<label for="question">Ask about $name</label>
<input id="question" name="question" maxlength="2000" required>
<button>Ask</button>
</form></ask-topic>""",
        slug=info.slug,
        name=info.name,
    )


def _follow(slug: str, choice: PaperChoice) -> Markup:
    return render(
        """<details class="follow"><summary>Follow this topic</summary>
<p>Add one of these to a feed reader; it tells of every new paper. No account is needed.</p>
<ul><li><a href="$atom">Atom</a></li><li><a href="$json">JSON Feed</a></li></ul></details>""",
        atom=feed_path(slug, "atom", choice),
        json=feed_path(slug, "json", choice),
    )


def _feeds(slug: str, choice: PaperChoice) -> list[tuple[str, str]]:
    return [
        ("application/atom+xml", feed_path(slug, "atom", choice)),
        ("application/feed+json", feed_path(slug, "json", choice)),
    ]


def _figures(info: TopicInfo) -> Markup:
    published = statistics_sentence(info.published_statistics or {})
    told = [render("<li><strong>In this index</strong> $text</li>", text=holdings(info))]
    if info.figures:
        told.append(render("<li><strong>New</strong> $text</li>", text=_new(info.figures)))
    if published:
        told.append(render("<li><strong>As published by the source</strong> $text</li>", text=published))
    return render(
        '<div class="figures"><ul class="facts">$told</ul>$chart</div>',
        told=told,
        chart=weekly(info.figures.weeks) if info.figures else "",
    )


def _new(figures: TopicFigures) -> str:
    share = figures.share_percent
    # All of the papers here are told of where there is one topic, and that is no figure of it.
    told = "" if share is None or share == ALL else f"; {share:g}% of all new papers here"
    weeks = f"from {day(figures.first)} to {day(figures.last)}"
    return f"{count(figures.recent, 'paper')} in the last four weeks ({weeks}){_compared(figures)}{told}"


def _compared(figures: TopicFigures) -> str:
    """Set new papers against those of the weeks before: of a few, a percentage says too much."""
    if figures.change_percent is None:
        return ""
    if min(figures.recent, figures.before) < FEW:
        return f", {figures.before:,} in the four weeks before"
    return f", {_trend(figures.change_percent)} on the four weeks before"


def _trend(percent: float) -> str:
    return f"up {percent:g}%" if percent >= 0 else f"down {-percent:g}%"


def _explainers(topic: TopicInfo, explainers: Sequence[SourceInfo]) -> Markup:
    """One explainer begun, the others by title: a topic may have dozens of long ones."""
    if not explainers:
        return Markup()
    first, *others = by_name(topic, explainers)
    items = [
        render(
            '<li><a href="$path">$title</a></li>',
            path=source_path(each.id, each.kind),
            title=inline(each.title),
        )
        for each in others
    ]
    more = render(
        "<details><summary>$count</summary><ul>$items</ul></details>",
        count=count(len(items), "more explainer"),
        items=items,
    )
    beginning = first.model_copy(update={"fields": first.fields[:1]})
    return render(
        """<section class="explainer" aria-labelledby="explainer">
<p class="eyebrow">Explainer</p>
<h2 id="explainer">$title</h2>
$fields
<p><a href="$path">Read the whole explainer</a></p>
$more
</section>""",
        title=inline(first.title),
        fields=fields(beginning, "h3"),
        path=explainer_path(topic.slug),
        more=more if items else "",
    )


def by_name(topic: TopicInfo, explainers: Sequence[SourceInfo]) -> list[SourceInfo]:
    """Order explainers: the one named like the topic first, if there is one."""
    names = {name.casefold() for name in (topic.name, *topic.aliases)}
    return sorted(explainers, key=lambda each: each.title.casefold() not in names)


def _papers(slug: str, page: PaperPage, per_page: int, choice: PaperChoice) -> Markup:
    chosen = _chosen(slug, choice)
    if not page.papers:
        none = "No paper matches." if choice != ALL_PAPERS else "No papers here."
        return render(
            '<section class="papers" id="papers"><h2>Papers</h2>$chosen<p>$none</p></section>',
            chosen=chosen,
            none=none,
        )
    last = page.offset + len(page.papers)
    newer = max(0, page.offset - per_page)
    return render(
        """<section class="papers" aria-labelledby="papers">
<h2 id="papers">$heading</h2>
$chosen
<p class="meta">$first–$last of $total, newest first</p>
<ol start="$first">$papers</ol>
<nav class="pager" aria-label="Pages of papers">$newer$older</nav>
</section>""",
        heading="Latest papers" if page.offset == 0 and choice == ALL_PAPERS else "Papers",
        chosen=chosen,
        first=page.offset + 1,
        last=last,
        total=f"{page.total:,}",
        papers=[paper(each, slug) for each in page.papers],
        newer=_page_link(topic_path(slug, newer, choice), "prev", "Newer papers") if page.offset else "",
        older=_page_link(topic_path(slug, last, choice), "next", "More papers") if last < page.total else "",
    )


def _chosen(slug: str, choice: PaperChoice) -> Markup:
    """The form by which papers are chosen, open where a choice was made."""
    return render(
        """<details class="choice"$open><summary>$label</summary>
<form method="get" action="$path">
<label>Tag <input name="tag" value="$tag"></label>
<label>Author <input name="author" value="$author"></label>
<label>From <input type="date" name="from" value="$first"></label>
<label>To <input type="date" name="to" value="$last"></label>
<button>Show</button> <a href="$path#papers">All papers</a>
</form></details>""",
        open=Markup(" open") if choice != ALL_PAPERS else "",
        label=_described(choice) or "Choose by tag, author or date",
        path=topic_path(slug),
        tag=choice.tag,
        author=choice.author,
        first=choice.from_.isoformat() if choice.from_ else "",
        last=choice.to.isoformat() if choice.to else "",
    )


def _described(choice: PaperChoice) -> str:
    parts = [
        f"tagged “{choice.tag}”" if choice.tag else "",
        f"by {choice.author}" if choice.author else "",
        f"from {day(choice.from_)}" if choice.from_ else "",
        f"up to {day(choice.to)}" if choice.to else "",
    ]
    told = ", ".join(filter(None, parts))
    return f"Papers {told}" if told else ""


def _page_link(path: str, rel: Literal["prev", "next"], label: str) -> Markup:
    return render(
        '<a class="button" rel="$rel" href="$path">$label</a>', rel=rel, path=path + "#papers", label=label
    )


def _defined(info: TopicInfo, base: str) -> dict[str, object]:
    return {
        "@type": "DefinedTerm",
        "@id": base + topic_path(info.slug),
        "name": info.name,
        "alternateName": list(info.aliases),
        "description": info.description,
        "url": base + topic_path(info.slug),
    }
