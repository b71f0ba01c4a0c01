"""Rows of the files that question sets come in: JSON Lines, a JSON list, or a table with a header."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.questions.gathering import Gathering
from index.errors import SourceError
from index.sources.json_records import parse
from index.sources.opening import decode_head, describe_decode_error, open_stream, read_head, read_text
from index.sources.validation import shown

MAX_LINE = 8 * 1024 * 1024
"""Longest line taken, in bytes: a question that brings a whole paper along has some 100 kB."""

MAX_DOCUMENT = 64 * 1024 * 1024
"""Largest file taken whole, in bytes: parsed, JSON takes some eight times that in memory."""

_KEY = re.compile(r'"([^"\\]{1,60})"\s*:')
_DELIMITERS = (",", "\t", ";")


@dataclass(frozen=True, slots=True)
class Row:
    """One row and where it stands: `where` is a file and a line, or an item of a list, for people."""

    where: str
    values: Mapping[str, Any]
    text: str = ""

    def string(self, *names: str) -> str:
        """Return the first of these values that is there, as text; empty if none is.

        Raises `ValueError` when it is not a text or a whole number (an id often is one).
        """
        for name in names:
            value = self.values.get(name)
            if isinstance(value, int) and not isinstance(value, bool):
                return str(value)
            if value is not None and not isinstance(value, str):
                raise ValueError(f"{name}: expected text, got {shown(value)}")
            if value:
                return value
        return ""

    def required(self, *names: str) -> str:
        """Return the first of these values that is there. Raises `ValueError` when none is."""
        found = self.string(*names)
        if not found.strip():
            raise ValueError(f"{names[0]}: expected text that is not empty, found none")
        return found


def json_lines(path: Path, gathering: Gathering) -> Iterator[Row]:
    """Yield one object a line; what is not one becomes a fault. Blank lines are passed over."""
    number = 0
    with gathering.at(str(path)), open_stream(path) as stream:
        while line := stream.readline(MAX_LINE + 1):
            number += 1
            where = f"{path}:{number}"
            row = None
            with gathering.at(where):
                if len(line) > MAX_LINE and not line.endswith(b"\n"):
                    while (rest := stream.readline(1 << 20)) and not rest.endswith(b"\n"):
                        pass
                    raise ValueError(f"expected a line of at most {MAX_LINE:,} bytes")
                if line.strip():
                    row = _object(where, _text(line, first=number == 1).rstrip())
            if row:
                yield row


def _text(line: bytes, *, first: bool) -> str:
    try:
        return line.decode("utf-8-sig" if first else "utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(describe_decode_error(error)) from None


def _object(where: str, text: str) -> Row | None:
    if not text:  # a byte order mark with nothing behind it
        return None
    value = parse(text)
    if not isinstance(value, dict):
        raise ValueError(f"expected an object, got {shown(value)}")
    return Row(where, value, text)


def json_rows(path: Path, gathering: Gathering) -> Iterator[Row]:
    """Yield the objects of a JSON list, or of JSON Lines."""
    if not _opening(path).startswith("["):
        yield from json_lines(path, gathering)
        return
    for number, item in enumerate(_list(path, gathering), 1):
        where = f"{path}, item {number}"
        if isinstance(item, dict):
            yield Row(where, item)
        else:
            gathering.fault(where, f"expected an object, got {shown(item)}")


def _list(path: Path, gathering: Gathering) -> list[object]:
    with gathering.at(str(path)):
        found: list[object] = parse(read_text(path, MAX_DOCUMENT))
        return found
    return []


def table_rows(path: Path, gathering: Gathering) -> Iterator[Row]:
    """Yield the rows of a CSV or TSV file by the names in its header, folded to lower case."""
    text = ""
    with gathering.at(str(path)):
        text = read_text(path, MAX_DOCUMENT)
    delimiter = _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] = []
    before = 0
    try:
        for cells in reader:
            where = f"{path}:{before + 1}"
            before = reader.line_num
            if not any(cell.strip() for cell in cells):
                continue
            if not header:
                header = [name.strip().casefold() for name in cells]
            elif len(cells) > len(header):
                gathering.fault(where, f"expected at most {len(header)} cells, got {len(cells)}")
            else:
                yield Row(where, dict(zip(header, (cell.strip() for cell in cells), strict=False)))
    except csv.Error as error:
        gathering.fault(f"{path}:{reader.line_num}", f"expected a table; {error}")


def _delimiter(text: str) -> str:
    """Return what the header is parted by: the character that yields the most columns."""
    header = text.lstrip().partition("\n")[0]
    return max(_DELIMITERS, key=lambda mark: header.count(mark))


def columns(path: Path) -> tuple[str, ...]:
    """Return the names in a table's header; nothing where the file is not text."""
    header = _opening(path).partition("\n")[0]
    try:
        cells = next(csv.reader([header], delimiter=_delimiter(header)), [])
    except csv.Error:
        return ()
    return tuple(cell.strip().casefold() for cell in cells)


def plain_name(path: Path) -> str:
    """Return a file's name in lower case, without the ending of a compressed file."""
    return path.name.casefold().removesuffix(".gz").removesuffix(".xz")


def first_keys(path: Path) -> frozenset[str]:
    """Return the keys in the first line of JSON Lines, or in the first page of a JSON document.

    They are found by their look, inner objects' among them, so that a file that is cut short or
    damaged still shows what it was meant to be.
    """
    text = _opening(path)
    line = text.partition("\n")[0].rstrip()
    if not text.startswith(("{", "[")):
        return frozenset()
    return frozenset(_KEY.findall(line if line.startswith("{") and line.endswith("}") else text))


def _opening(path: Path) -> str:
    if not path.is_file():
        return ""
    try:
        return (decode_head(read_head(path)) or "").lstrip()
    except SourceError:
        return ""
