"""What every reader of a source format yields."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from index.records import Record


@dataclass(frozen=True, slots=True)
class Read:
    """A record as its source gave it, before text repair, and where it stood."""

    record: Record
    path: str
    line: int | None


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A record, or a whole file, that could not be used. `reason` says what was expected."""

    path: str
    line: int | None
    reason: str
    excerpt: str = ""

    @property
    def where(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


class Reader(Protocol):
    """One source format.

    `name` is the format as people call it. `matches` decides from a file's name and its first
    bytes (decompressed, up to 64 KiB). `read` yields records and quarantined records in file
    order; it raises `SourceError` when the file as a whole is unusable.
    """

    name: str

    def matches(self, path: Path, head: bytes) -> bool: ...

    def read(self, path: Path) -> Iterator[Read | Quarantined]: ...
