"""Deliveries that break off, or that are not what the protocol says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping

from starlette.responses import JSONResponse, Response

from eval.trials.lying.delivery import EVENTS, Torn, chunk, completion, event, half, pieces, usage_of
from eval.trials.lying.exchange import Exchange


def cut_at_once(_: Exchange) -> Response:
    """Close the connection before the first word."""
    return _torn([])


def cut_in_sentence(exchange: Exchange) -> Response:
    """Close the connection in the middle of a sentence."""
    return _torn([event(chunk(exchange, {"content": piece})) for piece in half(exchange)])


def cut_in_character(exchange: Exchange) -> Response:
    """Close the connection in the middle of a character."""
    whole = event(chunk(exchange, {"content": f"{''.join(half(exchange))} é"}))
    return _torn([whole[: whole.rindex("é".encode()) + 1]])


def cut_in_json(exchange: Exchange) -> Response:
    """Close the connection in the middle of an event."""
    told = [event(chunk(exchange, {"content": piece})) for piece in half(exchange)]
    return _torn([*told, event(chunk(exchange, {"content": "and"}))[:40]])


def broken_character(exchange: Exchange) -> Response:
    """Send bytes that are no UTF-8 within an event."""
    whole = event(chunk(exchange, {"content": f"{''.join(half(exchange))} é"}))
    return Response(whole.replace("é".encode(), b"\xc3\x28\xff") + b"data: [DONE]\n\n", media_type=EVENTS)


def no_json(exchange: Exchange) -> Response:
    """Send events that are no JSON."""
    body = b"data: {not json at all\n\ndata: 42\n\ndata: null\n\ndata: []\n\ndata: [DONE]\n\n"
    return Response(body, media_type=EVENTS if exchange.streamed else "application/json")


def noise(exchange: Exchange) -> Response:
    """Send bytes that are nothing."""
    return Response(bytes(range(256)) * 64, media_type=EVENTS if exchange.streamed else "application/json")


def web_page(_: Exchange) -> Response:
    """Send a web page, as a proxy in between does."""
    return Response("<html><body><h1>Sign in to continue</h1></body></html>", media_type="text/html")


def other_shape(exchange: Exchange) -> Response:
    """Send JSON of another protocol."""
    answer = {"output": [{"text": exchange.script.text}], "choices": None}
    return Response(event(answer), media_type=EVENTS) if exchange.streamed else JSONResponse(answer)


def no_choices(exchange: Exchange) -> Response:
    """Send replies without a choice in them."""
    empty = {**chunk(exchange, {}), "choices": []}
    if exchange.streamed:
        return Response(event(empty) * 3 + b"data: [DONE]\n\n", media_type=EVENTS)
    return JSONResponse({**completion(exchange, "", "stop", usage_of(exchange)), "choices": []})


def null_content(exchange: Exchange) -> Response:
    """Send deltas without content between those that have some."""
    if not exchange.streamed:
        return JSONResponse(
            completion(exchange, "", "stop", None) | {"choices": [{"index": 0, "message": {}}]}
        )
    told = [event(chunk(exchange, {"content": piece})) for piece in pieces(exchange.script.text)]
    nothing = event(chunk(exchange, {"content": None, "refusal": None}))
    return Response(nothing + nothing.join(told) + b": comment\n\ndata: [DONE]\n\n", media_type=EVENTS)


def tool_calls(exchange: Exchange) -> Response:
    """Ask for a tool that nobody offered."""
    call = {
        "index": 0, "id": "call_1", "type": "function",
        "function": {"name": "delete_all", "arguments": '{"sure": true}'},
    }  # fmt: skip
    if not exchange.streamed:
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
        return JSONResponse(completion(exchange, "", "", None) | {"choices": [choice]})
    delta = {"role": "assistant", "content": None, "tool_calls": [call]}
    told = [event(chunk(exchange, delta)), event(chunk(exchange, {}, "tool_calls"))]
    return Response(b"".join(told) + b"data: [DONE]\n\n", media_type=EVENTS)


def other_role(exchange: Exchange) -> Response:
    """Speak as somebody else."""
    text = exchange.script.text
    if not exchange.streamed:
        told = completion(exchange, text, "stop", usage_of(exchange))
        told["choices"][0]["message"]["role"] = "system"
        return JSONResponse(told)
    return Response(
        event(chunk(exchange, {"role": "system", "content": text})) + b"data: [DONE]\n\n", media_type=EVENTS
    )


def error_in_stream(exchange: Exchange) -> Response:
    """Begin, then send an error as an event."""
    told = [event(chunk(exchange, {"content": piece})) for piece in half(exchange)]
    told.append(
        event({"error": {"message": "the model <b>crashed</b>", "type": "server_error", "code": 500}})
    )
    return Response(b"".join(told), media_type=EVENTS)


def no_ending(exchange: Exchange) -> Response:
    """End a stream without saying that it is the end."""
    told = [event(chunk(exchange, {"content": piece})) for piece in pieces(exchange.script.text)]
    return Response(b"".join(told), media_type=EVENTS)


def _torn(lines: list[bytes]) -> Response:
    async def sent() -> AsyncIterator[bytes]:
        for line in lines:
            yield line

    return Torn(sent(), media_type=EVENTS)


BROKEN: Mapping[str, Callable[[Exchange], Response]] = {
    "cut-at-once": cut_at_once,
    "cut-in-sentence": cut_in_sentence,
    "cut-in-character": cut_in_character,
    "cut-in-json": cut_in_json,
    "broken-character": broken_character,
    "no-json": no_json,
    "noise": noise,
    "web-page": web_page,
    "other-shape": other_shape,
    "no-choices": no_choices,
    "null-content": null_content,
    "tool-calls": tool_calls,
    "other-role": other_role,
    "error-in-stream": error_in_stream,
    "no-ending": no_ending,
}
