r"""Text repair, done once at ingest: what is stored is what every quote is cut from.

`repair` is for prose (titles, abstracts, names); `repair_section` for text whose lines mean
something (lists, code). Both are idempotent. Text without faults costs a few substring tests.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from index.records import Explainer, Paper, Record, Topic
from index.text import characters, hyphens, tex
from index.text.formulas import convert_dollars, outside_formulas

AnyRecord = TypeVar("AnyRecord", Paper, Topic, Explainer)

_ROUNDS = 8
"""One repair can lay bare the next fault (a twice-escaped entity, a hyphen behind an entity).
Real text is stable after two rounds; the bound is for text made to be troublesome."""

# Every repair begins at one of these, or at a character that is not printable ASCII.
_FAULTS = ("  ", "- ", "$", "\\", "&", "~", "--", "``", "(cid:")
_SPACES = re.compile(r"[ \t]{2,}|\t")
# These two follow `_SPACES`, so that a long run of spaces is read once.
_BLANK_LINES = re.compile(r" ?\n(?: ?\n)+ ?")
_NEWLINE = re.compile(r" ?\n ?")
_SENTENCE_END = frozenset('.!?:;)]}"”’。')
_EXTRA_BLANK_LINES = re.compile(r"\n{3,}")
_LIST_ITEM = re.compile(r"(?:[-*+•–‣▪◦]|\(?(?:\d{1,3}|[ivx]{1,4}|[A-Za-z])[.)])[ \t]")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_CODE_INDENT = re.compile(r"(?: {4}|\t| {1,3}\t)")
_SHORTEST_WRAPPED = 60
"""A line shorter than this was ended on purpose; longer ones may have been wrapped by an editor."""


@dataclass(frozen=True, slots=True)
class RepairCounts:
    """What repair took out of a record: characters no reader sees, and sections left empty."""

    invisible: int = 0
    empty_sections: int = 0

    def __add__(self, other: RepairCounts) -> RepairCounts:
        return RepairCounts(self.invisible + other.invisible, self.empty_sections + other.empty_sections)


def repair(text: str) -> str:
    r"""Return prose with its faults repaired: one line a paragraph, paragraphs parted by "\n\n".

    Characters are put right and brought to NFC, broken words and stray line breaks joined, runs of
    spaces collapsed, TeX text commands made plain, formulas written as `\(…\)` and `\[…\]`.
    `repair(repair(text)) == repair(text)`.
    """
    return _prose(text)[0]


def repair_section(text: str) -> str:
    r"""Return text whose lines mean something, repaired line by line.

    Lists keep a line an item, code (fenced, or indented by four spaces) its lines and spaces;
    lines of prose that an editor wrapped are joined. Paragraphs are parted by "\n\n".
    TeX text commands stay as they are: explainers are not written in TeX.
    """
    return _section(text)[0]


def repair_record(record: Record) -> tuple[Record, RepairCounts]:
    """Return the record with every text field repaired, and what was taken out.

    Ids, URLs, dates and numbers are left alone; list entries and sections left empty are dropped.
    Raises `ValueError` if the title, or every section of an explainer, is empty after repair.
    """
    if isinstance(record, Paper):
        return _repair_fields(
            record,
            ("title", "abstract", "headline", "summary", "venue", "tags_raw", "version"),
            ("authors", "affiliations", "tags"),
        )
    if isinstance(record, Topic):
        return _repair_fields(record, ("name", "description", "parent"), ("aliases",))
    explainer, counts = _repair_fields(record, ("title", "topic"), ())
    sections = []
    for section in record.sections:
        heading, in_heading = _prose(section.heading)
        text, in_text = _section(section.text)
        counts += RepairCounts(invisible=in_heading + in_text, empty_sections=int(not text))
        if text:
            sections.append(section.model_copy(update={"heading": heading, "text": text}))
    if not sections:
        raise ValueError(f"{record.id}: every section is empty after repair")
    return explainer.model_copy(update={"sections": tuple(sections)}), counts


def _repair_fields(
    record: AnyRecord, texts: tuple[str, ...], lists: tuple[str, ...]
) -> tuple[AnyRecord, RepairCounts]:
    update: dict[str, str | tuple[str, ...]] = {}
    counts = RepairCounts()
    for name in texts:
        update[name], removed = _prose(getattr(record, name))
        counts = replace(counts, invisible=counts.invisible + removed)
    for name in lists:
        entries = [_prose(entry) for entry in getattr(record, name)]
        update[name] = tuple(entry for entry, _ in entries if entry)
        counts = replace(counts, invisible=counts.invisible + sum(removed for _, removed in entries))
    repaired = record.model_copy(update=update)
    if not repaired.title:
        raise ValueError(f"{record.id}: the title is empty after repair")
    return repaired, counts


def _prose(text: str) -> tuple[str, int]:
    if _is_sound(text):
        return text, 0
    return _until_stable(text, _prose_once)


def _is_sound(text: str) -> bool:
    """Whether nothing in the text can need repair. Substring tests are some ten times a regex's speed."""
    return (
        text.isascii()
        and text.isprintable()
        and text == text.strip()
        and not any(fault in text for fault in _FAULTS)
    )


def _section(text: str) -> tuple[str, int]:
    return _until_stable(text, _section_once)


def _until_stable(text: str, once: Callable[[str], tuple[str, int]]) -> tuple[str, int]:
    removed = 0
    for _ in range(_ROUNDS):
        repaired, invisible = once(text)
        removed += invisible
        if repaired == text:
            break
        text = repaired
    return text, removed


def _prose_once(text: str) -> tuple[str, int]:
    text, removed = characters.clean(text)
    text = _SPACES.sub(" ", text).strip()
    if "\n" in text:
        text = _NEWLINE.sub(_stray, _BLANK_LINES.sub(_paragraph, text))
    text = tex.plain_text(convert_dollars(text))
    text = outside_formulas(text, hyphens.mend).replace(characters.SOFT_HYPHEN, "")
    text = _SPACES.sub(" ", text).strip()
    return unicodedata.normalize("NFC", text), removed


def _paragraph(match: re.Match[str]) -> str:
    """A blank line ends a paragraph only after what can end a sentence; else a page broke there."""
    return "\n\n" if match.string[match.start() - 1] in _SENTENCE_END else "\n"


def _stray(match: re.Match[str]) -> str:
    text, end = match.string, match.end()
    if text[end : end + 1] == "\n" or text[match.start() - 1 : match.start()] == "\n":
        return "\n"  # half of a paragraph break
    before = text[match.start() - 1 : match.start()]
    return "\n" if before in (".", ":", ";") and _LIST_ITEM.match(text, end) else " "


def _section_once(text: str) -> tuple[str, int]:
    text, removed = characters.clean(text)
    out: list[str] = []
    run: list[str] = []
    for line, verbatim in _lines(text):
        if verbatim:
            out += [*_prose_lines(run), line.rstrip()]
            run = []
        else:
            run.append(line)
    out += _prose_lines(run)
    text = _EXTRA_BLANK_LINES.sub("\n\n", "\n".join(out).replace(characters.SOFT_HYPHEN, ""))
    return unicodedata.normalize("NFC", text.strip("\n")), removed


def _lines(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each line and whether its spaces mean something (code, or a formula over several lines)."""
    fenced = displayed = False
    for line in text.split("\n"):
        fence = _FENCE.match(line) is not None
        opens, closes = line.rfind(r"\["), line.rfind(r"\]")
        yield line, fenced or fence or displayed or opens > closes or _CODE_INDENT.match(line) is not None
        fenced ^= fence
        if opens != closes:
            displayed = opens > closes


def _prose_lines(run: list[str]) -> list[str]:
    """Repair consecutive lines of prose and list items; join what an editor wrapped."""
    parts: list[str] = []
    last = ""
    for line in run:
        content = _SPACES.sub(" ", line.strip())
        item = _LIST_ITEM.match(content) is not None
        indent = line[: len(line) - len(line.lstrip())] if item else ""
        joint = " " if not item and _wrapped(last, content) else "\n"
        parts += [joint, indent, content]
        last = content
    return outside_formulas(convert_dollars("".join(parts)[1:]), hyphens.mend).split("\n") if run else []


def _wrapped(line: str, following: str) -> bool:
    """Whether the line was broken in mid-sentence to fit an editor's width."""
    return (
        len(line) >= _SHORTEST_WRAPPED
        and (line[-1].isalnum() or line[-1] in ",-")
        and (following[:1].islower() or following[:1].isdigit())
    )
