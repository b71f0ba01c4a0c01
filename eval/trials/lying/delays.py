"""Deliveries that take their time: slow, silent, or without an end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from eval.trials.lying.delivery import EVENTS, Deliver, chunk, event, half, pieces, watched
from eval.trials.lying.exchange import Exchange

_BETWEEN_LOOKS = 0.02
"""Seconds between two looks at whether the client is still there."""


async def slow_drip(exchange: Exchange, request: Request) -> Response:
    """Send one character at a time, with pauses that add up to minutes."""

    async def lines() -> AsyncIterator[bytes]:
        for character in exchange.script.text:
            yield event(chunk(exchange, {"content": character}))
            if not await _wait(exchange, request, request.app.state.pace):
                return

    return StreamingResponse(watched(exchange, lines()), media_type=EVENTS)


async def silence(exchange: Exchange, request: Request) -> Response:
    """Begin a reply and say nothing."""

    async def lines() -> AsyncIterator[bytes]:
        yield event(chunk(exchange, {"role": "assistant", "content": ""}))
        await _wait(exchange, request, request.app.state.patience)

    return StreamingResponse(watched(exchange, lines()), media_type=EVENTS)


async def silence_midway(exchange: Exchange, request: Request) -> Response:
    """Fall silent in the middle of a sentence."""

    async def lines() -> AsyncIterator[bytes]:
        for piece in half(exchange):
            yield event(chunk(exchange, {"content": piece}))
        await _wait(exchange, request, request.app.state.patience)

    return StreamingResponse(watched(exchange, lines()), media_type=EVENTS)


async def no_reply(exchange: Exchange, request: Request) -> Response:
    """Take the request and never answer."""
    stayed = await _wait(exchange, request, request.app.state.patience)
    exchange.close("told" if stayed else "abandoned")
    return Response(status_code=204)


async def endless(exchange: Exchange, request: Request) -> Response:
    """Never come to an end."""

    async def lines() -> AsyncIterator[bytes]:
        text = exchange.script.text or "Again and again."
        while await _wait(exchange, request, 0):
            for piece in pieces(f"{text} "):
                yield event(chunk(exchange, {"content": piece}))

    return StreamingResponse(watched(exchange, lines()), media_type=EVENTS)


async def _wait(exchange: Exchange, request: Request, seconds: float) -> bool:
    """Wait, unless the client leaves before; return whether it is still there."""
    end = asyncio.get_running_loop().time() + seconds
    while True:
        if await request.is_disconnected():
            exchange.close("abandoned")
            return False
        left = end - asyncio.get_running_loop().time()
        if left <= 0:
            return True
        await asyncio.sleep(min(left, _BETWEEN_LOOKS))


DELAYS: Mapping[str, Deliver] = {
    "slow-drip": slow_drip,
    "silence": silence,
    "silence-midway": silence_midway,
    "no-reply": no_reply,
    "endless": endless,
}
