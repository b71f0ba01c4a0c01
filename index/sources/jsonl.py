"""JSON Lines and JSON: one record a line, or an array, a single object, `{"papers": […]}`.

Lines are streamed: memory is bounded by the longest line taken, whatever the file's size.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from index.errors import SourceError
from index.sources.base import Quarantined, Read
from index.sources.json_records import from_json, parse
from index.sources.opening import (
    decode,
    decode_head,
    describe_decode_error,
    open_stream,
    read_bytes,
    read_head,
)
from index.sources.validation import excerpt, shown

MAX_LINE = 8 * 1024 * 1024
"""Longest line taken, in bytes: the text of a very long book; the longest seen is 17 kB."""

MAX_DOCUMENT = 64 * 1024 * 1024
"""Largest JSON document taken whole, in bytes: parsed, it takes some eight times that in memory.
A larger list belongs in JSON Lines."""

_ARRAY = re.compile(r'\s*\[\s*(?:\{\s*["}]|\]\s*$)')
_OBJECT = re.compile(r'\s*\{\s*["}]')
_WRAPPED = re.compile(r'\s*\{\s*"papers"\s*:\s*\[')
_NAMES = (".json", ".jsonl", ".ndjson")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class _Lines(Protocol):
    def readline(self, size: int, /) -> bytes: ...


class JsonLines:
    """Reader of JSON Lines and JSON documents."""

    name = "JSON Lines or JSON"

    def matches(self, path: Path, head: bytes) -> bool:
        text = decode_head(head)
        if text is None:
            # Damage in one line leaves the others good: then the first characters decide.
            text = head[:64].decode("utf-8", "replace")
        if _OBJECT.match(text) or _ARRAY.match(text):
            return True
        named = any(path.name.lower().removesuffix(end).endswith(_NAMES) for end in ("", ".gz", ".xz"))
        lines = [line for line in text.split("\n") if line.strip()]
        objects = sum(_OBJECT.match(line) is not None for line in lines)
        return named or objects > len(lines) / 2

    def read(self, path: Path) -> Iterator[Read | Quarantined]:
        head = read_head(path)
        if _is_document(head):
            yield from _document(path)
        elif head.startswith(_UTF16):
            yield from _lines(path, io.BytesIO(_text(path).encode("utf-8")))
        else:
            with open_stream(path) as stream:
                yield from _lines(path, stream)


def _is_document(head: bytes) -> bool:
    """Whether the file is one JSON value rather than a record a line."""
    text = decode_head(head) or head.decode("utf-8", "replace")
    if _ARRAY.match(text) or _WRAPPED.match(text):
        return True
    lines = [line for line in text.split("\n") if line.strip()]
    if not _OBJECT.match(text) or len(lines) < 2:
        return False
    # A pretty-printed object goes on with a key; JSON Lines go on with another object.
    return re.match(r'\s*["}]', lines[1]) is not None and not lines[0].rstrip().endswith("}")


def _lines(path: Path, stream: _Lines) -> Iterator[Read | Quarantined]:
    number = 0
    try:
        while line := stream.readline(MAX_LINE + 1):
            number += 1
            if len(line) > MAX_LINE and not line.endswith(b"\n"):
                start = excerpt(line[:1000].decode("utf-8", "replace"))
                while (rest := stream.readline(1 << 20)) and not rest.endswith(b"\n"):
                    pass
                reason = f"expected a line of at most {MAX_LINE:,} bytes"
                yield Quarantined(str(path), number, reason, start)
            elif line.strip():
                yield from _line(path, number, line)
    except SourceError as error:
        yield Quarantined(str(path), number + 1, error.expected)


def _line(path: Path, number: int, line: bytes) -> Iterator[Read | Quarantined]:
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        shown_line = excerpt(line[:1000].decode("utf-8", "replace"))
        yield Quarantined(str(path), number, describe_decode_error(error), shown_line)
        return
    try:
        value = parse(text)
    except ValueError as error:
        yield Quarantined(str(path), number, str(error), excerpt(text))
        return
    yield from_json(value, str(path), number, text)


def _document(path: Path) -> Iterator[Read | Quarantined]:
    try:
        value = parse(_text(path))
    except ValueError as error:
        raise SourceError(path, None, str(error)) from None
    if isinstance(value, dict) and "papers" in value and "kind" not in value:
        value = value["papers"]
        if not isinstance(value, list):
            raise SourceError(path, None, f"papers: expected a list, got {shown(value)}")
    items = value if isinstance(value, list) else [value]
    for n, item in enumerate(items, 1):
        title = item.get("title") if isinstance(item, dict) else None
        found = from_json(item, str(path), None, title if isinstance(title, str) else "")
        if isinstance(found, Quarantined) and len(items) > 1:
            # A document's items have no line of their own; their place in the list is as good.
            found = Quarantined(found.path, None, f"item {n}: {found.reason}", found.excerpt)
        yield found


def _text(path: Path) -> str:
    data = read_bytes(path, MAX_DOCUMENT)
    try:
        return decode(data)
    except UnicodeDecodeError as error:
        raise SourceError(path, None, describe_decode_error(error)) from None
