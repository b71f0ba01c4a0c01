"""What a reader sees in place of a page that cannot be shown."""

from __future__ import annotations

from api.markup import Markup, render
from api.pages.layout import Head, layout


def error(title: str, detail: str) -> Markup:
    body = render(
        '<h1>$title</h1><p>$detail</p><p><a class="button" href="/topics">All topics</a></p>',
        title=title,
        detail=detail,
    )
    return layout(Head(title), body)
