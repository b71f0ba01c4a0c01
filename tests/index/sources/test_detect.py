"""Reading a file or folder of any format."""

from __future__ import annotations

import gzip
import os
import shutil
from pathlib import Path

import pytest

from index.errors import SourceError
from index.sources.base import Quarantined, Read
from index.sources.detect import read

FIXTURES = Path(__file__).parents[2] / "fixtures"
KINDS = {
    "topic_page.txt": ["topic", "paper", "paper", "paper"],
    "explainer_page.txt": ["topic", "explainer", "paper", "paper"],
    "papers.jsonl": ["paper", "paper", "topic", "explainer", "paper"],
    "lesson.mdx": ["explainer"],
    "lesson.rst": ["explainer"],
}


def records(path: Path, topic: str | None = None) -> list[Read]:
    return [found for found in read(path, topic) if isinstance(found, Read)]


def reasons(path: Path) -> list[str]:
    return [found.reason for found in read(path) if isinstance(found, Quarantined)]


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("packed", [False, True])
def test_format_is_found_by_content(tmp_path: Path, name: str, packed: bool) -> None:
    data = (FIXTURES / name).read_bytes()
    path = tmp_path / (name + ".gz" if packed else name)
    path.write_bytes(gzip.compress(data) if packed else data)
    assert [found.record.kind for found in records(path)] == KINDS[name]
    assert reasons(path) == []


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", KINDS)
def test_byte_order_marks_change_nothing(tmp_path: Path, name: str, encoding: str) -> None:
    path = tmp_path / name
    path.write_bytes((FIXTURES / name).read_text(encoding="utf-8").encode(encoding))
    assert [found.record.title for found in records(path)] == [
        found.record.title for found in records(FIXTURES / name)
    ]


def test_folder_is_walked_in_sorted_order_without_hidden_entries(tmp_path: Path) -> None:
    for name in ("b/x.md", "a.md", ".hidden.md", ".git/y.md", "c.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"# {name}\n\nText.", encoding="utf-8")
    assert [found.record.title for found in records(tmp_path)] == ["a.md", "b/x.md", "c.md"]


def test_links_are_followed_inside_the_folder_only_and_nothing_is_read_twice(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("# Outside\n\nText.", encoding="utf-8")
    folder = tmp_path / "folder"
    (folder / ".store").mkdir(parents=True)
    (folder / ".store" / "kept.md").write_text("# Kept\n\nText.", encoding="utf-8")
    (folder / "inner.md").symlink_to(folder / ".store" / "kept.md")
    (folder / "again.md").symlink_to(folder / "inner.md")
    (folder / "loop").symlink_to(folder)
    (folder / "outer.md").symlink_to(outside)
    (folder / "up").symlink_to(tmp_path)
    (folder / "circle.md").symlink_to(folder / "circle.md")
    (folder / "inside").mkdir()
    (folder / "inside" / "back").symlink_to(folder)
    assert [found.record.title for found in records(folder)] == ["Kept"]
    assert len(reasons(folder)) == 3
    assert records(folder / "outer.md")  # named directly, a link is followed


def test_special_and_dangling_files_are_named_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "dangling.md").symlink_to(tmp_path / "nowhere.md")
    assert reasons(tmp_path) == ["expected a regular file"] * 2


def test_missing_path_is_an_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is none"):
        read(tmp_path / "nothing")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "empty file"),
        (b" \n\n", "empty file"),
        (b"\xef\xbb\xbf", "empty file"),
        (b"\xff\xfe", "empty file"),
        (b"[]", "expected at least one record"),
        (b"just some words", "expected one of: topic page, explainer page, JSON Lines or JSON"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00", "found byte 0x89 at position 0"),
        (b"\x1f\x8b\x08broken", "expected a"),
    ],
)
def test_unreadable_file_is_quarantined_with_its_reason(
    tmp_path: Path, content: bytes, expected: str
) -> None:
    path = tmp_path / "file.bin"
    path.write_bytes(content)
    (reason,) = reasons(path)
    assert expected in reason


def test_empty_folder_says_so(tmp_path: Path) -> None:
    assert reasons(tmp_path) == ["expected files in this folder; it is empty"]


def test_a_bad_file_does_not_stop_the_folder(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"\xff\xfe\xff")
    shutil.copy(FIXTURES / "lesson.rst", tmp_path / "b.rst")
    assert len(records(tmp_path)) == len(reasons(tmp_path)) == 1


def test_topic_is_given_where_none_is_named(tmp_path: Path) -> None:
    (lesson,) = records(FIXTURES / "lesson.rst", topic="Graph Learning")
    assert lesson.record.topic == "Graph Learning"  # type: ignore[union-attr]
    (named,) = records(FIXTURES / "lesson.mdx", topic="Another")
    assert named.record.topic == "Graph Learning"  # type: ignore[union-attr]


def test_topic_is_added_to_papers_that_lack_it_under_any_spelling() -> None:
    tags = [
        found.record.tags
        for found in records(FIXTURES / "topic_page.txt", topic="graph-learning")
        if found.record.kind == "paper"
    ]
    assert all("graph-learning" not in names for names in tags)
    first = records(FIXTURES / "papers.jsonl", topic="graph-learning")[0].record
    assert first.tags == ("walks", "expressiveness", "graph-learning")  # type: ignore[union-attr]
