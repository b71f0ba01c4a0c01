"""Answers and sources to take away, and what readers thought of an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request, Response

from api.export.bibtex import bibtex
from api.export.markdown import answer_markdown, source_markdown
from api.export.reference import Reference
from api.export.ris import ris
from api.feedback import Feedback, write_feedback
from api.kept import KeptAnswers
from api.routes.site import base_of, revalidated
from rag.answer import Answer

if TYPE_CHECKING:
    from rag.engine import Engine

_MARKDOWN = "text/markdown; charset=utf-8"
Write = Callable[[Sequence[Reference]], str]
_REFERENCES: Sequence[tuple[str, str, Write, str]] = (
    ("bib", "BibTeX", bibtex, "application/x-bibtex"),
    ("ris", "RIS", ris, "application/x-research-info-systems"),
)


def _as_text(*media_types: str) -> dict[int | str, dict[str, Any]]:
    content = {media_type: {"schema": {"type": "string"}} for media_type in media_types}
    return {200: {"content": content}}


def taking_routes(engine: Engine, kept: KeptAnswers, feedback_file: Path) -> APIRouter:
    """Each as JSON, Markdown, BibTeX and RIS. Addresses with an ending stand before those without one."""
    router = APIRouter(prefix="/v1")

    def add(ending: str, name: str, write: Write, media_type: str) -> None:
        def of_answer(request: Request, answer_id: str) -> Response:
            sources = kept.read(answer_id).sources
            return referring(request, [Reference.of(source) for source in sources])

        def of_source(request: Request, source_id: str) -> Response:
            return referring(request, [Reference.of(engine.source(source_id))])

        def referring(request: Request, references: Sequence[Reference]) -> Response:
            return revalidated(request, write(references).encode(), f"{media_type}; charset=utf-8")

        documented: dict[str, Any] = {"response_class": Response, "responses": _as_text(media_type)}
        router.add_api_route(
            f"/answers/{{answer_id}}.{ending}",
            of_answer,
            tags=["answers"],
            summary=f"What a kept answer cites, as {name}",
            operation_id=f"answer_{ending}",
            **documented,
        )
        router.add_api_route(
            f"/sources/{{source_id:path}}.{ending}",
            of_source,
            tags=["catalog"],
            summary=f"A source as {name}",
            operation_id=f"source_{ending}",
            **documented,
        )

    for each in _REFERENCES:
        add(*each)

    @router.get(
        "/answers/{answer_id}.md",
        tags=["answers"],
        summary="A kept answer as Markdown with references",
        response_class=Response,
        responses=_as_text("text/markdown"),
    )
    def answer_as_markdown(request: Request, answer_id: str) -> Response:
        text = answer_markdown(kept.read(answer_id), f"{base_of(request)}/answers/{answer_id}")
        return revalidated(request, text.encode(), _MARKDOWN)

    @router.get(
        "/answers/{answer_id}",
        tags=["answers"],
        summary="A kept answer, as it was given",
        response_model=Answer,
    )
    def answer(request: Request, answer_id: str) -> Response:
        body = kept.read(answer_id).model_dump_json(by_alias=True).encode()
        return revalidated(request, body, "application/json")

    @router.get(
        "/sources/{source_id:path}.md",
        tags=["catalog"],
        summary="A source as Markdown",
        response_class=Response,
        responses=_as_text("text/markdown"),
    )
    def source_as_markdown(request: Request, source_id: str) -> Response:
        return revalidated(request, source_markdown(engine.source(source_id)).encode(), _MARKDOWN)

    @router.post("/feedback", tags=["answers"], summary="Say what an answer was worth", status_code=204)
    def feedback(given: Feedback) -> None:
        write_feedback(feedback_file, given, kept.read(given.answer_id))

    return router
