"""Servers that refuse: overloaded, failing, not to be asked with this key."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from eval.trials.lying.exchange import Exchange

Refuse = Callable[[Exchange, Request], Response | None]
"""Refuses a request, or returns None where it is to be answered after all."""

_KNOWN_LONG_AGO = frozenset("model messages temperature max_tokens stream seed stop top_p n".split())


def _always(status: int, retry_after: int | None = None) -> Refuse:
    return lambda *_: _error(status, retry_after)


def _at_first(*statuses: int, retry_after: int | None = None) -> Refuse:
    """Refuse as many times as there are statuses, then answer."""

    def refuse(exchange: Exchange, request: Request) -> Response | None:
        del request
        left = statuses[exchange.attempt - 1 :]
        return _error(left[0], retry_after) if left else None

    return refuse


def _error(status: int, retry_after: int | None) -> Response:
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    error = {"message": "no <i>capacity</i>", "type": "server_error", "code": str(status)}
    return JSONResponse({"error": error}, status, headers)


def _repeats_key(exchange: Exchange, request: Request) -> Response:
    del exchange
    key = request.headers.get("authorization", "")
    return JSONResponse({"error": {"message": f"Incorrect API key: {key}", "code": "invalid_api_key"}}, 401)


def _in_plain_words(exchange: Exchange, request: Request) -> Response:
    del exchange, request
    return PlainTextResponse("upstream connect error or disconnect/reset before headers", 503)


def _knows_no_options(exchange: Exchange, request: Request) -> Response | None:
    """Refuse whatever older servers do not know: structured output, options of streams, reasoning."""
    del request
    unknown = sorted(exchange.body.keys() - _KNOWN_LONG_AGO)
    error = {"message": f"Unrecognized request argument supplied: {', '.join(unknown)}"}
    return JSONResponse({"error": error}, 400) if unknown else None


REFUSALS: Mapping[str, Refuse] = {
    "rate-limited-once": _at_first(429, retry_after=1),
    "rate-limited": _always(429, retry_after=1),
    "rate-limited-for-hours": _always(429, retry_after=86_400),
    "errors-then-fine": _at_first(500, 503),
    "errors": _always(500),
    "errors-plain": _in_plain_words,
    "unauthorised": _repeats_key,
    "unknown-model": _always(404),
    "no-options": _knows_no_options,
}
