"""All ways of lying, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from eval.trials.lying.broken import BROKEN
from eval.trials.lying.delays import DELAYS
from eval.trials.lying.delivery import Deliver, half, pieces, reply, usage_of
from eval.trials.lying.exchange import Exchange
from eval.trials.lying.forms import FORMS
from eval.trials.lying.meanings import MEANINGS, honest
from eval.trials.lying.refusals import REFUSALS, Refuse
from eval.trials.lying.script import Asked, Script

_ABSURD = {"prompt_tokens": -5, "completion_tokens": 10**18, "total_tokens": "many"}


def _whole(
    cut: Callable[[Exchange], list[str]] = lambda exchange: pieces(exchange.script.text),
    *,
    finish: str = "stop",
    usage: Callable[[Exchange], object] = usage_of,
) -> Deliver:
    """Deliver what is told as the protocol has it."""

    async def deliver(exchange: Exchange, request: Request) -> Response:
        del request
        return reply(exchange, cut(exchange), finish, usage(exchange))

    return deliver


def _unless(refuse: Refuse) -> Deliver:
    whole = _whole()

    async def deliver(exchange: Exchange, request: Request) -> Response:
        refusal = refuse(exchange, request)
        if refusal is None:
            return await whole(exchange, request)
        exchange.close("told")
        return refusal

    return deliver


def _broken(make: Callable[[Exchange], Response]) -> Deliver:
    async def deliver(exchange: Exchange, request: Request) -> Response:
        del request
        exchange.close("told")
        return make(exchange)

    return deliver


@dataclass(frozen=True, slots=True)
class Way:
    """A way of lying: what is told, and how it is delivered."""

    name: str
    write: Callable[[Asked], Script] = honest
    deliver: Deliver = _whole()  # noqa: RUF009 - a function, not a value that could change


_DELIVERED: Mapping[str, Deliver] = {
    "split-markers": _whole(lambda exchange: list(exchange.script.text)),
    "all-at-once": _whole(lambda exchange: [exchange.script.text]),
    "cut-by-length": _whole(half, finish="length"),
    "filtered": _whole(half, finish="content_filter"),
    "absurd-usage": _whole(usage=lambda _: _ABSURD),
    "no-usage": _whole(usage=lambda _: None),
    **DELAYS,
    **{name: _broken(make) for name, make in BROKEN.items()},
    **{name: _unless(refuse) for name, refuse in REFUSALS.items()},
}

WAYS: Mapping[str, Way] = {
    way.name: way
    for way in (
        *(Way(name, write) for name, write in {**MEANINGS, **FORMS}.items()),
        *(Way(name, deliver=deliver) for name, deliver in _DELIVERED.items()),
    )
}
"""Lies of meaning and of form in whole replies, then honest words in broken deliveries."""
