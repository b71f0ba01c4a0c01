"""An answer as server-sent events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

import httpx
import pytest

from api.events import event_stream
from index.errors import IndexMissing
from rag.answer import Answer, Citation, Filters, Provenance, Understood
from rag.engine import Engine
from rag.stream import AnswerPart, SourcesKnown, cited_pieces, parts_of

Parsed = tuple[int, str, Any]


def parse(stream: str) -> list[Parsed]:
    """(id, name, data) of each event; asserts the three lines each must have."""
    assert stream.endswith("\n\n")
    events = []
    for block in stream.removesuffix("\n\n").split("\n\n"):
        number, name, data = block.split("\n")
        events.append(
            (
                int(number.removeprefix("id: ")),
                name.removeprefix("event: "),
                json.loads(data.removeprefix("data: ")),
            )
        )
    return events


def collect(parts: Iterable[AnswerPart]) -> list[Parsed]:
    async def told() -> AsyncIterator[AnswerPart]:
        for part in parts:
            yield part

    async def read() -> bytes:
        return b"".join([event async for event in event_stream(told())])

    return parse(asyncio.run(read()).decode())


def answer_of(text: str, *spans: tuple[int, int, int]) -> Answer:
    """An answer with one citation for each (n, start, end)."""
    citations = tuple(
        Citation(
            n=n,
            source_id=f"paper-{n}",
            start_index=start,
            end_index=end,
            quote=text[start:end],
            chunk_id="chunk",
            field="abstract",
            quote_start=0,
            quote_end=end - start,
            support="quoted",
            score=1.0,
        )
        for n, start, end in spans
    )
    return Answer(
        id="answer",
        question="Why?",
        understood=Understood(text="Why?", topic=None, filters=Filters(), kind="question"),
        topic=None,
        answered=bool(text),
        kind="passage" if text else "refusal",
        answer=text,
        citations=citations,
        timing_ms={},
        provenance=Provenance(index="1", encoder="e", answerer="a", version="0"),
    )


def test_a_streamed_answer_equals_the_answer_given_whole(client: httpx.Client) -> None:
    question = {"question": "What is reinforcement learning?", "topic": "RL"}
    whole = client.post("/v1/ask", json=question).json()
    events = parse(client.post("/v1/ask", json=question | {"stream": True}).text)
    numbers, names, data = zip(*events, strict=True)
    assert numbers == tuple(range(1, len(events) + 1))
    assert (names[0], names[-1]) == ("sources", "done")
    assert set(names[1:-1]) == {"delta", "citation"}
    assert data[0]["sources"] == whole["sources"]
    assert "".join(value["text"] for _, name, value in events if name == "delta") == whole["answer"]
    by_end = sorted(whole["citations"], key=lambda citation: citation["end_index"])
    assert [value for _, name, value in events if name == "citation"] == by_end
    volatile = {"id", "timing_ms"}
    assert {k: v for k, v in data[-1].items() if k not in volatile} == {
        k: v for k, v in whole.items() if k not in volatile
    }


def test_a_refusal_streams_no_text(client: httpx.Client) -> None:
    body = {"question": "Which recipe makes the best sourdough bread?", "topic": "RL", "stream": True}
    (_, first, sources), (_, last, answer) = parse(client.post("/v1/ask", json=body).text)
    assert (first, sources) == ("sources", {"sources": []})
    assert (last, answer["answered"]) == ("done", False)


def test_each_citation_comes_right_after_the_piece_that_ends_its_sentence() -> None:
    answer = answer_of("First 😀. [1] Second. [2][1] So far.", (1, 0, 8), (2, 13, 20), (1, 13, 20))
    pieces = [(piece.text, [citation.n for citation in piece.citations]) for piece in cited_pieces(answer)]
    assert pieces == [("First 😀. [1] ", [1]), ("Second. [2][1] ", [2, 1]), ("So far.", [])]


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("No citation at all.", []),
        ("A [1]. B [2].", [(1, 0, 6), (2, 7, 13)]),
        ("A long claim. [1]\n\n- item [2]\n- item [3]", [(1, 0, 13), (2, 21, 25), (3, 32, 36)]),
        ("Overlapping spans. [1][2]", [(1, 0, 18), (2, 5, 18), (2, 0, 4)]),
        ("Span of nothing.", [(1, 0, 0)]),
        ("Span beyond the end.", [(1, 0, 99)]),
    ],
)
def test_the_pieces_put_together_are_the_answer_and_carry_every_citation(
    text: str, spans: list[tuple[int, int, int]]
) -> None:
    pieces = list(cited_pieces(answer_of(text, *spans)))
    assert "".join(piece.text for piece in pieces) == text
    assert all(piece.text for piece in pieces)
    assert sum(len(piece.citations) for piece in pieces) == len(spans)


def test_line_breaks_in_an_answer_stay_inside_their_event() -> None:
    events = collect(parts_of(answer_of("One.\r\n\r\nevent: done\u2028Two.")))
    assert [name for _, name, _ in events] == ["sources", "delta", "done"]
    assert events[1][2]["text"] == "One.\r\n\r\nevent: done\u2028Two."


@pytest.mark.parametrize(
    ("failure", "code"),
    [(RuntimeError("password=hunter2"), "internal"), (IndexMissing("Ingest."), "index_missing")],
)
def test_a_failure_inside_the_stream_ends_it_with_one_error(failure: Exception, code: str) -> None:
    def failing() -> Iterator[AnswerPart]:
        yield SourcesKnown(())
        raise failure

    (_, first, _), (number, name, error) = collect(failing())
    assert (first, number, name) == ("sources", 2, "error")
    assert error.keys() == {"code", "message"}
    assert error["code"] == code
    assert "hunter2" not in error["message"]


def test_the_done_event_is_the_answer_contract(client: httpx.Client, engine: Engine) -> None:
    body = {"question": "What is reinforcement learning?", "stream": True}
    *_, (_, name, data) = parse(client.post("/v1/ask", json=body).text)
    assert name == "done"
    assert Answer.model_validate(data).provenance.version == engine.version
