"""A server of OpenAI's protocol on the loopback interface that says what a test has it say."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from eval.trials.lying.delivery import event, pieces
from eval.trials.lying.script import Asked, asked_of
from index.encoder import Encoder
from index.settings import IndexSettings
from rag.engine import Engine
from rag.settings import LlmSettings
from rag.verify import Entailment

PATIENCE = 10.0


@dataclass
class Scripted:
    """Writes what `write` makes of a request: a text, or texts with a wait for `go_on` between them.

    `refusals` are responses given first, one a request. `left` is set when a client goes before the end.
    """

    write: Callable[[Asked], str | Sequence[str]] = lambda asked: "\n".join(each.cited for each in asked.few)
    refusals: list[Response] = field(default_factory=list)
    refuses: Callable[[dict[str, Any]], Response | None] = lambda body: None
    usage: dict[str, int] | None = None
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    go_on: threading.Event = field(default_factory=threading.Event)
    left: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/v1/chat/completions", self._complete, methods=["POST"]),
                Route("/v1/models", lambda _: JSONResponse({"object": "list", "data": [{"id": "small"}]})),
            ]
        )

    async def _complete(self, request: Request) -> Response:
        body = await request.json()
        self.bodies.append(body)
        self.headers.append(dict(request.headers))
        if self.refusals:
            return self.refusals.pop(0)
        if (refusal := self.refuses(body)) is not None:
            return refusal
        told = self.write(asked_of(body["messages"]))
        return StreamingResponse(self._events(told, request), media_type="text/event-stream")

    async def _events(self, told: str | Sequence[str], request: Request) -> AsyncIterator[bytes]:
        whole = False
        try:
            for number, part in enumerate([told] if isinstance(told, str) else told):
                while number and not self.go_on.is_set():
                    if await request.is_disconnected():
                        return
                    await asyncio.sleep(0.01)
                for piece in pieces(part):
                    yield event({"choices": [{"index": 0, "delta": {"content": piece}}]})
            if self.usage:
                yield event({"choices": [], "usage": self.usage})
            yield b"data: [DONE]\n\n"
            whole = True
        finally:
            if not whole:
                self.left.set()


@pytest.fixture
def server(serve: Callable[[ASGIApp], AbstractContextManager[str]]) -> Iterator[Scripted]:
    scripted = Scripted()
    with serve(scripted.app()) as url:
        scripted.url = f"{url}/v1"
        yield scripted
        scripted.go_on.set()


Written = Callable[..., Engine]


@pytest.fixture
def written(starter_settings: IndexSettings, encoder: Encoder, server: Scripted) -> Iterator[Written]:
    """Open an engine over the starter set that writes with the server's model."""
    engines = []

    def opened(
        *, data_dir: Path | None = None, entailment: Entailment | None = None, **settings: Any
    ) -> Engine:
        llm = LlmSettings(
            **{"base_url": server.url, "model": "small", "api_key": "sk-very-secret", **settings}
        )
        index = starter_settings.model_copy(update={"data_dir": data_dir}) if data_dir else starter_settings
        engine = Engine(index, encoder=encoder, llm=llm, entailment=entailment)
        engines.append(engine)
        return engine

    yield opened
    for engine in engines:
        engine.close()


@pytest.fixture
def own_data_dir(starter_settings: IndexSettings, tmp_path: Path) -> Path:
    """A copy of the starter set's data folder, where nobody else counts what is spent."""
    shutil.copytree(starter_settings.data_dir, tmp_path / "data")
    return tmp_path / "data"
