"""What a reader sees of an answer: its card, its formulas, what it was computed from, how it was read, in
every state without a violation of the accessibility rules or of the strictest content policy."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from api.routes.site import STATIC_FOLDER

POLICY = "default-src 'self'; require-trusted-types-for 'script'"
PAGE = """<!doctype html><html lang="{lang}" dir="{dir}"><title>Host</title><link rel="icon" href="/icon.svg">
<script type="module" src="/widget.js"></script>
<main><h1>Host</h1><ask-topic topic="t"></ask-topic>{more}</main></html>"""

TEXT = r"""The value obeys \(V(s) = \max_a Q(s, a)\) in every state. [1]

*Learning by Halves* (2024): We cut the error by half at a cost of $5 to $10 a run. [2]"""
FIRST, SECOND = TEXT.split("\n\n")
QUOTES = (FIRST.removesuffix(" [1]"), SECOND.removesuffix(" [2]").split(": ", 1)[1])
SOURCES = [
    {"n": 1, "id": "a", "title": "Values", "authors": ["Ada Example"], "date": "2023-05-01", "url": ""},
    {"n": 2, "id": "b", "title": "Learning by Halves", "date": "2024-02-03", "url": "https://example.org/b"},
]


def citation(n: int, quote: str, **more: Any) -> dict[str, Any]:
    start = TEXT.index(quote)
    place = {"start_index": start, "end_index": start + len(quote), "quote_start": 0, "quote_end": len(quote)}
    fixed = {
        "n": n,
        "source_id": SOURCES[n - 1]["id"],
        "quote": quote,
        "field": "abstract",
        "support": "quoted",
    }
    return fixed | place | more


ANSWER: dict[str, Any] = {
    "id": "ans-1",
    "question": "How?",
    "understood": {"text": "How does it learn?", "filters": {"from": "2024-01-01", "to": None}},
    "answered": True,
    "kind": "passage",
    "answer": TEXT,
    "citations": [citation(1, QUOTES[0]), citation(2, QUOTES[1])],
    "sources": SOURCES,
    "related": [{"id": "c", "title": "Another", "date": "2020-01-01", "url": ""}],
    "followups": ["And why?"],
    "notices": ["Source [2] has been retracted."],
}
REFUSED = ANSWER | {
    "answered": False, "kind": "refusal", "answer": "", "citations": [], "sources": [], "followups": [],
    "reason": {"code": "weak_evidence", "message": "The sources say nothing about this."},
}  # fmt: skip
FACT = ANSWER | {
    "kind": "catalog",
    "answer": "The newest is:\n- Values, 2023. [1]",
    "citations": [
        citation(1, QUOTES[0])
        | {"quote": "Values", "field": "title", "quote_end": 6, "support": "counted"}
        | {"start_index": 17, "end_index": 30}
    ],
    "sources": SOURCES[:1],
}
TOPIC = {"name": "Testing", "examples": ["Why test?"]}
ANSWERS = {"how": ANSWER, "refuse": REFUSED, "count": FACT}


class CannedService:
    """A service whose answers are known beforehand."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.feedback: list[dict[str, Any]] = []
        self.streams = True
        self.app = Starlette(
            routes=[
                Route("/", self.page),
                Route("/widget.js", lambda _: FileResponse(STATIC_FOLDER / "widget.js")),
                Route("/widget-math.js", lambda _: FileResponse(STATIC_FOLDER / "widget-math.js")),
                Route("/icon.svg", lambda _: FileResponse(STATIC_FOLDER / "icon.svg")),
                Route(
                    "/v1/topics/{slug}",
                    lambda _: JSONResponse({"name": "Testing", "examples": ["Why test?"]}),
                ),
                Route("/v1/ask", self.ask, methods=["POST"]),
                Route("/v1/feedback", self.take_feedback, methods=["POST"]),
            ]
        )

    async def page(self, request: Request) -> Response:
        given = {"lang": "en", "dir": "ltr", "more": ""} | dict(request.query_params)
        return HTMLResponse(PAGE.format(**given), headers={"Content-Security-Policy": POLICY})

    async def ask(self, request: Request) -> Response:
        asked = await request.json()
        self.asked.append(asked)
        if asked["question"] == "fail":
            return JSONResponse({"detail": "This failed. Retry later."}, status_code=503)
        answer = ANSWERS.get(asked["question"], ANSWER) | {"question": asked["question"]}
        if not asked["stream"]:
            return JSONResponse(answer)
        if not self.streams:  # as a proxy does that holds streams back until it gives up
            return StreamingResponse(iter(()), media_type="text/event-stream")
        return StreamingResponse(self.events(answer), media_type="text/event-stream")

    async def events(self, answer: dict[str, Any]) -> AsyncIterator[str]:
        def event(name: str, data: object) -> str:
            return f"event: {name}\ndata: {json.dumps(data)}\n\n"

        yield event("sources", {"sources": answer["sources"]})
        yield event("delta", {"text": answer["answer"]})
        if answer["question"] == "wait":  # until the reader leaves
            await asyncio.Event().wait()
        for each in answer["citations"]:
            yield event("citation", each)
        yield event("done", answer)

    async def take_feedback(self, request: Request) -> Response:
        self.feedback.append(await request.json())
        return Response(status_code=204)


@pytest.fixture
def service(serve: Callable[[Starlette], AbstractContextManager[str]]) -> Iterator[CannedService]:
    service = CannedService()
    with serve(service.app) as service.url:  # type: ignore[attr-defined]
        yield service


@pytest.fixture
def widget(page: Page, service: CannedService) -> Locator:
    """The opened panel, on a page that may load nothing but its own."""
    return opened(page, service)


def opened(page: Page, service: CannedService, query: str = "") -> Locator:
    page.goto(f"{service.url}/{query}")  # type: ignore[attr-defined]
    page.locator("ask-topic").get_by_role("button").first.click()
    return page.get_by_role("dialog").first


def ask(panel: Locator, question: str) -> Locator:
    panel.get_by_role("textbox").first.fill(question)
    panel.get_by_role("textbox").first.press("Enter")
    turn = panel.get_by_role("article").last
    expect(turn.locator(".related")).to_be_visible()  # shown with the end of an answer
    return turn


def begin(panel: Locator, question: str) -> None:
    """Ask, and wait for nothing but the first words."""
    panel.get_by_label("Your question").fill(question)
    panel.get_by_label("Your question").press("Enter")
    expect(panel.get_by_role("article").last.locator(".answer")).to_contain_text("The value obeys")


def stop_and_fail(panel: Locator) -> None:
    panel.get_by_role("button", name="Stop").click()
    panel.get_by_label("Your question").fill("fail")
    panel.get_by_label("Your question").press("Enter")
    expect(panel.get_by_role("alert").last).to_have_text("This failed. Retry later.")


def test_formulas_are_set_and_money_is_not(widget: Locator) -> None:
    answer = ask(widget, "how").locator(".answer")
    expect(answer.locator("math")).to_have_count(1)
    expect(answer.locator("math")).to_have_attribute("aria-label", r"V(s) = \max_a Q(s, a)")
    expect(answer).to_contain_text("$5 to $10 a run")


def test_a_sentence_that_speaks_for_its_paper_is_introduced_by_its_title(widget: Locator) -> None:
    answer = ask(widget, "how").locator(".answer")
    expect(answer.locator("cite")).to_have_text("Learning by Halves")
    expect(answer.locator("p").last).to_have_text(SECOND.replace("*", ""))


def test_a_chips_card_opens_by_pointer_focus_and_press_and_lights_its_sentence(
    page: Page, widget: Locator
) -> None:
    turn = ask(widget, "how")
    expect(turn.locator("math")).to_be_visible()  # setting it moves what stands below
    chip = turn.locator(".marker").last
    card = page.get_by_role("dialog", name="Source 2: Learning by Halves")
    chip.hover()
    expect(card).to_contain_text(QUOTES[1])
    expect(card).to_contain_text("Quoted word for word")
    expect(card.get_by_role("link", name="Original")).to_have_attribute("href", "https://example.org/b")
    expect(turn.locator(".lit")).to_have_text(QUOTES[1])
    widget.get_by_role("heading", level=2).hover()
    expect(card).to_have_count(0)
    expect(turn.locator(".lit")).to_have_count(0)
    chip.click()
    expect(card.get_by_role("button", name="Read in context")).to_be_focused()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    expect(chip).to_be_focused()
    page.keyboard.press("Shift+Tab")
    unpublished = page.get_by_role("dialog", name="Source 1: Values")
    expect(unpublished.get_by_role("link", name="Its page")).to_have_attribute(
        "href", re.compile("/sources/a$")
    )


def test_a_card_is_closed_without_a_keyboard(page: Page, widget: Locator) -> None:
    chip = ask(widget, "how").locator(".marker").first
    card = page.get_by_role("dialog", name="Source 1: Values")
    chip.click()
    card.get_by_role("button", name="Back to the answer").click()
    expect(card).to_have_count(0)
    expect(chip).to_be_focused()


def test_tab_goes_on_from_the_chip_whose_card_it_leaves(page: Page, widget: Locator) -> None:
    turn = ask(widget, "how")
    chip = turn.locator(".marker").first
    card = page.get_by_role("dialog", name="Source 1: Values")
    chip.click()
    expect(card.get_by_role("button", name="Read in context")).to_be_focused()
    for _ in range(3):  # to its page, to what closes the card, and out of it
        page.keyboard.press("Tab")
    expect(card).to_have_count(0)
    expect(turn.locator(".marker").nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(widget).to_be_hidden()


def test_a_panel_that_covers_the_window_keeps_the_focus(browser: Browser, service: CannedService) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 568})
    page = context.new_page()
    panel = opened(page, service, "?more=<a href='/'>Behind</a>")
    for key in ("Tab", "Shift+Tab"):
        for _ in range(8):
            page.keyboard.press(key)
            assert page.evaluate("document.activeElement.localName") == "ask-topic"
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    context.close()


def test_a_card_stays_inside_the_window(browser: Browser, service: CannedService) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 420})
    page = context.new_page()
    turn = ask(opened(page, service), "how")
    for chip in turn.locator(".marker").all():
        chip.click()
        box = page.locator(".card").bounding_box()
        assert box
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= 320
        assert box["y"] + box["height"] <= 420
        page.keyboard.press("Escape")
    context.close()


def test_a_refusal_and_a_fact_look_like_what_they_are(widget: Locator) -> None:
    refusal = ask(widget, "refuse")
    expect(refusal.locator(".badge")).to_have_text("Not answered by the sources")
    expect(refusal).to_contain_text("The sources say nothing about this.")
    expect(refusal.get_by_role("button", name="Copy with references")).to_have_count(0)
    fact = ask(widget, "count")
    expect(fact.locator(".badge")).to_have_text("Computed from the catalog")
    expect(fact.locator(".item")).to_have_text("Values, 2023. [1]")


def test_how_the_question_was_read_is_shown(widget: Locator) -> None:
    note = ask(widget, "how").locator(".note").first
    expect(note).to_have_text("Read as: How does it learn? · from 1 January 2024")


def test_an_answer_can_be_copied_with_its_references(page: Page, widget: Locator) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    turn = ask(widget, "how")
    turn.get_by_role("button", name="Copy with references").click()
    expect(turn).to_contain_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("how\n\nThe value obeys")
    assert "[2] Learning by Halves. 3 February 2024. https://example.org/b" in copied
    turn.get_by_role("button", name="Link to this answer").click()
    expect(turn).to_contain_text("Link copied")
    assert page.evaluate("navigator.clipboard.readText()").endswith("/answers/ans-1")


def test_what_was_wrong_with_an_answer_can_be_said(widget: Locator, service: CannedService) -> None:
    turn = ask(widget, "how")
    turn.get_by_role("button", name="Not helpful").click()
    turn.get_by_label("Something is missing").check()
    turn.get_by_label("Anything else?").fill("The year.")
    turn.get_by_role("button", name="Send").click()
    expect(turn).to_contain_text("Thank you.")
    said = {"answer_id": "ans-1", "helpful": False, "reasons": ["incomplete"], "comment": "The year."}
    assert service.feedback == [said]
    expect(turn.get_by_role("button", name="Not helpful")).to_be_disabled()


def test_earlier_answers_are_there_after_a_reload_until_they_are_cleared(
    page: Page, widget: Locator, service: CannedService
) -> None:
    ask(widget, "how")
    ask(widget, "count")
    panel = opened(page, service)
    expect(panel.get_by_role("article")).to_have_count(2)
    expect(panel.locator(".marker")).to_have_count(3)
    ask(panel, "and why?")
    assert [turn["question"] for turn in service.asked[-1]["history"]] == ["how", "count"]
    panel.get_by_role("button", name="Clear history").click()
    expect(panel.get_by_role("article")).to_have_count(0)
    expect(panel.get_by_role("button", name="Why test?")).to_be_visible()
    expect(opened(page, service).get_by_role("article")).to_have_count(0)


def test_blocked_storage_is_no_obstacle(bare_page: Page, service: CannedService) -> None:
    bare_page.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new Error('blocked') }})"
    )
    panel = opened(bare_page, service)
    ask(panel, "how")
    ask(panel, "count")
    expect(panel.get_by_role("article")).to_have_count(2)


def test_where_no_stream_arrives_the_answer_is_asked_for_whole(
    widget: Locator, service: CannedService
) -> None:
    service.streams = False
    turn = ask(widget, "how")
    expect(turn.locator(".marker")).to_have_count(2)
    assert [asked["stream"] for asked in service.asked] == [True, False]


def test_two_widgets_on_one_page_do_not_disturb_each_other(page: Page, service: CannedService) -> None:
    first = opened(page, service, "?more=<ask-topic+topic='u'></ask-topic>")
    ask(first, "how")
    first.get_by_role("button", name="Close").click()
    page.locator("ask-topic").last.get_by_role("button").first.click()
    second = page.get_by_role("dialog")
    expect(second.get_by_role("article")).to_have_count(0)
    ask(second, "count")
    assert [asked["topic"] for asked in service.asked] == ["t", "u"]
    assert service.asked[-1]["history"] == []


@pytest.mark.parametrize(
    ("lang", "launch", "badge"),
    [
        ("de-AT", "Frage zu diesem Thema stellen", "Von den Quellen nicht beantwortet"),
        ("es", "Preguntar sobre este tema", "Las fuentes no lo responden"),
        ("tlh", "Ask about this topic", "Not answered by the sources"),
    ],
)
def test_it_speaks_the_pages_language(
    page: Page, service: CannedService, lang: str, launch: str, badge: str
) -> None:
    panel = opened(page, service, f"?lang={lang}")
    expect(page.locator("ask-topic").get_by_role("button").first).to_have_text(launch)
    expect(ask(panel, "refuse").locator(".badge")).to_have_text(badge)


def test_every_string_can_be_the_pages_own(page: Page, service: CannedService) -> None:
    page.goto(f"{service.url}/")  # type: ignore[attr-defined]
    page.evaluate("document.querySelector('ask-topic').strings = {launch: 'Ahoy', unknown: 'x'}")
    expect(page.get_by_role("button", name="Ahoy")).to_be_visible()


def test_the_page_can_ask_and_hears_of_answers(page: Page, service: CannedService) -> None:
    page.goto(f"{service.url}/")  # type: ignore[attr-defined]
    heard = page.evaluate(
        """() => new Promise((resolve) => {
          const heard = [];
          for (const name of ["open", "question", "answer"])
            addEventListener(`ask-topic-${name}`, ({ detail }) => {
              heard.push([name, detail.question ?? detail.answer?.id ?? null]);
              if (name === "answer") resolve(heard);
            });
          document.querySelector("ask-topic").ask(" how ");
        })"""
    )
    assert heard == [["open", None], ["question", "how"], ["answer", "ans-1"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_no_state_violates_an_accessibility_rule(
    browser: Browser, service: CannedService, scheme: str, direction: str
) -> None:
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    panel = opened(page, service, f"?dir={direction}")
    states: dict[str, Callable[[], object]] = {
        "empty": lambda: expect(panel.get_by_role("button", name="Why test?")).to_be_visible(),
        "answered": lambda: ask(panel, "how"),
        "card open": lambda: panel.locator(".marker").first.click(),
        "refused": lambda: (page.keyboard.press("Escape"), ask(panel, "refuse")),
        "computed": lambda: ask(panel, "count"),
        "feedback": lambda: panel.get_by_role("button", name="Not helpful").last.click(),
        "streaming": lambda: begin(panel, "wait"),
        "error": lambda: stop_and_fail(panel),
    }
    for state, reach in states.items():
        reach()
        violations = Axe().run(page).response["violations"]
        assert violations == [], state
    context.close()
