"""What Markdown and reStructuredText explainers share: sections, title and id of one document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from index.errors import SourceError
from index.records import title_id
from index.sources.base import Quarantined, Read
from index.sources.validation import record

MAX_BYTES = 1024 * 1024
"""Largest explainer taken, in bytes: a book of 500 pages; its parser builds a tree of some fifty times
that, and the slowest text of this size should take seconds."""


def readable_stem(path: Path) -> str:
    """A title made of a file's name: "unit1__what-is-rl.mdx" → "Unit1 what is rl"."""
    words = " ".join(re.split(r"[\W_]+", path.name.partition(".")[0])).strip()
    return words[:1].upper() + words[1:] or path.name


def explainer(
    path: Path,
    title: str,
    sections: Sequence[tuple[str, str]],
    given: Mapping[str, object],
) -> Read | Quarantined:
    """The explainer of one file. `sections` are (heading, text); `given` is what the file says of
    itself (topic, date, url, id). Raises `SourceError` when there is no text at all."""
    kept = [{"heading": heading, "text": text} for heading, text in sections if text.strip()]
    if not kept:
        raise SourceError(path, None, "expected some text besides headings, images and markup")
    values = {"id": _id(path, title), "title": title, "sections": kept, **given}
    return record("explainer", values, str(path), 1)


def _id(path: Path, title: str) -> str:
    """Titles like "Glossary" recur across the files of a course, so the id is of folder and file too."""
    place = path.resolve()
    key = f"{place.parent.name}/{readable_stem(place)}: {title}"
    # Names of files and escapes in front matter can hold what UTF-8 cannot.
    return title_id("explainer", key.encode("utf-8", "replace").decode("utf-8"))
