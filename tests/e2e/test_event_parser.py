"""The widget's event-stream parser and text functions, in the browser that runs them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

EVENTS = [
    {"name": "delta", "data": '{"text": "naïve 😀 Δ"}', "id": "1"},
    {"name": "message", "data": "first\n second\n", "id": "1"},
    {"name": "done", "data": "{}", "id": "2"},
]
STREAM = (
    ": a comment\n"
    'id: 1\nevent: delta\ndata: {"text": "naïve 😀 Δ"}\n\n'
    "retry: 10\nunknown: field\ndata:first\ndata:  second\ndata\n\n"
    "event: nothing\n\n"  # no data, so no event; and its name is forgotten
    "id: 2\nevent: done\ndata: {}\n\n"
    "event: cut off\ndata: never sent"
)

PARSE = """
async ({bytes, cuts}) => {
  const { EventStreamParser } = await import("/widget.js");
  return cuts.map((cut) => {
    const parser = new EventStreamParser();
    const parts = cut === "every" ? bytes.map((byte) => [byte]) : [bytes.slice(0, cut), bytes.slice(cut)];
    return parts.flatMap((part) => parser.push(new Uint8Array(part)));
  });
}
"""


@pytest.fixture(scope="module")
def module(browser: Browser, server: str) -> Page:
    """A page from which the module can be imported; these tests leave nothing behind on it."""
    page = browser.new_page()
    page.goto(f"{server}/topics/reinforcement-learning")
    return page


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "byte order mark"])
def test_events_are_the_same_wherever_the_bytes_are_cut(module: Page, line_end: str, mark: str) -> None:
    stream = (mark + STREAM.replace("\n", line_end)).encode()
    cuts: list[Any] = [*range(len(stream) + 1), "every"]
    results = module.evaluate(PARSE, {"bytes": list(stream), "cuts": cuts})
    assert len(results) == len(stream) + 2
    for cut, events in zip(cuts, results, strict=True):
        assert events == EVENTS, f"cut at {cut}"


def test_a_last_event_ended_by_carriage_returns_is_not_held_back(module: Page) -> None:
    stream = b"event: done\rdata: {}\r\r"
    (events,) = module.evaluate(PARSE, {"bytes": list(stream), "cuts": [3]})
    assert [event["name"] for event in events] == ["done"]


def test_code_point_offsets_find_their_utf16_index(module: Page) -> None:
    text = "a😀é𝛾z"
    found = module.evaluate(
        """async (text) => {
          const { utf16Index } = await import("/widget.js");
          return [0, 1, 2, 3, 4, 5, 99].map((n) => utf16Index(text, n));
        }""",
        text,
    )
    assert found == [len(text[:n].encode("utf-16-le")) // 2 for n in (0, 1, 2, 3, 4, 5, 99)]


@pytest.mark.parametrize(
    ("url", "is_link"),
    [
        ("https://example.org/a", True),
        ("http://example.org", True),
        ("javascript:alert(1)", False),
        (" java\nscript:alert(1)", False),
        ("data:text/html,x", False),
        ("//example.org", False),
        ("", False),
    ],
)
def test_only_web_addresses_become_links(module: Page, url: str, is_link: bool) -> None:
    found = module.evaluate("""async (url) => (await import("/widget.js")).webUrl(url)""", url)
    assert found == (url if is_link else None)


@pytest.mark.parametrize(
    ("text", "cited", "markers"),
    [
        ("Agents learn. [1] ", [(1, "Agents learn.")], [1]),
        ("Agents learn [1].", [(1, "Agents learn")], [1]),
        ("😀 learns. [1][2], [3]", [(1, "😀 learns."), (2, "😀 learns."), (3, "learns.")], [1, 2, 3]),
        ("As shown in [1] before. [1]", [(1, "As shown in [1] before.")], [1]),
        ("😀 As shown in [1] [1]", [(1, "😀 As shown in [1]")], [1]),
        ("As shown in [7] before. [1]", [(1, "As shown in [7] before.")], [1]),
        ("One [1] and two [2] agree.", [(1, "One"), (2, "two")], [1, 2]),
        ("Nothing cited. [1]", [], []),
        ("Wrong number. [2]", [(1, "Wrong number.")], []),
    ],
)
def test_only_numbers_of_citations_become_markers(
    module: Page, text: str, cited: list[tuple[int, str]], markers: list[int]
) -> None:
    before = "😀 " * 50 + "\n\n"  # the block stands somewhere in an answer
    start = len(before)
    citations = [
        {
            "n": n,
            "quote": quote,
            "start_index": start + text.index(quote),
            "end_index": start + text.index(quote) + len(quote),
        }
        for n, quote in cited
    ]
    _, block = module.evaluate(
        """async (given) => (await import("/widget.js")).blocksOf(...given)""", [before + text, citations]
    )
    segments = block["segments"]
    found = [segment for segment in segments if segment["kind"] == "marker"]
    assert [segment["citation"]["n"] for segment in found] == markers
    assert "".join(segment["text"] for segment in segments) == text
    if markers:  # the last of those numbers is always a marker, whatever stands inside a quote
        last = max(text.rindex(f"[{n}]") for n in markers)
        behind = segments[segments.index(found[-1]) + 1 :]
        assert len(text) - sum(len(segment["text"]) for segment in behind) == last + len(found[-1]["text"])


def test_a_marker_belongs_to_the_nearest_citation_of_its_number_before_it(module: Page) -> None:
    citations = [
        {"n": 1, "quote": "One.", "start_index": 0, "end_index": 4},
        {"n": 1, "quote": "Two.", "start_index": 9, "end_index": 13},
    ]
    (block,) = module.evaluate(
        """async (given) => (await import("/widget.js")).blocksOf(...given)""",
        ["One. [1] Two. [1]", citations],
    )
    found = [segment["citation"]["quote"] for segment in block["segments"] if segment["kind"] == "marker"]
    assert found == ["One.", "Two."]


def test_loading_the_module_twice_keeps_the_first_element(module: Page) -> None:
    same = module.evaluate(
        """async () => {
          const first = customElements.get("ask-topic");
          const second = await import("/widget.js?copy");
          return Object.keys(second).length > 0 && customElements.get("ask-topic") === first;
        }"""
    )
    assert same is True


def test_the_json_of_an_event_survives_the_wire(module: Page) -> None:
    value = {"text": 'line\nbreak\r\n"quoted" \u2028 😀'}
    stream = f"data: {json.dumps(value, ensure_ascii=False)}\n\n".encode()
    (events,) = module.evaluate(PARSE, {"bytes": list(stream), "cuts": ["every"]})
    assert json.loads(events[0]["data"]) == value
