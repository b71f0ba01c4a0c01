"""The pages themselves in a browser: accessible, at home on any screen, and of use without a script."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

TOPIC = "/topics/reinforcement-learning"
CITED = "/papers/paper-8b19cf56b2dc?field=summary&start=433&end=573"
ASKED = "/ask?topic=reinforcement-learning&question="
PAGES = {
    "topics": "/topics",
    "topic": TOPIC,
    "older papers": f"{TOPIC}?offset=20",
    "chosen papers": f"{TOPIC}?tag=Safe+RL",
    "nothing chosen": f"{TOPIC}?author=Nobody",
    "explainer": f"{TOPIC}/explainer",
    "paper": CITED,
    "answer": f"{ASKED}How+are+humanoid+robots+trained+to+play+badminton%3F",
    "fact": f"{ASKED}What+are+the+three+latest+papers%3F",
    "refusal": f"{ASKED}Which+recipe+makes+the+best+sourdough+bread%3F",
}


@pytest.fixture(params=["light", "dark"])
def themed(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(color_scheme=request.param)
    yield context.new_page()
    context.close()


@pytest.fixture
def scriptless(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_no_page_violates_an_accessibility_rule(themed: Page, server: str, path: str) -> None:
    themed.goto(server + path)
    assert Axe().run(themed).response["violations"] == []


def test_a_page_that_is_missing_is_accessible_too(themed: Page, server: str) -> None:
    response = themed.goto(f"{server}/topics/alchemy")
    assert response
    assert response.status == 404
    assert Axe().run(themed).response["violations"] == []


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_every_page_obeys_its_policy_and_stays_at_home(page: Page, server: str, path: str) -> None:
    response = page.goto(server + path)
    assert response
    assert response.status == 200
    assert "default-src 'none'" in response.headers["content-security-policy"]
    expect(page.get_by_role("heading", level=1)).to_have_count(1)


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_at_four_hundred_percent_nothing_is_read_by_scrolling_sideways(
    browser: Browser, server: str, path: str
) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 256})
    page = context.new_page()
    page.goto(server + path)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    context.close()


def test_a_form_asks_where_no_script_runs(scriptless: Page, server: str) -> None:
    scriptless.goto(server + TOPIC)
    scriptless.get_by_label("Ask about Reinforcement Learning").fill(
        "How much longer do PERL agents survive than NERL agents?"
    )
    scriptless.get_by_role("button", name="Ask", exact=True).click()
    expect(scriptless.get_by_text("201.69 steps longer").first).to_be_visible()
    scriptless.get_by_role("link", name=re.compile("Survival Dynamics")).first.click()
    assert "/papers/paper-8b19cf56b2dc" in scriptless.url


def test_who_arrives_from_an_answer_reads_the_passage_lit(scriptless: Page, server: str) -> None:
    scriptless.goto(server + CITED)
    expect(scriptless.locator("mark")).to_have_text(re.compile("^PERL agents lived 201.69 steps longer.*"))


def test_all_names_are_there_without_a_script(scriptless: Page, server: str) -> None:
    scriptless.goto(server + TOPIC)
    more = scriptless.locator("details.more").first
    closed = more.inner_text()
    more.locator("summary").click()
    assert len(more.inner_text().split()) >= len(closed.split()) + 2


def test_on_paper_there_are_no_controls(page: Page, server: str) -> None:
    page.goto(server + TOPIC)
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Ask about this topic")).to_be_hidden()
    expect(page.get_by_role("navigation", name="Site")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
