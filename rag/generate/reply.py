"""A reply as it streams in: cut into whole sentences, each with the ids that it cites.

The same sentences come out however the stream was cut into pieces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from index.text.sentences import sentences

_MARKS = re.compile(r"(?:[ \t]*\[\s*e[0-9a-z]{1,8}(?:[\s,;]+(?:and\s+)?e[0-9a-z]{1,8})*\s*\])+", re.I)
"""Ids in brackets, as asked for; alone, several in one pair, or several pairs."""
_ID = re.compile(r"\be[0-9a-z]{1,8}\b", re.I)
_OPEN_FORMULA = re.compile(r"\\[(\[](?:(?!\\[)\]]).)*\Z", re.DOTALL)
_ITEM = re.compile(r'\{\s*"(?:text|sentence|evidence|ids|citations)"\s*:')
_THOUGHT = "<think>", "</think>"

LOOKAHEAD = 41
"""Characters behind a sentence's end that decide whether it is one: what the splitter looks at."""
LONGEST_MARK = 80
"""An opened bracket that is not closed within so many characters is no marker."""
LONGEST = 2_000
"""Characters without the end of a sentence after which they are given up as one that is none."""


@dataclass(frozen=True, slots=True)
class Written:
    """A sentence as a model wrote it, without its markers; `ids` as cited, in order, known or not.

    `paragraph` says that a blank line stood before it.
    """

    text: str
    ids: tuple[str, ...]
    paragraph: bool = False


class PlainReader:
    """Cuts text with `[id]` markers. A marker belongs to the sentence that it stands in or behind."""

    def __init__(self) -> None:
        self._buffer = ""
        self._first = True

    def feed(self, text: str) -> list[Written]:
        """Take a piece of the reply; return the sentences that are whole now."""
        self._buffer += text
        return self._take(final=False)

    def end(self) -> list[Written]:
        """Return what is left, where the reply has come to its end."""
        return self._take(final=True)

    def _take(self, *, final: bool) -> list[Written]:
        raw = self._buffer if final else self._buffer[: _settled(self._buffer)]
        plain, marks = _without_marks(raw)
        spans = [span for span in sentences(plain) if any(map(str.isalnum, plain[slice(*span)]))]
        unsure = len(plain)
        if not final and (formula := _OPEN_FORMULA.search(plain)):
            unsure = formula.start()
        done = [
            number
            for number, (_, end) in enumerate(spans)
            if final or (end <= unsure and _is_decided(plain, end, last=number == len(spans) - 1))
        ]
        if not final and not done and len(raw) > LONGEST:
            self._buffer = self._buffer[len(raw) :]
            return [Written(plain.strip(), ())]
        owned: dict[int, list[_Mark]] = {}
        for mark in marks:
            owned.setdefault(_owner(mark, spans, plain, owned), []).append(mark)
        found, cut = list[Written](), 0
        for number in done:
            start, end = spans[number]
            mine = owned.get(number, [])
            blank = plain.count("\n", spans[number - 1][1] if number else 0, start) > 1
            ids = tuple(dict.fromkeys(key for mark in mine for key in mark.ids))
            found.append(Written(plain[start:end], ids, blank and not self._first))
            self._first = False
            cut = max([cut, _in_raw(end, marks), *(mark.end for mark in mine)])
        self._buffer = self._buffer[cut:]
        return found


@dataclass(frozen=True, slots=True)
class _Mark:
    """A marker: its place in the text without markers, and where it starts and ends in that with them."""

    at: int
    start: int
    end: int
    ids: tuple[str, ...]


def _settled(text: str) -> int:
    """Return how much of a text no further piece can make part of a marker."""
    opened = text.rfind("[", max(0, len(text) - LONGEST_MARK))
    settled = opened if opened >= 0 and "]" not in text[opened:] else len(text)
    # A marker that stands alone so far may be followed by another of the same sentence.
    while settled and text[settled - 1] in " \t":
        settled -= 1
    return settled


def _without_marks(raw: str) -> tuple[str, list[_Mark]]:
    pieces, marks, at, last = list[str](), list[_Mark](), 0, 0
    for match in _MARKS.finditer(raw):
        piece = raw[last : match.start()]
        pieces.append(piece)
        at += len(piece)
        last = match.end()
        # "It fell. [e7k2q]." has one full stop too many.
        if piece.rstrip()[-1:] in ".!?" and raw[last : last + 1] == ".":
            last += 1
        marks.append(_Mark(at, match.start(), last, tuple(key.lower() for key in _ID.findall(match[0]))))
    return "".join([*pieces, raw[last:]]), marks


def _in_raw(at: int, marks: list[_Mark]) -> int:
    """Return the place in the text with markers of a place in the text without them."""
    return at + sum(mark.end - mark.start for mark in marks if mark.at < at)


def _is_decided(plain: str, end: int, *, last: bool) -> bool:
    behind = plain[end:]
    return behind.lstrip(" \t").startswith("\n") or (not last and len(behind) >= LOOKAHEAD)


def _owner(mark: _Mark, spans: list[tuple[int, int]], plain: str, owned: dict[int, list[_Mark]]) -> int:
    """Return the number of the sentence that a marker belongs to; -1 for none."""
    before = max((number for number, (start, _) in enumerate(spans) if start < mark.at), default=-1)
    opens_line = not plain[: mark.at].rpartition("\n")[2].strip()
    alone = not plain[mark.at :].partition("\n")[0].strip()
    if before < 0 or (opens_line and not alone and before in owned):
        return before + 1 if before + 1 < len(spans) else -1
    return before


class StructuredReader:
    """Reads the items of a JSON reply as each is closed; what is not of the asked form is passed over."""

    def __init__(self) -> None:
        self._buffer = ""
        self._decoder = json.JSONDecoder()

    def feed(self, text: str) -> list[Written]:
        """Take a piece of the reply; return the sentences that are whole now."""
        self._buffer = (self._buffer + text)[-LONGEST * 4 :]
        return list(self._take()) if "}" in text else []

    def end(self) -> list[Written]:
        """Return nothing: an item that was not closed is none."""
        return []

    def _take(self) -> Iterator[Written]:
        while match := _ITEM.search(self._buffer):
            try:
                item, end = self._decoder.raw_decode(self._buffer, match.start())
            except (ValueError, RecursionError):
                return
            self._buffer = self._buffer[end:]
            text = next((item[key] for key in ("text", "sentence") if isinstance(item.get(key), str)), "")
            named: Any = next((item[key] for key in ("evidence", "ids", "citations") if key in item), [])
            ids = _ID.findall(" ".join(map(str, named))) if isinstance(named, list) else []
            # An item may hold several sentences, or markers besides its list.
            inside = PlainReader()
            for written in [*inside.feed(text), *inside.end()]:
                keys = dict.fromkeys((*written.ids, *(key.lower() for key in ids)))
                yield Written(written.text, tuple(keys), written.paragraph)


class ReplyReader:
    """Reads a reply in whichever form it comes: a server may take a schema and not keep to it.

    A thought that a reply begins with, `<think>…</think>`, is passed over.
    """

    def __init__(self) -> None:
        self._start = ""
        self._reader: PlainReader | StructuredReader | None = None

    def feed(self, text: str) -> list[Written]:
        """Take a piece of the reply; return the sentences that are whole now."""
        if self._reader is None:
            self._start += text
            begun = self._begun()
            if begun is None:
                return []
            text = begun
            self._reader = _reader_for(text)
        return self._reader.feed(text)

    def end(self) -> list[Written]:
        """Return what is left, where the reply has come to its end."""
        if self._reader is None:
            if self._start.lstrip().startswith(_THOUGHT[0]):
                return []  # a thought without an end
            self._reader = _reader_for(self._start)
            return [*self._reader.feed(self._start), *self._reader.end()]
        return self._reader.end()

    def _begun(self) -> str | None:
        """Return the reply so far, without a thought, where its form can be told; else none."""
        text = self._start.lstrip()
        opening, closing = _THOUGHT
        if text.startswith(opening):
            _, closed, text = text.partition(closing)
            if not closed:
                self._start = opening + self._start[-len(closing) :]  # thoughts may be long
                return None
            text = text.lstrip()
        elif opening.startswith(text):
            return None
        # "```json" and "[{" are told apart from text and from a marker within so many characters.
        return text if len(text) >= 12 or text[:1] not in "`[" else None


def _reader_for(text: str) -> PlainReader | StructuredReader:
    structured = re.match(r"(?:```\w*\s*)?\s*\[?\s*\{", text)
    return StructuredReader() if structured else PlainReader()
