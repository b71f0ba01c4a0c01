"""What a reader's browser loads: the pages, the widget and the static files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.staticfiles import StaticFiles

from api import pages
from api.routes.catalog import Offset

if TYPE_CHECKING:
    from rag.engine import Engine

PAPERS_PER_PAGE = 20
"""Some three screens of titles with their summaries."""

_READ = ["GET", "HEAD"]

STATIC_FOLDER = Path(__file__).parent.parent / "static"


def site_routes(engine: Engine, static: StaticFiles) -> APIRouter:
    """Pages are made from the same engine calls that the JSON routes answer with."""
    router = APIRouter(include_in_schema=False)

    @router.api_route("/", methods=_READ, response_model=None)
    def front() -> Response:
        topics = engine.topics()
        if len(topics) == 1:
            return RedirectResponse(pages.topic_path(topics[0].slug))
        return HTMLResponse(pages.topic_list(topics))

    @router.api_route("/topics/{slug}", methods=_READ, response_model=None)
    def topic(slug: str, offset: Offset = 0) -> Response:
        info = engine.topic(slug)
        if info.slug != slug:
            return RedirectResponse(pages.topic_path(info.slug), status_code=308)
        papers = engine.papers(slug, offset, PAPERS_PER_PAGE)
        if offset and not papers.papers:
            last_page = max(0, papers.total - 1) // PAPERS_PER_PAGE * PAPERS_PER_PAGE
            return RedirectResponse(pages.topic_path(slug, last_page))
        explainers = engine.explainers(slug)
        return HTMLResponse(pages.topic(info, papers, explainers, papers_per_page=PAPERS_PER_PAGE))

    @router.api_route("/sources/{source_id:path}", methods=_READ, response_model=None)
    def source(source_id: str) -> Response:
        return HTMLResponse(pages.source(engine.source(source_id)))

    # The second holds the typesetter of formulas, which the first loads from beside itself.
    @router.api_route("/widget.js", methods=_READ, response_model=None)
    @router.api_route("/widget-math.js", methods=_READ, response_model=None)
    async def widget(request: Request) -> Response:
        response = await static.get_response(request.url.path.removeprefix("/"), request.scope)
        # A module script is fetched with CORS from wherever a page embeds it; the files are no secret.
        response.headers["Access-Control-Allow-Origin"] = "*"
        response.headers["Cache-Control"] = "no-cache"
        return response

    return router
