"""What a reader sees in place of a page that cannot be shown."""

from __future__ import annotations

from api.markup import Markup, render
from api.pages.layout import Head, layout


def error(title: str, detail: str) -> Markup:
    """The page; `detail` is a problem's sentence, told as one."""
    told = detail[:1].upper() + detail[1:].replace("`", "").rstrip(".") + "."
    body = render(
        '<h1>$title</h1><p>$detail</p><p><a class="button" href="/topics">All topics</a></p>',
        title=title,
        detail=told,
    )
    return layout(Head(title), body)
