"""An answer as server-sent events.

Order: `sources`, then each `delta` (`{"text"}`) followed by the `citation`s of the sentence it ends,
then exactly one `done` (the whole answer) or `error` (`{"code", "message"}`). A stream without `done`
failed. The deltas, put together, are the answer. While a model writes, `sources` comes again with each
source that is cited first, the list so far; the first time it names under `reading` what the model is given.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from starlette.responses import StreamingResponse

from api.problems import INTERNAL_CODE, INTERNAL_DETAIL
from index.errors import AsktopicError
from rag.stream import AnswerPart, Piece, SourcesKnown

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Event:
    """One event; `data` is a JSON document."""

    name: str
    data: str


def events_of(part: AnswerPart) -> Iterator[Event]:
    """Yield the events that tell one part of an answer; `done` for the answer as a whole."""
    if isinstance(part, SourcesKnown):
        known: dict[str, Any] = {"sources": _dumped(part.sources)}
        if part.reading:
            known["reading"] = _dumped(part.reading)
        yield Event("sources", json.dumps(known, ensure_ascii=False))
    elif isinstance(part, Piece):
        yield Event("delta", json.dumps({"text": part.text}, ensure_ascii=False))
        for citation in part.citations:
            yield Event("citation", citation.model_dump_json())
    else:
        yield Event("done", part.model_dump_json(by_alias=True))


def _dumped(models: Sequence[BaseModel]) -> list[dict[str, Any]]:
    return [model.model_dump(mode="json") for model in models]


async def event_stream(parts: AsyncIterator[AnswerPart]) -> AsyncIterator[bytes]:
    """Encode the events of an answer, numbered from 1. Ends in `done` or `error` whatever `parts` does."""
    number = 0
    try:
        async for part in parts:
            for event in events_of(part):
                number += 1
                yield encode(event, number)
    except AsktopicError as error:
        yield encode(_error(error.code, error.message), number + 1)
    except Exception:
        logger.exception("unhandled error in an event stream")
        yield encode(_error(INTERNAL_CODE, INTERNAL_DETAIL), number + 1)


def encode(event: Event, number: int) -> bytes:
    """One event on the wire. JSON holds no line break, so its data is always one line."""
    return f"id: {number}\nevent: {event.name}\ndata: {event.data}\n\n".encode()


def event_response(parts: AsyncIterator[AnswerPart]) -> StreamingResponse:
    """A response that sends each event as it comes, through proxies too."""
    return StreamingResponse(
        event_stream(parts),
        media_type="text/event-stream; charset=utf-8",
        # nginx holds a response back unless it is told not to.
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


def _error(code: str, message: str) -> Event:
    return Event("error", json.dumps({"code": code, "message": message}, ensure_ascii=False))
