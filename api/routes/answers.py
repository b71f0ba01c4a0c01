"""`POST /v1/ask` and `POST /v1/search`."""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from concurrent.futures import Executor
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from fastapi import APIRouter, Body, Header, Response
from fastapi.openapi.models import Example
from pydantic import AfterValidator
from pydantic_core import PydanticSerializationError
from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest

from api.disconnects import unless_gone
from api.events import event_response
from api.kept import KeptAnswers
from rag.answer import Answer, AskRequest, SearchRequest, SearchResponse
from rag.stream import AnswerPart, whole_of

if TYPE_CHECKING:
    from rag.engine import Engine

CLIENT_CLOSED = 499
"""What is logged of a request whose client left, as nginx has it; nobody reads it."""

Request = TypeVar("Request", AskRequest, SearchRequest)

_ASK_EXAMPLES: Mapping[str, Example] = {
    "question": {
        "summary": "A question inside a topic",
        "value": {
            "question": "How does offline reinforcement learning avoid unseen actions?",
            "topic": "reinforcement-learning",
        },
    },
    "follow-up": {
        "summary": "A follow-up, restricted by date, as a stream",
        "value": {
            "question": "And since 2025?",
            "topic": "RL",
            "history": [{"question": "What is reward hacking?"}],
            "filters": {"from": "2025-01-01", "kinds": ["paper"]},
            "stream": True,
        },
    },
}
_SEARCH_EXAMPLES: Mapping[str, Example] = {
    "search": {
        "summary": "The five best sources in a topic",
        "value": {"query": "sparse rewards", "topic": "reinforcement-learning", "limit": 5},
    },
}
_STREAM_EXAMPLE = (
    'id: 1\nevent: sources\ndata: {"sources": []}\n\n'
    'id: 2\nevent: delta\ndata: {"text": "A sentence. [1]"}\n\n'
    'id: 3\nevent: citation\ndata: {"n": 1, "source_id": "…", "quote": "A sentence."}\n\n'
    'id: 4\nevent: done\ndata: {"id": "…", "answered": true}\n\n'
)
_ASK_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The answer, or with `stream: true` or `Accept: text/event-stream` its events",
        "content": {"text/event-stream": {"schema": {"type": "string"}, "example": _STREAM_EXAMPLE}},
    }
}


def _of_named_topic(request: Request) -> Request:
    """Refuse an empty topic: a page that lost its topic's name should not ask over everything."""
    if request.topic is not None and not request.topic.strip():
        raise ValueError("topic is empty; leave it out to ask over all topics")
    return request


def _of_unicode_text(request: Request) -> Request:
    """Refuse what JSON can spell and UTF-8 cannot carry, for it would be echoed in the response."""
    try:
        request.model_dump_json()
    except PydanticSerializationError:
        raise ValueError("Text must be Unicode; it holds half of a surrogate pair") from None
    return request


def answer_routes(engine: Engine, answering: Executor, kept: KeptAnswers) -> APIRouter:
    """Ask for a cited answer; search for the evidence alone. Both happen in `answering`.

    So their queue holds nobody else up: health, pages and the catalog have threads of their own.
    """
    router = APIRouter(prefix="/v1", tags=["answers"])

    @router.post("/ask", summary="Ask a question", response_model=Answer, responses=_ASK_RESPONSES)
    async def ask(
        request: Annotated[
            AskRequest,
            AfterValidator(_of_unicode_text),
            AfterValidator(_of_named_topic),
            Body(openapi_examples=dict(_ASK_EXAMPLES)),
        ],
        connection: HttpRequest,
        accept: Annotated[str, Header(include_in_schema=False)] = "",
    ) -> Response:
        if request.stream or "text/event-stream" in accept.lower():
            parts = engine.stream(request, answering)
            # Waited for before the response starts: a question that cannot be taken is a 4xx, never a
            # broken stream.
            return event_response(_kept(await anext(parts), parts, kept))
        if engine.writes(request):
            try:
                answer = await unless_gone(connection, whole_of(engine.stream(request, answering)))
            except ClientDisconnect:
                return Response(status_code=CLIENT_CLOSED)
        else:
            answer = await get_running_loop().run_in_executor(answering, engine.ask, request)
        kept.keep(answer)
        return _json(answer)

    @router.post("/search", summary="Search for sources and passages", response_model=SearchResponse)
    async def search(
        request: Annotated[
            SearchRequest,
            AfterValidator(_of_unicode_text),
            AfterValidator(_of_named_topic),
            Body(openapi_examples=dict(_SEARCH_EXAMPLES)),
        ],
    ) -> Response:
        return _json(await get_running_loop().run_in_executor(answering, engine.search, request))

    return router


async def _kept(
    first: AnswerPart, rest: AsyncGenerator[AnswerPart], kept: KeptAnswers
) -> AsyncIterator[AnswerPart]:
    """Pass parts on; the answer is kept before the reader learns its id. A reader that leaves ends them."""
    async with aclosing(rest):
        yield first
        async for part in rest:
            if isinstance(part, Answer):
                kept.keep(part)
            yield part


def _json(body: Answer | SearchResponse) -> Response:
    """The response for a model that holds what it says: FastAPI would validate it once more."""
    return Response(body.model_dump_json(by_alias=True), media_type="application/json")
