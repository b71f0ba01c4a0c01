"""`GET /v1/topics`, a topic, its papers, and `GET /v1/sources/{id}`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from rag.answer import PaperPage, SourceInfo, TopicInfo

if TYPE_CHECKING:
    from rag.engine import Engine

MAX_OFFSET = 1_000_000
"""Beyond any topic's papers, and far inside what the catalog's integers hold."""

Slug = Annotated[str, Path(description="slug, name or alias of a topic", examples=["reinforcement-learning"])]
Offset = Annotated[int, Query(ge=0, le=MAX_OFFSET)]
SourceId = Annotated[str, Path(description="id of a paper or explainer, or `topic:` and a slug")]


class TopicList(BaseModel):
    topics: list[TopicInfo]


def catalog_routes(engine: Engine) -> APIRouter:
    """What the index holds: topics, their papers, and every source with its stored text."""
    router = APIRouter(prefix="/v1", tags=["catalog"])

    @router.get("/topics", summary="All topics")
    def topics() -> TopicList:
        return TopicList(topics=engine.topics())

    @router.get("/topics/{slug}", summary="One topic")
    def topic(slug: Slug) -> TopicInfo:
        return engine.topic(slug)

    @router.get("/topics/{slug}/papers", summary="A topic's papers, newest first")
    def papers(slug: Slug, offset: Offset = 0, limit: Annotated[int, Query(ge=1, le=200)] = 50) -> PaperPage:
        return engine.papers(slug, offset, limit)

    @router.get("/sources/{source_id:path}", summary="A source with the text that quotes refer to")
    def source(source_id: SourceId) -> SourceInfo:
        return engine.source(source_id)

    return router
