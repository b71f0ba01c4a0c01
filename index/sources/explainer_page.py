"""The explainer page dump: a short explainer in sections, then summaries of papers it appears in.

The page is saved as text: a title, headings each followed by its paragraphs, the heading "Where it
appears", and bulleted papers of three parts: a headline beside the bullet, the paper's title on the
next line, and a one-sentence summary after a blank line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from index.errors import SourceError
from index.records import slugify, title_id
from index.sources.base import Quarantined, Read
from index.sources.opening import decode_head, read_text
from index.sources.validation import excerpt, record

MAX_BYTES = 32 * 1024 * 1024
"""A summary takes 0.3 kB of such a page: room for 100,000 of them."""

LONGEST_HEADING = 80
"""Longest heading, in code points; a paragraph without a full stop is seldom so short."""

_LIST_HEADING = "where it appears"
_BULLET = re.compile(r"[•‣▪]\s*(\S.*)?")
_SENTENCE_END = re.compile(r"[.!?:;,][\"”’)]*$")

_Numbered = tuple[int, str]


class ExplainerPage:
    """Reader of explainer page dumps."""

    name = "explainer page"

    def matches(self, path: Path, head: bytes) -> bool:  # noqa: ARG002 the content alone decides
        lines = [line.strip() for line in (decode_head(head) or "").split("\n")]
        listed = [n for n, line in enumerate(lines) if line.casefold() == _LIST_HEADING]
        return bool(listed) and any(_BULLET.fullmatch(line) for line in lines[listed[0] :])

    def read(self, path: Path) -> Iterator[Read | Quarantined]:
        lines = [(n, line.strip()) for n, line in enumerate(read_text(path, MAX_BYTES).split("\n"), 1)]
        heading = next((i for i, (_, line) in enumerate(lines) if line.casefold() == _LIST_HEADING), None)
        first = next((i for i, (_, line) in enumerate(lines) if line), None)
        if heading is None or first is None:
            raise SourceError(path, None, 'expected the heading "Where it appears"')
        if first == heading:
            raise SourceError(path, lines[first][0], "expected the page's title on the first line")
        start, title = lines[first]
        yield record("topic", {"slug": slugify(title), "name": title}, str(path), start)
        yield _explainer(path, start, title, lines[first + 1 : heading])
        yield from _papers(path, lines[heading + 1 :], title)


def _explainer(path: Path, start: int, title: str, lines: Sequence[_Numbered]) -> Read | Quarantined:
    sections: list[tuple[str, list[str]]] = [("", [])]
    for paragraph in _paragraphs(lines):
        if len(paragraph) <= LONGEST_HEADING and not _SENTENCE_END.search(paragraph):
            sections.append((paragraph, []))
        else:
            sections[-1][1].append(paragraph)
    values = {
        "id": title_id("explainer", title),
        "topic": title,
        "title": title,
        "sections": [{"heading": name, "text": "\n\n".join(texts)} for name, texts in sections if texts],
    }
    if not values["sections"]:
        reason = "expected sections, each a heading and its text, after the title"
        return Quarantined(str(path), start, reason, excerpt(title))
    return record("explainer", values, str(path), start)


def _papers(path: Path, lines: Sequence[_Numbered], topic: str) -> Iterator[Read | Quarantined]:
    starts = [i for i, (_, line) in enumerate(lines) if _BULLET.fullmatch(line)]
    if not starts:
        yield Quarantined(str(path), None, 'expected papers, each after a "•", under "Where it appears"')
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        number, bullet = lines[start]
        headline = (_BULLET.fullmatch(bullet) or [None, None])[1]
        title, *summary = _paragraphs(lines[start + 1 : end]) or [""]
        missing = "headline" if not headline else "title" if not title else "" if summary else "summary"
        if missing:
            yield Quarantined(
                str(path),
                number,
                f"expected a headline, a title and a summary; the {missing} is missing",
                excerpt(f"{bullet} {title}"),
            )
            continue
        values = {
            "id": title_id("paper", title),
            "title": title,
            "headline": headline,
            "summary": "\n\n".join(summary),
            "tags": [topic],
        }
        yield record("paper", values, str(path), number)


def _paragraphs(lines: Sequence[_Numbered]) -> list[str]:
    """Runs of lines between blank lines, each joined into one."""
    found: list[list[str]] = [[]]
    for _, line in lines:
        if line:
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [" ".join(run) for run in found if run]
