"""JSON Lines and JSON."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import lzma
import tracemalloc
from pathlib import Path

import pytest

from index.records import Paper, title_id
from index.sources.base import Quarantined, Read
from index.sources.jsonl import MAX_LINE, JsonLines

FIXTURE = Path(__file__).parents[2] / "fixtures" / "papers.jsonl"
GOOD = '{"title": "A good line"}'


def read(path: Path) -> list[Read | Quarantined]:
    return list(JsonLines().read(path))


def lines(tmp_path: Path, *texts: str | bytes) -> list[Read | Quarantined]:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\n".join(text.encode() if isinstance(text, str) else text for text in texts))
    return read(path)


def reason(found: Read | Quarantined) -> str:
    assert isinstance(found, Quarantined), found
    return found.reason


def test_native_and_foreign_objects_become_records() -> None:
    found = [item.record for item in read(FIXTURE) if isinstance(item, Read)]
    assert [record.kind for record in found] == ["paper", "paper", "topic", "explainer", "paper"]
    first = found[0]
    assert isinstance(first, Paper)
    assert first.tags == ("walks", "expressiveness")
    assert first.summary == "Short walks are enough."
    assert first.date == dt.date(2025, 3, 3)
    assert found[1].id == title_id("paper", "Edge Dropping for Noisy Networks")
    assert found[2].id == "topic:graph-learning"
    assert found[3].id == title_id("explainer", "Messages on graphs")


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bytes])
def test_compression_is_detected_by_content_whatever_the_name(tmp_path: Path, pack: type[bytes]) -> None:
    path = tmp_path / "papers.txt"
    path.write_bytes(pack(FIXTURE.read_bytes()))
    assert [item.record for item in read(path)] == [item.record for item in read(FIXTURE)]  # type: ignore[union-attr]


def test_records_round_trip_through_their_own_json(tmp_path: Path) -> None:
    records = [item.record for item in read(FIXTURE) if isinstance(item, Read)]
    again = lines(tmp_path, *(record.model_dump_json() for record in records))
    assert [item.record for item in again if isinstance(item, Read)] == records


@pytest.mark.parametrize("wrap", ["[{}, {}]", '{{"papers": [{}, {}]}}', '{{\n  "papers": [\n {},\n {}\n]}}'])
def test_documents_hold_many_records(tmp_path: Path, wrap: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(wrap.format('{"title": "A"}', '{"title": "B"}'), encoding="utf-8")
    assert [item.record.title for item in read(path)] == ["A", "B"]  # type: ignore[union-attr]


def test_single_pretty_printed_object(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps({"kind": "paper", "title": "A", "authors": ["B"]}, indent=2), encoding="utf-8")
    assert [item.record.title for item in read(path)] == ["A"]  # type: ignore[union-attr]


def test_bad_item_of_a_document_is_named_by_its_place(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('[{"title": "A"}, 7]', encoding="utf-8")
    assert reason(read(path)[1]) == "item 2: expected an object, got 7"


def test_utf16_with_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes('{"title": "Größe"}\n{"title": "B"}\n'.encode("utf-16"))
    assert [item.record.title for item in read(path)] == ["Größe", "B"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"kind": "paper", "title": "A", "colour": 1}', "colour: expected no such key"),
        ('{"kind": "poem", "title": "A"}', "kind: expected one of topic, paper, explainer, got 'poem'"),
        ('{"kind": "explainer", "title": "A", "sections": []}', "sections: expected at least one item"),
        ('{"title": "A", "authors": "B, C"}', "authors: expected a list, got 'B, C'"),
        ('{"title": "A", "date": "2024"}', "date: expected a date as YYYY-MM-DD, got '2024'"),
        ('{"title": "A", "date": 20240101}', "date: expected a date as YYYY-MM-DD, got 20240101"),
        ('{"title": "A", "date": "2024-02-30"}', "date: expected a date"),
        ('{"title": "A", "id": "two words"}', "id: expected an id without spaces"),
        ('{"title": 5}', "title: expected text, got 5"),
        ('{"title": "  "}', "title: expected text that is not empty"),
        ('{"abstract": "A"}', "title: expected a value, found none"),
        ('{"title": "A", "title": "B"}', "'title' occurs twice"),
        ('{"title": "A", "year": NaN}', "got NaN"),
        ('{"title": "A", "year": 1e999}', "got 1e999"),
        ('{"title": "\\ud800"}', "title: expected valid Unicode text"),
        ('{"title": "A", "abstract": "\\ud800"}', "abstract: expected valid Unicode text"),
        ('{"title": ' + "[" * 100_000, "nested too deep"),
        ('{"title": ' + "9" * 10_000 + "}", "ordinary size"),
        ('{"title": "A"', "expected JSON;"),
        ("[1, 2]", "expected an object, got a list"),
        ("true", "expected an object, got true"),
    ],
)
def test_bad_line_is_quarantined_with_what_was_expected(tmp_path: Path, line: str, expected: str) -> None:
    before, bad, after = lines(tmp_path, GOOD, line, GOOD)
    assert isinstance(before, Read)
    assert isinstance(after, Read)
    assert isinstance(bad, Quarantined)
    assert expected in bad.reason
    assert "\n" not in bad.reason
    assert bad.line == 2
    (bad.reason + bad.excerpt).encode()


def test_bytes_that_are_no_utf8_are_named_by_position(tmp_path: Path) -> None:
    bad = lines(tmp_path, GOOD, b'{"title": "caf\xe9"}')[1]
    assert reason(bad).startswith("expected UTF-8 text; found byte 0xe9 at position 14")


def test_overlong_line_is_skipped_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    long = b'{"title": "' + b"x" * (5 * MAX_LINE) + b'"}'
    path.write_bytes(b"\n".join([GOOD.encode(), long, GOOD.encode()]))
    del long
    tracemalloc.start()
    found = read(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [type(item) for item in found] == [Read, Quarantined, Read]
    assert f"at most {MAX_LINE:,} bytes" in reason(found[1])
    assert peak < 3 * MAX_LINE


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_records_before_a_cut_are_kept_and_the_cut_is_named(tmp_path: Path, pack: type[bytes]) -> None:
    path = tmp_path / "x.jsonl.gz"
    plain = "".join(f'{{"title": "{n} {n * 7919 % 104729}"}}\n' for n in range(20_000)).encode()
    packed = pack(plain)
    path.write_bytes(packed[: len(packed) // 2])
    *kept, cut = read(path)
    assert len(kept) > 1000
    assert all(isinstance(item, Read) for item in kept)
    assert "cut short" in reason(cut)
    assert cut.line == len(kept) + 1


def test_decompression_bomb_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    path.write_bytes(gzip.compress(b" " * 50_000_000))
    assert "250-fold" in reason(read(path)[0])
    path.write_bytes(gzip.compress(GOOD.encode() + b"\n" + b" " * 50_000_000))
    kept, stopped = read(path)
    assert isinstance(kept, Read)
    assert "250-fold" in reason(stopped)


def test_lines_are_streamed_not_gathered(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("".join(f'{{"title": "{n} {"x" * 1000}"}}\n' for n in range(5_000)), encoding="utf-8")
    tracemalloc.start()
    count = sum(1 for _ in JsonLines().read(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 5_000
    assert peak < 1_000_000


def test_matches_json_and_not_markdown() -> None:
    reader = JsonLines()
    assert reader.matches(Path("x"), b'  {"id": 1}')
    assert reader.matches(Path("x"), b'[\n {"id": 1}]')
    assert reader.matches(Path("x.jsonl.xz"), b"damaged first line\n")
    assert not reader.matches(Path("x.mdx"), b"{/* note */}\n# T\n")
    assert not reader.matches(Path("x.md"), b"[link](x) and text")
