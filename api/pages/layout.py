"""What every page has: its head, the way home, and what it says of itself to other programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from api.markup import Markup, render

LONGEST_SUMMARY = 200
"""Code points of a page's description, of which others show no more."""


@dataclass(frozen=True, slots=True)
class Head:
    """What a page says of itself. `path` is where it lies, `base` the address of the service.

    `data` are JSON-LD objects (https://schema.org), `feeds` pairs of media type and path.
    """

    title: str
    path: str = ""
    base: str = ""
    summary: str = ""
    kind: str = "website"
    data: Sequence[Mapping[str, Any]] = ()
    feeds: Sequence[tuple[str, str]] = field(default_factory=tuple)
    is_indexed: bool = True


def layout(head: Head, main: Markup) -> Markup:
    """A whole page."""
    return render(
        """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$title · asktopic</title>
$described
<link rel="icon" href="/static/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/page.css">
$feeds
<script type="module" src="/widget.js"></script>
$data
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<nav class="site" aria-label="Site"><a class="home" href="/">asktopic</a> <a href="/topics">Topics</a></nav>
<main id="main" tabindex="-1">$main</main>
</body>
</html>
""",
        title=head.title,
        described=_described(head),
        feeds=[
            render('<link rel="alternate" type="$type" href="$path">', type=media_type, path=path)
            for media_type, path in head.feeds
        ],
        data=[_json_ld(each) for each in head.data],
        main=main,
    )


def _described(head: Head) -> Markup:
    if not head.path:
        return render('<meta name="robots" content="noindex">')
    summary = head.summary
    if len(summary) > LONGEST_SUMMARY:
        summary = summary[:LONGEST_SUMMARY].rsplit(" ", 1)[0] + "…"
    return render(
        """<link rel="canonical" href="$url">
<meta property="og:title" content="$title">
<meta property="og:type" content="$kind">
<meta property="og:url" content="$url">
<meta property="og:site_name" content="asktopic">$summary$robots""",
        url=head.base + head.path,
        title=head.title,
        kind=head.kind,
        summary=render(
            '\n<meta name="description" content="$text">\n<meta property="og:description" content="$text">',
            text=summary,
        )
        if summary
        else "",
        robots="" if head.is_indexed else render('\n<meta name="robots" content="noindex">'),
    )


def _json_ld(data: Mapping[str, Any]) -> Markup:
    """Data for other programs. It is no script, and nothing in it can end the element that holds it."""
    text = json.dumps({"@context": "https://schema.org", **data}, ensure_ascii=False)
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(f'<script type="application/ld+json">{text}</script>')
