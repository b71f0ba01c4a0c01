"""Where the pages lie."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from rag.answer import PaperChoice


def topic_path(slug: str, offset: int = 0, choice: PaperChoice | None = None) -> str:
    """Where a topic's page lies, with the papers from `offset` on, or those of a choice."""
    chosen = choice.model_dump(mode="json", by_alias=True, exclude_defaults=True) if choice else {}
    query = urlencode(chosen | ({"offset": offset} if offset else {}))
    return f"/topics/{quote(slug, safe='')}" + (f"?{query}" if query else "")


def explainer_path(slug: str) -> str:
    return f"/topics/{quote(slug, safe='')}/explainer"


def feed_path(slug: str, kind: str, choice: PaperChoice | None = None) -> str:
    """Where a topic's feed lies: `kind` is "atom" or "json"."""
    chosen = choice.model_dump(mode="json", by_alias=True, exclude_defaults=True) if choice else {}
    query = urlencode(chosen)
    return f"/topics/{quote(slug, safe='')}/feed.{kind}" + (f"?{query}" if query else "")


def paper_path(source_id: str) -> str:
    return f"/papers/{quote(source_id, safe='')}"


def source_path(source_id: str, kind: str = "paper") -> str:
    """Where a source can be read: papers have pages of their own kind."""
    return paper_path(source_id) if kind == "paper" else f"/sources/{quote(source_id, safe='')}"
