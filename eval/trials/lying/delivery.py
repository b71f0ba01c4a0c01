"""How a reply goes out: OpenAI's protocol, as a stream of events or as one object."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.types import Send

from eval.trials.lying.exchange import Exchange

Deliver = Callable[[Exchange, Request], Awaitable[Response]]

CREATED = 1_700_000_000
"""A time that is always the same, so that replies are."""
EVENTS = "text/event-stream"
_TOKENS = re.compile(r"\s*\S{1,6}")
"""Pieces of about the length of a model's tokens."""


def reply(exchange: Exchange, content: Sequence[str], finish: str, usage: object) -> Response:
    """Send the pieces as events, or as one object where no stream was asked for; `usage` may be none."""
    if not exchange.streamed:
        exchange.close("told")
        return JSONResponse(completion(exchange, "".join(content), finish, usage))
    lines = events(exchange, content, finish, usage)
    return StreamingResponse(watched(exchange, lines), media_type=EVENTS)


async def watched(exchange: Exchange, lines: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """Yield the lines and note whether the client stayed until the end: else this is closed before."""
    try:
        async for line in lines:
            yield line
        exchange.close("told")
    finally:
        exchange.close("abandoned")


async def events(
    exchange: Exchange, content: Sequence[str], finish: str, usage: object
) -> AsyncIterator[bytes]:
    """Return a stream's lines: the role, the pieces, the end, the usage, and the closing word."""
    yield event(chunk(exchange, {"role": "assistant", "content": ""}))
    for piece in content:
        yield event(chunk(exchange, {"content": piece}))
    yield event(chunk(exchange, {}, finish))
    if exchange.wants_usage and usage is not None:
        yield event({**chunk(exchange, {}), "choices": [], "usage": usage})
    yield b"data: [DONE]\n\n"


def event(data: object) -> bytes:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def chunk(exchange: Exchange, delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {**_head(exchange, "chat.completion.chunk"), "choices": [choice]}


def completion(exchange: Exchange, text: str, finish: str, usage: object) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return {**_head(exchange, "chat.completion"), "choices": [choice], "usage": usage}


def _head(exchange: Exchange, kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-liar", "object": kind, "created": CREATED, "model": exchange.model}


def usage_of(exchange: Exchange) -> dict[str, int]:
    """Return honest figures, at four characters a token."""
    spent = len(exchange.asked.system + exchange.asked.user) // 4, len(exchange.script.text) // 4
    return dict(
        zip(("prompt_tokens", "completion_tokens", "total_tokens"), (*spent, sum(spent)), strict=True)
    )


def pieces(text: str) -> list[str]:
    """Cut a text into pieces which, put together, are the text."""
    found = _TOKENS.findall(text)
    rest = text[sum(map(len, found)) :]
    return [*found, *([rest] if rest else [])]


def half(exchange: Exchange) -> list[str]:
    """Return the first half of what is told, in pieces: it ends within a sentence."""
    text = exchange.script.text
    return pieces(text[: len(text) // 2])


class Torn(StreamingResponse):
    """A response whose connection is closed in the middle of its body."""

    async def stream_response(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for piece in self.body_iterator:
            body = piece.encode() if isinstance(piece, str) else bytes(piece)
            await send({"type": "http.response.body", "body": body, "more_body": True})
        # No last message: the server closes the connection, and the client sees a body cut off.
