"""Whatever happens to a file, readers answer with records, quarantine or `SourceError`."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from index.errors import SourceError
from index.records import AnyRecord, Record
from index.sources.base import Quarantined, Read
from index.sources.detect import read, readers

FIXTURES = Path(__file__).parents[2] / "fixtures"
NAMES = ("topic_page.txt", "explainer_page.txt", "papers.jsonl", "lesson.mdx", "lesson.rst")
VARIANTS = 50

Damage = Callable[[bytes, random.Random], bytes]


def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def cut_start(data: bytes, chance: random.Random) -> bytes:
    return data[chance.randrange(len(data)) :]


def hole(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data))
    return data[:start] + data[start + chance.randrange(200) :]


def flip(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randrange(1, 30)):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def nul(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + b"\x00" * chance.randrange(1, 5) + data[at:]


def noise(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + chance.randbytes(500) + data[at:]


def other_encoding(data: bytes, chance: random.Random) -> bytes:
    encoding = chance.choice(["utf-16", "utf-16-le", "latin-1", "cp037", "utf-32"])
    return data.decode("utf-8").encode(encoding, "replace")


def shuffled_lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def doubled_block(data: bytes, chance: random.Random) -> bytes:
    blocks = data.split(b"\n\n" if b"\n\n" in data else b"\n")
    at = chance.randrange(len(blocks))
    return b"\n".join(blocks[:at] + blocks[at:] * chance.randrange(2, 5))


def lost_lines(data: bytes, chance: random.Random) -> bytes:
    return b"\n".join(line for line in data.split(b"\n") if chance.random() > 0.3)


def one_line(data: bytes, chance: random.Random) -> bytes:
    return data.replace(b"\n", chance.choice([b" ", b"", b"\r", b"\xe2\x80\xa8"]))


def huge_line(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    lines.insert(chance.randrange(len(lines)), chance.choice([b"x", b"+9", b"a, ", b"*a "]) * 10_000)
    return b"\n".join(lines)


def deep(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    opening = chance.choice([b'{"a":', b"[", b"> ", b"- ", b"<Tip>", b"\\(", b"$", b"**"])
    lines.insert(chance.randrange(len(lines)), opening * 2_000)
    return b"\n".join(lines)


DAMAGES: tuple[Damage, ...] = (
    cut,
    cut_start,
    hole,
    flip,
    nul,
    noise,
    other_encoding,
    shuffled_lines,
    doubled_block,
    lost_lines,
    one_line,
    huge_line,
    deep,
)


def variants(name: str) -> list[bytes]:
    data = (FIXTURES / name).read_bytes()
    chance = random.Random(name)
    found = [b"", b"\xef\xbb\xbf", b"\xff\xfe", chance.randbytes(3000)]
    while len(found) < VARIANTS:
        damage = DAMAGES[len(found) % len(DAMAGES)]
        found.append(damage(data, chance))
    return found


def check(found: Read | Quarantined) -> None:
    if isinstance(found, Quarantined):
        assert found.reason.strip()
        assert "\n" not in found.reason
        (found.reason + found.excerpt).encode()
        return
    again: Record = TypeAdapter(AnyRecord).validate_json(found.record.model_dump_json())
    assert again == found.record


@pytest.mark.parametrize("name", NAMES)
def test_damaged_file_never_raises_from_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for data in variants(name):
        path.write_bytes(data)
        found = list(read(path))
        assert found
        for item in found:
            check(item)


@pytest.mark.parametrize("name", NAMES)
def test_damaged_file_raises_nothing_but_source_error_from_its_reader(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    reader = next(reader for reader in readers() if reader.matches(path, (FIXTURES / name).read_bytes()))
    for data in variants(name):
        path.write_bytes(data)
        with contextlib.suppress(SourceError):
            for item in reader.read(path):
                check(item)


def test_damages_do_damage() -> None:
    """The variants differ from their source and from one another, or the tests above test nothing."""
    for name in NAMES:
        found = variants(name)
        assert (FIXTURES / name).read_bytes() not in found[:12]
        assert len(set(found)) > VARIANTS * 0.8
