"""The service: an engine behind HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.staticfiles import StaticFiles

from api.kept import KeptAnswers
from api.problems import Problem, UnhandledErrors, install_problem_handlers
from api.routes.answers import answer_routes
from api.routes.asking import asking_routes
from api.routes.catalog import catalog_routes
from api.routes.health import health_routes
from api.routes.site import STATIC_FOLDER, site_routes
from api.routes.taking import taking_routes
from api.security import ApiCors, BodyLimit, SecurityHeaders
from index.paths import DataPaths

if TYPE_CHECKING:
    from rag.engine import Engine

_DESCRIPTION = (
    "Ask a research topic; read an answer whose every sentence is cited to a paper or explainer. "
    "Offsets are half-open and count Unicode code points. Every error is an "
    "`application/problem+json` with a stable `code`."
)

ANSWERED_AT_ONCE = 3
"""Questions answered at once; more wait in a queue, first come, first served. Only the encoder and the
lexical index run beside other threads: 16 at once hold each other up, and the slowest take half as long
again, in more memory."""
KEPT = 10_000
"""Answers kept, some 50 MB."""


def create_app(
    engine: Engine,
    *,
    allowed_origins: Sequence[str] = (),
    at_once: int = ANSWERED_AT_ONCE,
    keep: int = KEPT,
) -> FastAPI:
    """Build the service around `engine`, which it closes when it shuts down.

    `allowed_origins` are the foreign origins, such as `https://example.org`, whose pages may call
    `/v1/*` from a browser; none by default. Pages served by this service need no entry.
    `at_once` questions are answered side by side, and the last `keep` answers kept for their links.
    """

    answering = ThreadPoolExecutor(at_once, "answer")
    paths = DataPaths(engine.data_dir)
    kept = KeptAnswers(paths.answers, keep)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(answering.shutdown)
        await run_in_threadpool(kept.close)
        await run_in_threadpool(engine.close)

    static = StaticFiles(directory=STATIC_FOLDER)
    app = _Service(
        title="asktopic",
        description=_DESCRIPTION,
        version=engine.version,
        lifespan=lifespan,
        # The documentation pages load scripts from a foreign origin.
        docs_url=None,
        redoc_url=None,
        responses={"default": {"model": Problem, "description": "What was wrong and what to do"}},
        middleware=[  # outermost first
            Middleware(ApiCors, allowed_origins=tuple(allowed_origins)),
            Middleware(SecurityHeaders),
            Middleware(UnhandledErrors),
            Middleware(BodyLimit),
        ],
    )
    install_problem_handlers(app)
    for router in (
        answer_routes(engine, answering, kept),
        taking_routes(engine, kept, paths.feedback),
        catalog_routes(engine),
        health_routes(engine),
        asking_routes(engine, kept, answering),
        site_routes(engine, static),
    ):
        app.include_router(router)
    app.mount("/static", static, name="static")
    return app


class _Service(FastAPI):
    def openapi(self) -> dict[str, Any]:
        """The schema, with the media type that problems really have."""
        if not self.openapi_schema:
            schema = super().openapi()
            for path in schema["paths"].values():
                for operation in path.values():
                    content = operation["responses"]["default"]["content"]
                    content["application/problem+json"] = content.pop("application/json")
        return super().openapi()
