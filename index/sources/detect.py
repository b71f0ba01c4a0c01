"""Read a file or a folder of any of the known formats.

The format is decided by content, the name only where content leaves it open. Whatever cannot be
used is yielded as `Quarantined` with its reason, and reading goes on.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from index.errors import SourceError
from index.records import Explainer, Paper, Record, slugify
from index.sources.base import Quarantined, Read, Reader
from index.sources.explainer_page import ExplainerPage
from index.sources.jsonl import JsonLines
from index.sources.markdown import Markdown
from index.sources.opening import HEAD_BYTES, decode, decode_head, describe_decode_error, read_head
from index.sources.restructuredtext import ReStructuredText
from index.sources.topic_page import TopicPage
from index.sources.validation import describe, excerpt


def readers() -> tuple[Reader, ...]:
    """Every reader, the format that is surest of itself first."""
    return (TopicPage(), ExplainerPage(), JsonLines(), ReStructuredText(), Markdown())


def read(path: Path, topic: str | None = None) -> Iterator[Read | Quarantined]:
    """Read a file, or a folder and all it holds in sorted order (hidden entries left out).

    `topic` is given to explainers that name none, and added to the tags of papers that lack it.
    Raises `SourceError` at once when nothing lies at `path`; anything else that is wrong is yielded.
    """
    if not os.path.lexists(path):
        raise SourceError(path, None, "expected a file or a folder; there is none")
    return _read(path, topic)


def _read(path: Path, topic: str | None) -> Iterator[Read | Quarantined]:
    for item in _files(path):
        if isinstance(item, Quarantined):
            yield item
            continue
        for found in _read_file(item):
            yield found if topic is None or isinstance(found, Quarantined) else _with_topic(found, topic)


def _files(path: Path) -> Iterator[Path | Quarantined]:
    """The file, or the folder's files: links that lead out of the folder and odd things named."""
    if not os.path.isdir(path):  # noqa: PTH112 unlike Path's, it is False where it may not look
        yield path
        return
    root = _real(path)
    seen: set[Path] = set()
    found = False
    for item in _walk(path, root):
        found = True
        if isinstance(item, Quarantined):
            yield item
            continue
        target = _real(item)
        if not target.is_relative_to(root):
            yield Quarantined(str(item), None, "expected a file of this folder; this link leads out of it")
        elif target not in seen:  # a link to a file of this folder would repeat it
            seen.add(target)
            yield item
    if not found:
        yield Quarantined(str(path), None, "expected files in this folder; it is empty")


def _real(path: Path) -> Path:
    """Where a path leads; unlike `Path.resolve`, this takes links that lead in a circle."""
    return Path(os.path.realpath(path))


def _walk(folder: Path, root: Path) -> Iterator[Path | Quarantined]:
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    except OSError as error:
        yield Quarantined(str(folder), None, f"expected a readable folder; {(error.strerror or '').lower()}")
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if os.path.isdir(entry):  # noqa: PTH112 see above
            if not entry.is_symlink():
                yield from _walk(entry, root)
            elif not _real(entry).is_relative_to(root):  # inside, what it leads to is walked anyway
                yield Quarantined(str(entry), None, "expected a folder; this link leads out of it")
        else:
            yield entry


def _read_file(path: Path) -> Iterator[Read | Quarantined]:
    reader: Reader | None = None
    try:
        if not os.path.isfile(path):  # noqa: PTH113 see above
            raise SourceError(path, None, "expected a regular file")
        head = read_head(path)
        text = decode_head(head)
        if not head or (text is not None and not text.strip() and len(head) < HEAD_BYTES):
            raise SourceError(path, None, "empty file")
        reader = next((reader for reader in readers() if reader.matches(path, head)), None)
        if reader is None:
            yield _unmatched(path, head)
            return
        found = False
        for item in reader.read(path):
            found = True
            yield item
        if not found:
            raise SourceError(path, None, f"expected at least one record; this {reader.name} file has none")
    except SourceError as error:
        yield Quarantined(error.path, error.line, error.expected)


def _unmatched(path: Path, head: bytes) -> Quarantined:
    expected = "expected one of: " + ", ".join(reader.name for reader in readers())
    try:
        start = excerpt(decode(head))
    except UnicodeDecodeError as error:
        # A character cut in two by the end of the head is no fault of the file.
        if error.end < len(head) or len(head) < 4:
            return Quarantined(str(path), None, f"{expected}; {describe_decode_error(error)}")
        start = excerpt(head.decode("utf-8", "replace"))
    return Quarantined(str(path), None, expected, start)


def _with_topic(found: Read, topic: str) -> Read | Quarantined:
    changed: Record = found.record
    match found.record:
        case Explainer(topic=""):
            changes: dict[str, object] = {"topic": topic}
        case Paper(tags=tags) if slugify(topic) not in map(slugify, tags):
            changes = {"tags": (*tags, topic)}
        case _:
            return found
    try:
        changed = type(found.record).model_validate({**dict(found.record), **changes})
    except ValueError as error:
        return Quarantined(found.path, found.line, describe(error))
    return Read(changed, found.path, found.line)
