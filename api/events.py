"""An answer as server-sent events.

Order: `sources`, then each `delta` (`{"text"}`) followed by the `citation`s of the sentence it ends,
then exactly one `done` (the whole answer) or `error` (`{"code", "message"}`). A stream without `done`
failed. The deltas, put together, are the answer.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass

from starlette.responses import StreamingResponse

from api.problems import INTERNAL_CODE, INTERNAL_DETAIL
from index.errors import AsktopicError
from rag.answer import Answer, Citation

logger = logging.getLogger(__name__)

# The markers and closing punctuation that may follow a cited sentence belong to it.
_AFTER_SENTENCE = re.compile(r"(?:\s*\[\d+\])*[.!?]?\s*")


@dataclass(frozen=True, slots=True)
class Event:
    """One event; `data` is a JSON document."""

    name: str
    data: str


def answer_events(answer: Answer) -> Iterator[Event]:
    """Yield the events that tell `answer` sentence by sentence, `done` included."""
    sources = [source.model_dump(mode="json") for source in answer.sources]
    yield Event("sources", json.dumps({"sources": sources}, ensure_ascii=False))
    for text, citations in cited_pieces(answer):
        yield Event("delta", json.dumps({"text": text}, ensure_ascii=False))
        for citation in citations:
            yield Event("citation", citation.model_dump_json())
    yield Event("done", answer.model_dump_json(by_alias=True))


def cited_pieces(answer: Answer) -> Iterator[tuple[str, list[Citation]]]:
    """Cut the answer after each cited sentence; yield each piece with the citations that end in it.

    The pieces are not empty; put together they are the answer, and no citation is left out.
    """
    text = answer.answer
    pending = sorted(answer.citations, key=lambda citation: citation.end_index)
    start = 0
    while start < len(text):
        end = len(text)
        if pending:
            after = _AFTER_SENTENCE.match(text, pending[0].end_index)
            end = max(after.end() if after else end, start + 1)
        inside = [citation for citation in pending if citation.end_index <= end or end == len(text)]
        pending = pending[len(inside) :]
        yield text[start:end], inside
        start = end


async def event_stream(events: Iterable[Event]) -> AsyncIterator[bytes]:
    """Encode events, numbered from 1. Ends in `done` or `error` whatever `events` does."""
    number = 0
    try:
        for number, event in enumerate(events, start=1):
            yield encode(event, number)
    except AsktopicError as error:
        yield encode(_error(error.code, error.message), number + 1)
    except Exception:
        logger.exception("unhandled error in an event stream")
        yield encode(_error(INTERNAL_CODE, INTERNAL_DETAIL), number + 1)


def encode(event: Event, number: int) -> bytes:
    """One event on the wire. JSON holds no line break, so its data is always one line."""
    return f"id: {number}\nevent: {event.name}\ndata: {event.data}\n\n".encode()


def event_response(events: Iterable[Event]) -> StreamingResponse:
    """A response that sends each event as it comes, through proxies too."""
    return StreamingResponse(
        event_stream(events),
        media_type="text/event-stream; charset=utf-8",
        # nginx holds a response back unless it is told not to.
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _error(code: str, message: str) -> Event:
    return Event("error", json.dumps({"code": code, "message": message}, ensure_ascii=False))
