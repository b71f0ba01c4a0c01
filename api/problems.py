"""Every error of the service as one shape: RFC 9457 `application/problem+json`."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import pages
from index.errors import AsktopicError

logger = logging.getLogger(__name__)

INTERNAL_CODE = AsktopicError.code
INTERNAL_DETAIL = "The service failed on this request. Try again; if it fails again, tell the operator."

_FOR_PROGRAMS = ("/v1/", "/healthz", "/readyz", "/openapi.json", "/static/")
"""Paths whose errors stay problems, whoever asks."""

_CODES = {400: "bad_request", 404: "not_found", 405: "method_not_allowed"}


class NotReady(AsktopicError):
    """The service is alive but cannot answer yet."""

    code = "not_ready"
    status = 503


class FieldError(BaseModel):
    """One rejected value: where it stands, such as `body.question`, and what was expected."""

    loc: str
    message: str


class Problem(BaseModel):
    """RFC 9457 problem. `code` is stable, for programs; `detail` is for people."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: str
    errors: list[FieldError] = Field(default_factory=list, description="only for `invalid_request`")


class ProblemResponse(JSONResponse):
    media_type = "application/problem+json"

    def render(self, content: Any) -> bytes:
        # A rejected key may hold a lone surrogate, which UTF-8 cannot carry; as `\udXXX` it is valid JSON.
        return json.dumps(content, ensure_ascii=False).encode("utf-8", "backslashreplace")


def problem(
    status: int,
    code: str,
    detail: str,
    *,
    errors: Sequence[FieldError] = (),
    headers: Mapping[str, str] | None = None,
) -> ProblemResponse:
    """Build the response for one error."""
    body = Problem(
        title=HTTPStatus(status).phrase, status=status, detail=detail, code=code, errors=list(errors)
    )
    unset = {"errors"} if not errors else set()
    return ProblemResponse(body.model_dump(exclude=unset), status_code=status, headers=headers)


def install_problem_handlers(app: FastAPI) -> None:
    """Report our own errors, rejected input and the router's 404 and 405 as problems."""
    app.add_exception_handler(AsktopicError, _on_asktopic_error)
    app.add_exception_handler(RequestValidationError, _on_invalid_request)
    app.add_exception_handler(HTTPException, _on_http_exception)


class UnhandledErrors:
    """Turns an unforeseen exception into a 500 problem that tells nothing of the inside.

    It stands inside the CORS layer: Starlette's own last resort stands outside of it, and a browser
    would report such a 500 as a CORS fault.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self.app(scope, receive, watch)
        except Exception:
            if scope["type"] != "http" or started:
                raise  # Nothing can be said any more; the server cuts the connection and logs.
            logger.exception("unhandled error on %s %s", scope["method"], scope["path"])
            await problem(500, INTERNAL_CODE, INTERNAL_DETAIL)(scope, receive, send)


def _respond(
    request: Request,
    status: int,
    code: str,
    detail: str,
    *,
    errors: Sequence[FieldError] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Say it as a page to a browser that opened one, as a problem to everyone else."""
    if request.url.path.startswith(_FOR_PROGRAMS):
        return problem(status, code, detail, errors=errors, headers=headers)
    headers = {**(headers or {}), "Vary": "Accept"}
    if "text/html" in request.headers.get("accept", "").lower():
        return HTMLResponse(pages.error(HTTPStatus(status).phrase, detail), status, headers)
    return problem(status, code, detail, errors=errors, headers=headers)


async def _on_asktopic_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, AsktopicError)
    if error.status >= 500:
        logger.warning("%s on %s: %s", error.code, request.url.path, error.message)
    return _respond(request, error.status, error.code, error.message)


async def _on_invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    errors = [_field_error(each, error.body, request) for each in error.errors()]
    first = errors[0]
    more = f" and {len(errors) - 1} more" if len(errors) > 1 else ""
    detail = f"{first.loc}: {first.message}{more}. Correct the request; /openapi.json describes it."
    return _respond(request, 422, "invalid_request", detail, errors=errors)


async def _on_http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    path = request.url.path
    details = {
        400: f"The body cannot be read: {_unreadable(error.__cause__)}. Send one JSON object in UTF-8.",
        404: f"There is nothing at {path}; /openapi.json lists the routes.",
        405: f"{request.method} is not allowed on {path}; /openapi.json lists the methods.",
    }
    detail = details.get(error.status_code, str(error.detail))
    code = _CODES.get(error.status_code, HTTPStatus(error.status_code).name.lower())
    return _respond(request, error.status_code, code, detail, headers=error.headers)


def _field_error(error: Mapping[str, Any], body: object, request: Request) -> FieldError:
    loc, message = list(error["loc"]), str(error["msg"]).removeprefix("Value error, ")
    if error["type"] == "json_invalid" and isinstance(body, str):
        position = int(loc.pop())
        line = body.count("\n", 0, position) + 1
        column = position - body.rfind("\n", 0, position)
        message = f"not JSON at line {line}, column {column}: {error['ctx']['error']}"
    elif loc == ["body"] and not _is_json(given := request.headers.get("content-type", "")):
        message = f"the Content-Type is {given[:100]!r}; send application/json"
    return FieldError(loc=".".join(str(part) for part in loc), message=message)


def _is_json(content_type: str) -> bool:
    media_type = content_type.partition(";")[0].strip().lower()
    return media_type == "application/json" or (
        media_type.startswith("application/") and media_type.endswith("+json")
    )


def _unreadable(cause: BaseException | None) -> str:
    if isinstance(cause, UnicodeDecodeError):
        return f"byte {cause.start} is no {cause.encoding.upper()}"
    if isinstance(cause, RecursionError):
        return "it is nested too deep"
    return "it holds a number too long to read" if isinstance(cause, ValueError) else "it is no JSON"
