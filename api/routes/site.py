"""What a reader's browser loads: the pages, the feeds, the widget and the static files."""

from __future__ import annotations

import hashlib
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Annotated, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.staticfiles import StaticFiles

from api import feeds, pages, sitemap
from api.markup import Markup
from api.pages.addresses import feed_path, source_path, topic_path
from api.routes.catalog import Offset
from index.errors import UnknownSource
from rag.answer import MAX_QUESTION, AskRequest, PaperChoice

if TYPE_CHECKING:
    from rag.engine import Engine

PAPERS_PER_PAGE = 20
"""Some three screens of titles with their summaries."""
HEADLINES = 60
"""Papers looked at for those that an explainer's page names by their headline."""
FEED_ENTRIES = 50
"""Papers in a feed: more than appear on a day, so that a reader who looks daily misses none."""

_READ = ["GET", "HEAD"]

STATIC_FOLDER = FilePath(__file__).parent.parent / "static"

FeedKind = Literal["atom", "json"]
_FEED_TYPES: dict[FeedKind, str] = {"atom": "application/atom+xml", "json": "application/feed+json"}


class PageOfPapers(PaperChoice):
    """What the address of a topic's page may say."""

    offset: Offset = 0

    @property
    def choice(self) -> PaperChoice:
        return PaperChoice(**self.model_dump(exclude={"offset"}))


class Followed(PaperChoice):
    """What the address of a feed may say: which papers, or which question."""

    question: Annotated[str, Query(max_length=MAX_QUESTION)] = ""

    @property
    def choice(self) -> PaperChoice:
        return PaperChoice(**self.model_dump(exclude={"question"}))


def site_routes(engine: Engine, static: StaticFiles) -> APIRouter:
    """Pages are made from the same engine calls that the JSON routes answer with."""
    router = APIRouter(include_in_schema=False)

    @router.api_route("/", methods=_READ, response_model=None)
    def front(request: Request) -> Response:
        topics = engine.topics()
        if len(topics) == 1:
            return RedirectResponse(pages.topic_path(topics[0].slug))
        return page_response(request, pages.topic_list(topics, base_of(request)))

    @router.api_route("/topics", methods=_READ, response_model=None)
    def topic_index(request: Request) -> Response:
        return page_response(request, pages.topic_list(engine.topics(), base_of(request)))

    @router.api_route("/topics/{slug}", methods=_READ, response_model=None)
    def topic(request: Request, slug: str, asked: Annotated[PageOfPapers, Query()]) -> Response:
        offset, choice = asked.offset, asked.choice
        info = engine.topic(slug)
        if info.slug != slug:
            return RedirectResponse(pages.topic_path(info.slug), status_code=308)
        papers = engine.papers(slug, offset, PAPERS_PER_PAGE, choice)
        if offset and not papers.papers:
            last_page = max(0, papers.total - 1) // PAPERS_PER_PAGE * PAPERS_PER_PAGE
            return RedirectResponse(pages.topic_path(slug, last_page, choice))
        explainers = engine.explainers(slug)
        page = pages.topic(
            info,
            papers,
            explainers,
            papers_per_page=PAPERS_PER_PAGE,
            choice=choice,
            base=base_of(request),
        )
        return page_response(request, page)

    @router.api_route("/topics/{slug}/explainer", methods=_READ, response_model=None)
    def explainer(request: Request, slug: str) -> Response:
        info = engine.topic(slug)
        recent = engine.papers(info.slug, 0, HEADLINES).papers
        headed = [paper for paper in recent if paper.headline]
        explainers = engine.explainers(slug)
        if not (explainers or info.description):
            raise UnknownSource(f"nothing in this index explains {info.name} yet")
        return page_response(request, pages.explainer(info, explainers, headed, base_of(request)))

    @router.api_route("/topics/{slug}/feed.{kind}", methods=_READ, response_model=None)
    def feed(request: Request, slug: str, kind: FeedKind, followed: Annotated[Followed, Query()]) -> Response:
        info, base = engine.topic(slug), base_of(request)
        question, choice = followed.question, followed.choice
        if question:
            # Asked again at every look, so that no model is paid for it.
            answer = engine.ask(AskRequest(question=question, topic=info.slug, mode="extractive"))
            asked = urlencode({"topic": info.slug, "question": question})
            page = f"{base}/ask?{asked}"
            found = feeds.Feed(
                title=f"{question} · {info.name}",
                url=f"{base}{feed_path(info.slug, kind)}?{urlencode({'question': question})}",
                page=page,
                entries=[feeds.answer_entry(answer, page)],
            )
        else:
            papers = engine.papers(info.slug, 0, FEED_ENTRIES, choice).papers
            found = feeds.Feed(
                title=" · ".join(filter(None, (info.name, choice.tag, choice.author))),
                url=base + feed_path(info.slug, kind, choice),
                page=base + topic_path(info.slug, choice=choice),
                entries=feeds.paper_entries(papers, base),
            )
        body = found.atom() if kind == "atom" else found.json()
        return revalidated(request, body, _FEED_TYPES[kind])

    @router.api_route("/papers/{source_id:path}", methods=_READ, response_model=None)
    @router.api_route("/sources/{source_id:path}", methods=_READ, response_model=None)
    def source(
        request: Request,
        source_id: str,
        field: str = "",
        start: Annotated[int, Query(ge=0)] = 0,
        end: Annotated[int, Query(ge=0)] = 0,
    ) -> Response:
        info = engine.source(source_id)
        own = source_path(info.id, info.kind)
        if not request.url.path.startswith(own.split("/", 2)[1], 1):
            query = f"?{request.url.query}" if request.url.query else ""
            return RedirectResponse(own + query, status_code=308)
        cited = (field, start, end) if field else None
        return page_response(request, pages.source(info, engine.related(info.id), base_of(request), cited))

    @router.api_route("/sitemap.xml", methods=_READ, response_model=None)
    def site_map(request: Request) -> Response:
        return revalidated(request, sitemap.index(engine, base_of(request)), "application/xml")

    @router.api_route("/sitemap/{number}.xml", methods=_READ, response_model=None)
    def site_map_part(request: Request, number: Annotated[int, Path(ge=0)]) -> Response:
        return revalidated(request, sitemap.part(engine, base_of(request), number), "application/xml")

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


def base_of(request: Request) -> str:
    """The address of this service as the reader sees it."""
    return str(request.base_url).rstrip("/")


def page_response(request: Request, page: Markup) -> Response:
    """A page, sent again only where it has changed."""
    return revalidated(request, page.encode(), HTMLResponse.media_type)


def revalidated(request: Request, body: bytes, media_type: str | None) -> Response:
    """A response that is sent again only where it has changed (RFC 9110, ETag)."""
    tag = f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    known = {each.strip().removeprefix("W/") for each in request.headers.get("If-None-Match", "").split(",")}
    if tag in known:
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)
