"""What is evaluated: the engine in this process, or any running server, asked in the same words."""

from __future__ import annotations

from typing import Protocol, TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel, ValidationError

from eval.runs.code import code_identity
from eval.runs.manifest import Code
from index.errors import AsktopicError, UnknownSource
from index.sources.validation import excerpt
from rag.answer import Answer, AskRequest, Readiness, SearchRequest, SearchResponse, SourceInfo
from rag.engine import Engine

TIMEOUT_S = 120.0
"""How long a server may take for one question: far longer than any reader waits, but not for ever."""

Body = TypeVar("Body", bound=BaseModel)


class SystemFailed(AsktopicError):
    """A system could not be asked, or did not answer as the contract says."""


class System(Protocol):
    """Whatever answers questions and searches. Methods may be called from several threads at once."""

    @property
    def name(self) -> str:
        """How it is asked: `in process`, or the server's address."""

    @property
    def code(self) -> Code:
        """What code answers; empty where that cannot be known."""

    def ask(self, request: AskRequest) -> Answer: ...

    def search(self, request: SearchRequest) -> SearchResponse: ...

    def source(self, source_id: str) -> SourceInfo: ...

    def readiness(self) -> Readiness: ...

    def warm_up(self) -> None:
        """Load what is loaded lazily, so that no question's latency holds it."""


class InProcess:
    """The engine of this process."""

    name = "in process"

    def __init__(self, engine: Engine) -> None:
        self.code = code_identity()
        self.ask = engine.ask
        self.search = engine.search
        self.source = engine.source
        self.readiness = engine.readiness
        self.warm_up = engine.warm_up


class Server:
    """A running server, over its HTTP endpoints.

        with Server("http://127.0.0.1:8000") as server:
            print(server.ask(AskRequest(question="What is RL?")).answer)

    Every call raises `SystemFailed` where the server cannot be reached, reports a problem, or answers
    what is not in the contract. Redirects are not followed.
    """

    def __init__(self, url: str, *, timeout_s: float = TIMEOUT_S) -> None:
        self.name = url.rstrip("/")
        self.code = Code(version="", fingerprint="")
        if not self.name.startswith(("http://", "https://")):
            raise SystemFailed(f"{url!r} is no address of a server; expected one like http://127.0.0.1:8000")
        # Proxies of the environment would be one more party that sees the questions.
        try:
            self._client = httpx.Client(base_url=self.name, timeout=timeout_s, trust_env=False)
        except (httpx.InvalidURL, ValueError) as error:
            raise SystemFailed(f"{url!r} is no address of a server: {error}") from error

    def ask(self, request: AskRequest) -> Answer:
        return self._call("POST", "/v1/ask", Answer, request)

    def search(self, request: SearchRequest) -> SearchResponse:
        return self._call("POST", "/v1/search", SearchResponse, request)

    def source(self, source_id: str) -> SourceInfo:
        return self._call("GET", f"/v1/sources/{quote(source_id, safe='')}", SourceInfo)

    def readiness(self) -> Readiness:
        return self._call("GET", "/readyz", Readiness)

    def warm_up(self) -> None:
        """Ask nothing: a server warms up by itself when it starts."""

    def close(self) -> None:
        self._client.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, method: str, path: str, kind: type[Body], body: BaseModel | None = None) -> Body:
        content = body.model_dump_json(by_alias=True) if body else None
        headers = {"content-type": "application/json"} if body else {}
        try:
            response = self._client.request(method, path, content=content, headers=headers)
        except httpx.HTTPError as error:
            raise SystemFailed(
                f"{self.name}{path} cannot be reached: {error or type(error).__name__}"
            ) from error
        if response.status_code == httpx.codes.NOT_FOUND and kind is SourceInfo:
            raise UnknownSource(f"{self.name} has no such source")
        if response.status_code != httpx.codes.OK:
            raise SystemFailed(f"{self.name}{path}: status {response.status_code}, {_problem(response)}")
        try:
            return kind.model_validate_json(response.content)
        except ValidationError as error:
            raise SystemFailed(
                f"{self.name}{path} does not answer as asktopic does: {error.error_count()} faults, "
                f"first {error.errors()[0]['loc']}: {error.errors()[0]['msg']}"
            ) from error


def _problem(response: httpx.Response) -> str:
    """Return what a problem document says, else the beginning of the body."""
    try:
        found = response.json()
        return excerpt(f"{found['code']}: {found['detail']}", 200)
    except (ValueError, KeyError, TypeError):
        return excerpt(response.text, 200)
