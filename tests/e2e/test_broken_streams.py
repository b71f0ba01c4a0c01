"""The widget beside a service that stalls, breaks off, refuses, lies or is gone."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Locator, Page, expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from api.problems import problem
from api.routes.site import STATIC_FOLDER

PAGE = """<!doctype html><html lang="en"><title>Host</title>
<script type="module" src="/widget.js"></script><ask-topic topic="t"></ask-topic></html>"""


MARKUP = (
    '<img src="https://evil.example/a.png" onerror="document.title=\'owned\'"><script>alert(1)</script>'
    "![pixel](https://evil.example/b.png)[more](javascript:alert(1))"
)
LIE = {
    "question": "lie",
    "understood": {"text": MARKUP},
    "answered": True,
    "answer": f"{MARKUP} [1]",
    "citations": [],
    "sources": [
        {"n": 1, "id": "../../x", "title": MARKUP, "authors": [MARKUP], "url": "javascript:alert(1)"}
    ],
    "reason": {"code": "no_evidence", "message": MARKUP},
    "related": [{"id": "x", "title": MARKUP, "url": "data:text/html,<script>alert(1)</script>"}],
    "followups": [MARKUP],
    "notices": [MARKUP],
}


def event(name: str, data: object) -> bytes:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


class UnreliableService:
    """A peer that does as the question says: stall, break, fail, refuse, garble or lie."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.left = threading.Event()
        self.app = Starlette(
            routes=[
                Route("/", lambda _: HTMLResponse(PAGE)),
                Route("/widget.js", lambda _: FileResponse(STATIC_FOLDER / "widget.js")),
                Route("/v1/topics/t", lambda _: JSONResponse({"name": "Testing"})),
                Route("/v1/ask", self.ask, methods=["POST"]),
            ]
        )

    async def ask(self, request: Request) -> Response:
        question = (await request.json())["question"]
        self.asked.append(question)
        if question == "refuse":
            return problem(422, "bad_question", "The question is not one. Ask another.")
        return StreamingResponse(self.events(question, request), media_type="text/event-stream")

    async def events(self, question: str, request: Request) -> AsyncIterator[bytes]:
        yield event("sources", {"sources": []})
        yield event("delta", {"text": "Half an "})
        if question == "fail":
            yield event("error", {"code": "internal", "message": "The index went away."})
        elif question == "garble":
            yield b"event: delta\ndata: {not json\n\n"
        elif question == "lie":
            yield event("delta", {"text": MARKUP})
            yield event("done", LIE)
        elif question == "stall":
            while (await request.receive())["type"] != "http.disconnect":
                pass
            self.left.set()


@pytest.fixture
def service(
    serve: Callable[[Starlette], AbstractContextManager[str]], bare_page: Page
) -> Iterator[UnreliableService]:
    service = UnreliableService()
    with serve(service.app) as url:
        bare_page.goto(url)
        bare_page.get_by_role("button", name="Ask about this topic").click()
        yield service
        bare_page.close()


def ask(page: Page, question: str) -> Locator:
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Enter")
    return page.get_by_role("article").last


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("break", "The answer broke off before its end."),
        ("fail", "The index went away."),
        ("garble", "The answer could not be read. Retry, or tell the operator of this service."),
        ("refuse", "The question is not one. Ask another."),
    ],
)
def test_a_failure_is_told_and_only_the_reader_retries(
    bare_page: Page, service: UnreliableService, question: str, message: str
) -> None:
    turn = ask(bare_page, question)
    expect(turn.get_by_role("alert")).to_have_text(message)
    expect(bare_page.get_by_role("button", name="Ask", exact=True)).to_be_visible()
    assert service.asked == [question]
    turn.get_by_role("button", name="Retry").click()
    expect(bare_page.get_by_role("alert")).to_have_text(message)
    expect(bare_page.get_by_role("article")).to_have_count(1)
    assert service.asked == [question, question]


def test_what_had_arrived_stays_readable(bare_page: Page, service: UnreliableService) -> None:
    turn = ask(bare_page, "break")
    expect(turn.get_by_role("alert")).to_be_visible()
    expect(turn.locator(".answer")).to_have_text("Half an ")


def test_stop_ends_the_request_and_keeps_the_focus_in_the_panel(
    bare_page: Page, service: UnreliableService
) -> None:
    turn = ask(bare_page, "stall")
    expect(turn.locator(".answer")).to_have_text("Half an ")
    expect(bare_page.get_by_role("status")).to_have_text("Searching…")
    bare_page.get_by_role("button", name="Stop").click()
    expect(turn.get_by_role("alert")).to_have_text("Stopped.")
    expect(bare_page.get_by_label("Your question")).to_be_focused()
    assert service.left.wait(timeout=10)


def test_a_second_question_waits_until_the_first_is_done(bare_page: Page, service: UnreliableService) -> None:
    turn = ask(bare_page, "stall")
    expect(turn.locator(".answer")).to_have_text("Half an ")
    ask(bare_page, "impatient")
    expect(bare_page.get_by_label("Your question")).to_have_value("impatient")
    expect(bare_page.get_by_role("article")).to_have_count(1)
    bare_page.get_by_role("button", name="Stop").click()
    assert service.left.wait(timeout=10)
    assert service.asked == ["stall"]


def test_leaving_the_page_ends_the_request(bare_page: Page, service: UnreliableService) -> None:
    expect(ask(bare_page, "stall").locator(".answer")).to_have_text("Half an ")
    bare_page.evaluate("document.querySelector('ask-topic').remove()")
    assert service.left.wait(timeout=10)


def test_a_service_that_is_gone_is_said_to_be_out_of_reach(
    bare_page: Page, service: UnreliableService
) -> None:
    bare_page.context.set_offline(True)
    turn = ask(bare_page, "hello")
    expect(turn.get_by_role("alert")).to_have_text(
        "The service cannot be reached. Check the connection and retry."
    )


def test_an_unfinished_turn_is_no_history(bare_page: Page, service: UnreliableService) -> None:
    expect(ask(bare_page, "break").get_by_role("alert")).to_be_visible()
    with bare_page.expect_request("**/v1/ask") as second:
        ask(bare_page, "fail")
    assert json.loads(second.value.post_data or "")["history"] == []


def test_markup_in_any_part_of_an_answer_stays_text(bare_page: Page, service: UnreliableService) -> None:
    requested: list[str] = []
    bare_page.on("request", lambda request: requested.append(request.url))
    turn = ask(bare_page, "lie")
    expect(turn.locator(".suggestion")).to_have_text(MARKUP)
    for part in (".answer", ".reason", ".note >> nth=0", ".note >> nth=1", ".sources li", ".related li"):
        expect(turn.locator(part)).to_contain_text(MARKUP)
    expect(turn.locator("img, script")).to_have_count(0)
    own = bare_page.url
    hrefs = [str(link.get_attribute("href")) for link in turn.get_by_role("link").all()]
    assert len(hrefs) == 2
    assert all(href.startswith(f"{own}sources/") for href in hrefs)
    assert [url for url in requested if not url.startswith(own)] == []
    assert bare_page.title() == "Host"
