"""A real server and a real Chromium. A watched page fails its test on any console error,
uncaught exception or request that leaves the server's origin."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from starlette.types import ASGIApp

from api.app import create_app
from rag.engine import Engine

Serve = Callable[[ASGIApp], AbstractContextManager[str]]

CHROMIUM_ARGS = [
    "--headless=new",
    "--no-sandbox",  # containers lack the kernel features that its sandbox needs
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    # The browser itself must make no request, or the check for foreign requests means nothing.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def server(engine: Engine, serve: Serve) -> Iterator[str]:
    with serve(create_app(engine)) as url:
        yield url


# One browser a module, not a session: while Playwright runs, its event loop occupies the thread,
# and tests elsewhere could not run theirs.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.fail("these tests drive Chromium; install it with `apt-get install chromium`")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


@pytest.fixture
def bare_page(browser: Browser) -> Iterator[Page]:
    """A page on which things may go wrong."""
    context = browser.new_context(viewport=ViewportSize(width=1000, height=700))
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def page(bare_page: Page) -> Iterator[Page]:
    """A watched page."""
    faults: list[str] = []
    requested: list[str] = []
    bare_page.on("console", lambda m: faults.append(m.text) if m.type in ("error", "warning") else None)
    bare_page.on("pageerror", lambda error: faults.append(str(error)))
    bare_page.on("request", lambda request: requested.append(request.url))
    yield bare_page
    own = bare_page.url.split("/", 3)[:3]
    assert faults == []
    assert [url for url in requested if url.split("/", 3)[:3] != own] == []
