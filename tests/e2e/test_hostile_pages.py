"""Text of documents stays text, and the page around the widget cannot disturb it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Page, expect
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp

from api.app import create_app
from index.encoder import Encoder
from index.ingest.build import build
from index.records import Paper, Topic
from index.settings import IndexSettings
from rag.engine import Engine

FINDING = "Curiosity bonuses solve sparse rewards in mazes."
MARKUP = (
    '<img src="https://evil.example/a.png" onerror="document.title=\'owned\'"> '
    "![pixel](https://evil.example/b.png) [more](javascript:alert(1)) <script>alert(1)</script>"
)
PAPER = Paper(
    id="hostile",
    title='Curiosity <img src="https://evil.example/t.png"> bonuses 𝛾 for sparse rewards',
    abstract=f"Astral 😀 characters 𝛾 stand before {MARKUP} in this text. {FINDING} So does {MARKUP} here.",
    authors=("<b>Ada</b> Hacker",),
    url="javascript:alert(1)",
    tags=("Exploration",),
)
TOPIC = Topic(slug="exploration", name="Exploration", description="How agents find <b>rewards</b>.")

HOST_PAGE = """<!doctype html><html lang="en" dir="{direction}"><title>Host</title>
<link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/host.css">
<script type="module" src="/widget.js"></script>
<div class="trap"><ask-topic topic="exploration"></ask-topic></div></html>"""
HOST_CSS = """
html { font-size: 3px }
* { color: lime !important; font-size: 40px !important; text-transform: uppercase !important;
    letter-spacing: 1em !important; line-height: 5 !important; visibility: visible }
button, textarea, section, div { background: red !important; position: static !important }
.trap { transform: rotate(0deg); overflow: hidden; width: 200px; height: 100px; z-index: 0 }
"""
HOST_POLICY = "default-src 'self'"


@pytest.fixture(scope="module")
def hostile_engine(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("hostile")
    records = folder / "records.jsonl"
    records.write_text(f"{TOPIC.model_dump_json()}\n{PAPER.model_dump_json()}\n", encoding="utf-8")
    settings = IndexSettings(data_dir=folder / "data")
    build([records], settings, encoder=encoder)
    with Engine(settings, encoder=encoder) as engine:
        yield engine


@pytest.fixture(scope="module")
def hostile(hostile_engine: Engine, serve: Callable[[ASGIApp], AbstractContextManager[str]]) -> Iterator[str]:
    """The service over a hostile document, and beside it a hostile page that embeds the widget."""
    app = create_app(hostile_engine)

    def host(direction: str = "ltr") -> Response:
        page = HOST_PAGE.format(direction=direction)
        return HTMLResponse(page, headers={"Content-Security-Policy": HOST_POLICY})

    def css() -> Response:
        return Response(HOST_CSS, media_type="text/css")

    app.add_api_route("/host", host)
    app.add_api_route("/host.css", css)
    with serve(app) as url:
        yield url


def ask_about_curiosity(page: Page) -> None:
    page.get_by_role("button", name="Ask about this topic").click()
    page.get_by_label("Your question").fill("How do curiosity bonuses solve sparse rewards?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text(re.compile("^Answer ready"))


def test_markup_in_a_document_is_shown_as_text_and_loads_nothing(page: Page, hostile: str) -> None:
    page.goto(f"{hostile}/topics/exploration")
    ask_about_curiosity(page)
    expect(page.locator(".answer")).to_contain_text(FINDING)
    expect(page.locator(".sources")).to_contain_text(PAPER.title)
    expect(page.locator(".sources")).to_contain_text(PAPER.authors[0])
    # A link that may not be followed gives way to the stored text.
    expect(page.locator(".sources a")).to_have_attribute("href", f"{hostile}/sources/hostile")
    page.locator(".marker").first.click()
    page.get_by_role("button", name="Read in context").click()
    mark = page.locator("mark")
    expect(mark).to_be_visible()
    assert str(mark.text_content()) in PAPER.abstract
    assert page.locator(".text").text_content() == PAPER.abstract
    expect(page.locator("img, ask-topic script")).to_have_count(0)
    assert "owned" not in page.title()


def test_a_quote_after_astral_characters_is_marked_exactly(page: Page, hostile: str) -> None:
    page.goto(f"{hostile}/topics/exploration")
    ask_about_curiosity(page)
    marked = set()
    for marker in page.locator(".marker").all():
        marker.click()
        page.get_by_role("button", name="Read in context").click()
        marked.add(page.locator("mark").text_content())
        page.keyboard.press("Escape")
    assert FINDING in marked


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_a_hostile_host_page_neither_breaks_nor_restyles_the_widget(
    page: Page, hostile: str, direction: str
) -> None:
    page.goto(f"{hostile}/host?direction={direction}")
    ask_about_curiosity(page)
    answer = page.locator(".answer")
    for name, expected in {
        "color": "rgb(27, 35, 48)",
        "font-size": "16px",
        "text-transform": "none",
        "letter-spacing": "normal",
        "direction": "ltr",  # the answer is English, whatever surrounds it
    }.items():
        expect(answer).to_have_css(name, expected)
    panel = page.get_by_role("dialog")
    expect(panel).to_have_css("position", "fixed")
    expect(panel).to_have_css("background-color", "rgb(255, 255, 255)")
    panel.evaluate("panel => Promise.all(panel.getAnimations().map((each) => each.finished))")  # slid in
    box, viewport = panel.bounding_box(), page.viewport_size
    assert box
    assert viewport
    assert box["height"] == viewport["height"]
    assert box["x"] == (0 if direction == "rtl" else viewport["width"] - box["width"])


def test_the_widgets_styles_do_not_leak_into_the_page(page: Page, hostile: str) -> None:
    page.goto(f"{hostile}/topics/exploration")
    before = page.locator("h1").evaluate("node => getComputedStyle(node).cssText + node.offsetTop")
    page.get_by_role("button", name="Ask about this topic").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.locator("h1").evaluate("node => getComputedStyle(node).cssText + node.offsetTop") == before


def test_a_page_can_theme_the_widget(page: Page, hostile: str) -> None:
    page.goto(f"{hostile}/topics/exploration")
    page.locator("ask-topic").evaluate("node => node.style.setProperty('--ask-topic-accent', 'rgb(1, 2, 3)')")
    launch = page.get_by_role("button", name="Ask about this topic")
    expect(launch).to_have_css("background-color", "rgb(1, 2, 3)")
