"""What stands between the network and the routes: headers, body size, and which origins may ask.

All are plain ASGI wrappers, so that a reader who leaves is noticed and a stream is never buffered.
"""

from __future__ import annotations

import logging
from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.problems import problem

logger = logging.getLogger(__name__)

MAX_REFUSED = 100
"""Refused origins remembered, so that each is logged once: origins are the caller's to invent."""

MAX_BODY = 64 * 1024
"""Largest request body in bytes: a question of 2,000 characters and some twenty earlier turns."""

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        # No script on a page may turn a string into markup.
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)

_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class SecurityHeaders:
    """Adds the security headers to every response that does not set its own."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)


class BodyLimit:
    """Refuses a body of more than `limit` bytes before anything parses it.

    The body is held back until it is whole: it is small, and a length that the client did not
    declare, or declared wrongly, is then known too.
    """

    def __init__(self, app: ASGIApp, limit: int = MAX_BODY) -> None:
        self.app = app
        self.limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        held: list[Message] = []
        size = _declared_length(scope)
        received = 0
        while size <= self.limit:
            message = await receive()
            held.append(message)
            received += len(message.get("body", b""))
            size = max(size, received)
            if not message.get("more_body", False):
                break
        if size > self.limit:
            detail = f"The body is larger than {self.limit:,} bytes. Send fewer or shorter earlier turns."
            await problem(413, "body_too_large", detail)(scope, receive, send)
            return

        async def replay() -> Message:
            return held.pop(0) if held else await receive()

        await self.app(scope, replay, send)


class ApiCors:
    """CORS for `/v1/*` and for exactly the origins given; nothing for anyone else."""

    def __init__(self, app: ASGIApp, allowed_origins: Collection[str]) -> None:
        self.app = app
        self.allowed_origins = allowed_origins
        self.refused: set[str] = set()
        self.cors = CORSMiddleware(
            app, allow_origins=allowed_origins, allow_methods=("GET", "POST"), allow_headers=("Content-Type",)
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        allowed = scope["type"] == "http" and scope["path"].startswith("/v1/") and self._allows(scope)
        await (self.cors if allowed else self.app)(scope, receive, send)

    def _allows(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        if origin is None:
            return False
        if "*" in self.allowed_origins or origin in self.allowed_origins:
            return True
        if not _is_own(origin, headers):
            self._tell(origin)
        return False

    def _tell(self, origin: str) -> None:
        """Name a refused origin once: its page can only tell that the service cannot be reached."""
        if origin in self.refused or len(self.refused) >= MAX_REFUSED:
            return
        self.refused.add(origin)
        logger.warning(
            "a page of %r may not use this service; to allow it, add its origin to ASKTOPIC_ALLOWED_ORIGINS",
            origin[:200],
        )


def _is_own(origin: str, headers: Headers) -> bool:
    """Whether a page of this service asks. A proxy may have changed the host; browsers say it too."""
    own_host = origin.partition("://")[2] == headers.get("host")
    return own_host or headers.get("sec-fetch-site") == "same-origin"


def _declared_length(scope: Scope) -> int:
    declared = Headers(scope=scope).get("content-length", "")
    return int(declared) if declared.isdecimal() else 0
