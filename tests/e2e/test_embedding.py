"""A page of another origin embeds the widget with one script tag."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Page, expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from api.app import create_app
from rag.engine import Engine

PAGE = """<!doctype html><html lang="en"><title>Elsewhere</title>
<script type="module" src="{service}/widget.js"></script>
<ask-topic topic="reinforcement-learning"></ask-topic></html>"""

Serve = Callable[[ASGIApp], AbstractContextManager[str]]


def embedding_page(request: Request) -> Response:
    return HTMLResponse(PAGE.format(service=request.query_params["service"]))


@pytest.fixture(scope="module")
def elsewhere(serve: Serve) -> Iterator[str]:
    with serve(Starlette(routes=[Route("/", embedding_page)])) as url:
        yield url


def test_an_allowed_origin_asks_the_service_that_the_script_came_from(
    bare_page: Page, elsewhere: str, engine: Engine, serve: Serve
) -> None:
    with serve(create_app(engine, allowed_origins=[elsewhere])) as service:
        bare_page.goto(f"{elsewhere}/?service={service}")
        bare_page.get_by_role("button", name="Ask about this topic").click()
        bare_page.get_by_label("Your question").fill("What is reinforcement learning?")
        bare_page.keyboard.press("Enter")
        expect(bare_page.get_by_role("status")).to_have_text(re.compile("^Answer ready"))
        bare_page.locator(".marker").first.click()
        bare_page.get_by_role("button", name="Read in context").click()
        expect(bare_page.locator("mark")).to_be_visible()
        bare_page.goto("about:blank")  # lets go of the connection before the server stops


def test_any_other_origin_is_refused_and_told_so(
    bare_page: Page, elsewhere: str, engine: Engine, serve: Serve
) -> None:
    with serve(create_app(engine)) as service:
        bare_page.goto(f"{elsewhere}/?service={service}")
        bare_page.get_by_role("button", name="Ask about this topic").click()
        alert = bare_page.get_by_role("alert")
        expect(alert).to_contain_text("cannot be reached")
        expect(alert).to_contain_text("not among the service's allowed origins")
        bare_page.goto("about:blank")
