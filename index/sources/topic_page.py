"""The topic page dump: one topic with its statistics, and its latest papers.

The page is saved as text, one element a line: the topic's name, its aliases, a description, figures,
and then papers. A paper begins with a line that is a date and runs: title, abstract (formulas torn
onto lines of their own), authors "+N", affiliations "+N" (or none), tags "+N" run together.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from index.errors import SourceError
from index.records import slugify, title_id
from index.sources.base import Quarantined, Read
from index.sources.opening import decode_head, read_text
from index.sources.tag_lines import TagLine, split_count, split_tag_lines
from index.sources.torn_formulas import is_formula, rejoin
from index.sources.validation import excerpt, record

MAX_BYTES = 32 * 1024 * 1024
"""A paper takes 1.7 kB of such a page: room for ten times the papers of the largest topic seen."""

_LIST_HEADING = "latest papers"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DATE = re.compile(r"([A-Z][a-z]{2,8})\.? (\d{1,2}), (\d{4})")
_ALIASES = re.compile(r"Also known as:?\s+(.+)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?][\"”’)]*$")
_NAME = re.compile(r"[^\W\d_][^\d_@/\\:;!?+=<>]*")
_AFFILIATION_MARK = "·"

_PAPERS = re.compile(r"(?<![\d,.])(\d[\d,]*) papers?(?! in the last)")
_RECENT = re.compile(r"(\d[\d,]*) papers? in the last four weeks")
_CHANGE = re.compile(r"\b(up|down) ([\d,]+(?:\.\d+)?)%")
_SHARE = re.compile(r"(\d+(?:\.\d+)?)% of all new papers")


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class _Block:
    """One paper's lines, told apart. `tags` is the raw line."""

    line: int
    date: dt.date
    title: str
    abstract: str
    authors: str
    affiliations: str
    tags: str


class TopicPage:
    """Reader of topic page dumps."""

    name = "topic page"

    def matches(self, path: Path, head: bytes) -> bool:  # noqa: ARG002 the content alone decides
        lines = [line.strip() for line in (decode_head(head) or "").split("\n")]
        listed = [n for n, line in enumerate(lines) if line.casefold() == _LIST_HEADING]
        return bool(listed) and any(
            _DATE.fullmatch(line) or _RECENT.search(line) for line in lines[listed[0] :]
        )

    def read(self, path: Path) -> Iterator[Read | Quarantined]:
        text = read_text(path, MAX_BYTES)
        lines = [_Line(n, line.strip()) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
        heading = next((i for i, line in enumerate(lines) if line.text.casefold() == _LIST_HEADING), None)
        if heading is None:
            raise SourceError(path, None, 'expected the heading "Latest papers"')
        starts = [i for i in range(heading + 1, len(lines)) if _DATE.fullmatch(lines[i].text)]
        topic = _topic_values(lines[:heading], lines[heading + 1 : starts[0] if starts else len(lines)])
        if not topic["name"]:
            raise SourceError(path, 1, "expected the topic's name on the first line")
        yield record("topic", topic, str(path), lines[0].number)
        yield from _papers(path, lines, starts, topic)


def _topic_values(intro: Sequence[_Line], figures: Sequence[_Line]) -> dict[str, object]:
    name = intro[0].text if intro else ""
    aliases: list[str] = []
    prose: list[str] = []
    for line in intro[1:]:
        if not prose and (found := _ALIASES.fullmatch(line.text)):
            aliases = [part.strip() for part in re.split(r"[,·;]", found[1]) if part.strip()]
        # The page's buttons come before the description; they are no sentences.
        elif prose or _SENTENCE_END.search(line.text):
            prose.append(line.text)
    return {
        "slug": slugify(name),
        "name": name,
        "aliases": aliases,
        "description": rejoin(prose),
        "statistics": _statistics(" ".join(line.text for line in figures)),
    }


def _statistics(text: str) -> dict[str, float | int] | None:
    found: dict[str, float | int] = {}
    if papers := _PAPERS.search(text):
        found["papers"] = int(papers[1].replace(",", ""))
    if recent := _RECENT.search(text):
        found["papers_last_four_weeks"] = int(recent[1].replace(",", ""))
    if change := _CHANGE.search(text):
        size = float(change[2].replace(",", ""))
        found["change_percent"] = size if change[1] == "up" else -size
    if share := _SHARE.search(text):
        found["share_of_new_papers_percent"] = float(share[1])
    return found or None


def _papers(
    path: Path, lines: Sequence[_Line], starts: Sequence[int], topic: dict[str, object]
) -> Iterator[Read | Quarantined]:
    if not starts:
        yield Quarantined(str(path), None, 'expected papers after "Latest papers", each under its date')
    names = [str(topic["name"]), *(str(alias) for alias in _listed(topic["aliases"]))]
    found: list[_Block | Quarantined] = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        try:
            found.append(_block(lines[start:end], names))
        except ValueError as error:
            shown = excerpt(lines[min(start + 1, end - 1)].text)
            found.append(Quarantined(str(path), lines[start].number, str(error), shown))
    blocks = [block for block in found if isinstance(block, _Block)]
    prose = [text for block in blocks for text in (block.title, block.abstract)]
    tags = iter(split_tag_lines([block.tags for block in blocks], names[0], names[1:], prose))
    for item in found:
        if isinstance(item, Quarantined):
            yield item
        else:
            yield record("paper", _paper_values(item, next(tags), names[0]), str(path), item.line)


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else []


def _block(lines: Sequence[_Line], topic_names: Sequence[str]) -> _Block:
    """Tell a paper's lines apart, from its end: tags, affiliations, authors. Raises `ValueError`."""
    date = _date(lines[0].text)
    texts = [line.text for line in lines[1:]]
    tags = texts.pop() if texts and _looks_like_tags(texts[-1], topic_names) else ""
    affiliations = ""
    # The line before the last is the authors', unless there are no affiliations: then it belongs to
    # the abstract (or is the title, the first), and the last line is the authors'.
    if len(texts) > 2 and _looks_like_authors(texts[-2]):
        affiliations = texts.pop()
    if len(texts) < 2 or not _looks_like_authors(texts[-1]):
        raise ValueError("expected a title and, before affiliations and tags, a line of authors' names")
    authors = texts.pop()
    title, abstract = _title_and_abstract(texts)
    return _Block(lines[0].number, date, title, abstract, authors, affiliations, tags)


def _date(text: str) -> dt.date:
    """ "Jan 20, 2026" or "January 20, 2026", in English whatever the locale. Raises `ValueError`."""
    found = _DATE.fullmatch(text)
    month = found[1][:3].lower() if found else ""
    try:
        if found and month in _MONTHS:
            return dt.date(int(found[3]), _MONTHS.index(month) + 1, int(found[2]))
    except ValueError:
        pass
    raise ValueError(f"expected a date like Jan 20, 2026, got {text!r}")


def _looks_like_tags(text: str, topic_names: Sequence[str]) -> bool:
    """A page lists papers of its topic, so each line of tags names the topic."""
    if _AFFILIATION_MARK in text or _SENTENCE_END.search(text):
        return False
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) for name in topic_names)


def _looks_like_authors(text: str) -> bool:
    """Names separated by commas: each of a few capitalised words, with particles like "van der"."""
    if is_formula(text):
        return False
    names, _ = split_count(text)
    return all(_looks_like_name(name) for name in names.split(", "))


def _looks_like_name(name: str) -> bool:
    words = name.split()
    if not 1 <= len(words) <= 7 or not _NAME.fullmatch(name):
        return False
    capitalised = [word for word in words if not word[:1].islower()]
    small = [word for word in words if word[:1].islower()]
    return bool(capitalised) and all(len(word) <= 4 for word in small) and not words[-1][:1].islower()


def _title_and_abstract(texts: Sequence[str]) -> tuple[str, str]:
    """The title takes the formulas torn out of it, each with the rest of its line, from the abstract."""
    end = 1
    while end < len(texts) - 1 and is_formula(texts[end]) and not is_formula(texts[end + 1], False):
        if texts[end + 1][:1].isupper() and _SENTENCE_END.search(texts[end + 1]):
            end += 1  # the title ended in a formula; here the abstract begins
            break
        if _SENTENCE_END.search(texts[end + 1]):
            break  # the abstract began with a formula
        end += 2
    return rejoin(texts[:end]), rejoin(texts[end:])


def _paper_values(block: _Block, tags: TagLine, topic: str) -> dict[str, object]:
    authors, more_authors = split_count(block.authors)
    affiliations, more_affiliations = split_count(block.affiliations)
    names = [name.strip() for name in authors.split(", ") if name.strip()]
    places = _without_marks(
        [place.strip() for place in affiliations.split(_AFFILIATION_MARK) if place.strip()]
    )
    return {
        "id": title_id("paper", block.title),
        "title": block.title,
        "abstract": block.abstract,
        "authors": names,
        "authors_total": len(names) + more_authors,
        "affiliations": places,
        "affiliations_total": len(places) + more_affiliations if places else None,
        "date": block.date,
        "tags": tags.tags or (topic,),
        "tags_total": tags.total if tags.tags else None,
        "tags_raw": block.tags,
    }


def _without_marks(places: list[str]) -> list[str]:
    """Drop footnote numbers that a saved page runs into names: "1AXXX", "2MIRAI" → "AXXX", "MIRAI"."""
    marked = [re.match(rf"{n}(?=[^\W\d_])", place) for n, place in enumerate(places, 1)]
    return [place[1:] for place in places] if len(places) > 1 and all(marked) else places
