"""Questions asked from a page without a script, and answers' own pages."""

from __future__ import annotations

from asyncio import get_running_loop
from concurrent.futures import Executor
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated
from urllib.parse import parse_qs

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from api import pages
from api.kept import KeptAnswers
from api.routes.site import base_of, page_response
from index.errors import BadQuestion, UnknownTopic
from rag.answer import MAX_QUESTION, Answer, AskRequest, Mode

if TYPE_CHECKING:
    from rag.engine import Engine

_READ = ["GET", "HEAD"]
_FORM = "application/x-www-form-urlencoded"


class AskedByPage(BaseModel):
    """What a form on a page, or a link to a question, sends."""

    question: Annotated[str, Query(max_length=4 * MAX_QUESTION)] = ""
    topic: str = ""


def asking_routes(engine: Engine, kept: KeptAnswers, answering: Executor) -> APIRouter:
    """A plain form's question is answered with a page, and a kept answer has one of its own."""
    router = APIRouter(include_in_schema=False)

    def name_of(answer: Answer) -> str:
        # A kept answer may be about a topic that is there no more.
        with suppress(UnknownTopic):
            return engine.topic_name(answer.topic) if answer.topic else ""
        return ""

    async def answered(request: Request, asked: AskedByPage, mode: Mode) -> Response:
        question = AskRequest(question=asked.question, topic=asked.topic or None, mode=mode)
        answer = await get_running_loop().run_in_executor(answering, engine.ask, question)
        kept.keep(answer)
        return page_response(request, pages.answer(answer, topic_name=name_of(answer), base=base_of(request)))

    @router.post("/ask", response_model=None)
    async def ask(request: Request) -> Response:
        if not request.headers.get("Content-Type", "").startswith(_FORM):
            raise BadQuestion(f"this address takes a form ({_FORM}); programs ask at /v1/ask")
        form = parse_qs((await request.body()).decode("utf-8", "replace"), keep_blank_values=True)
        given = {name: values[0] for name, values in form.items() if name in AskedByPage.model_fields}
        return await answered(request, AskedByPage(**given), "auto")

    @router.api_route("/ask", methods=_READ, response_model=None)
    async def follow(request: Request, asked: Annotated[AskedByPage, Query()]) -> Response:
        # A link is opened by robots too: no model is paid for that.
        return await answered(request, asked, "extractive")

    @router.api_route("/answers/{answer_id}", methods=_READ, response_model=None)
    def given(request: Request, answer_id: str) -> Response:
        answer = kept.read(answer_id)
        page = pages.answer(
            answer, topic_name=name_of(answer), index=engine.index_name(), base=base_of(request)
        )
        return page_response(request, page)

    return router
