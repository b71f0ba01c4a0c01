"""A reader asks on a topic page and opens what the answer stands on."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from rag.answer import Answer, AskRequest
from rag.compose.phrases import emphasised, short_title
from rag.engine import Engine

QUESTION = "What is reinforcement learning?"
OFF_TOPIC = "Which recipe makes the best sourdough bread?"


def without_emphasis(answer: Answer) -> str:
    """The answer's text as it is shown: the titles that introduce a quote in italics, not between stars."""
    spans = [(citation.start_index, citation.end_index) for citation in answer.citations]
    text = answer.answer
    for start, end in reversed([*emphasised(text, spans)]):
        text = text[:start] + text[start + 1 : end - 1] + text[end:]
    return text


@pytest.fixture
def panel(page: Page, server: str) -> Locator:
    """The opened panel on the topic page."""
    page.goto(f"{server}/topics/reinforcement-learning")
    page.get_by_role("button", name="Ask about this topic").click()
    return page.get_by_role("dialog", name="Ask about Reinforcement Learning")


def ask(panel: Locator, question: str) -> Locator:
    """Ask, wait until the answer has ended, and return its turn."""
    panel.get_by_label("Your question").fill(question)
    panel.get_by_role("button", name="Ask", exact=True).click()
    turn = panel.get_by_role("article").last
    expect(turn.get_by_role("heading", level=3)).to_have_text(question)
    expect(panel.get_by_role("status")).to_have_text(re.compile("^(Answer ready|No answer found)"))
    return turn


def test_the_answer_shown_is_the_engines_and_each_marker_opens_its_quote(
    panel: Locator, engine: Engine
) -> None:
    answer = engine.ask(AskRequest(question=QUESTION, topic="reinforcement-learning"))
    turn = ask(panel, QUESTION)
    if "\\(" not in answer.answer:  # formulas are shown without their delimiters
        assert turn.locator(".answer").text_content() == without_emphasis(answer)
    sources = f"{len(answer.sources)} source{'' if len(answer.sources) == 1 else 's'}"
    expect(panel.get_by_role("status")).to_have_text(f"Answer ready, {sources}")
    opened = []
    for marker in turn.locator(".marker").all():
        expect(marker).to_have_accessible_name(re.compile(r"^Source \d+: .+"))
        marker.click()
        mark = panel.get_by_role("region", name="Passage").locator("mark")
        opened.append(mark.text_content())
        expect(mark).to_be_in_viewport()
        back = panel.get_by_role("button", name="Back to the answer")
        expect(back).to_be_in_viewport()
        back.click()
        expect(marker).to_be_focused()
    assert opened
    assert set(opened) == {citation.quote for citation in answer.citations}


def test_a_title_that_introduces_a_quote_is_emphasised(panel: Locator, engine: Engine) -> None:
    question = "Which papers study exploration with sparse rewards?"
    answer = engine.ask(AskRequest(question=question, topic="reinforcement-learning"))
    turn = ask(panel, question)
    assert turn.locator(".answer").text_content() == without_emphasis(answer)
    assert turn.locator(".answer em").all_text_contents() == [
        short_title(source.title) for source in answer.sources if source.kind == "paper"
    ]


def test_a_list_computed_from_records_has_bullets_and_each_marker_opens_its_record(
    panel: Locator, engine: Engine
) -> None:
    question = "What are the three latest papers?"
    answer = engine.ask(AskRequest(question=question, topic="reinforcement-learning"))
    turn = ask(panel, question)
    shown = turn.locator(".answer").text_content() or ""
    assert shown == answer.answer.replace("\n- ", "\n• ")
    expect(turn).to_contain_text("Counted on")
    for marker, citation in zip(turn.locator(".marker").all(), answer.citations, strict=True):
        marker.click()
        passage = panel.get_by_role("region", name="Passage")
        expect(passage.get_by_role("heading").first).to_have_text(citation.quote)
        expect(passage).to_contain_text(engine.source(citation.source_id).fields[0].text[:60])
        expect(passage).not_to_contain_text("has changed")
        panel.get_by_role("button", name="Back to the answer").click()


def test_sources_are_listed_with_safe_links(panel: Locator, engine: Engine) -> None:
    answer = engine.ask(AskRequest(question=QUESTION, topic="reinforcement-learning"))
    items = ask(panel, QUESTION).locator(".sources li")
    expect(items).to_have_count(len(answer.sources))
    for item, source in zip(items.all(), answer.sources, strict=True):
        expect(item).to_have_attribute("value", str(source.n))
        if source.authors:
            expect(item).to_contain_text(source.authors[0])
        if source.url:
            expect(item.get_by_role("link")).to_have_attribute("rel", "noopener noreferrer")
            expect(item.get_by_role("link")).to_have_attribute("target", "_blank")


def test_an_off_topic_question_shows_why_there_is_no_answer(panel: Locator, engine: Engine) -> None:
    refusal = engine.ask(AskRequest(question=OFF_TOPIC, topic="reinforcement-learning"))
    assert refusal.reason
    turn = ask(panel, OFF_TOPIC)
    expect(turn.locator(".reason")).to_have_text(refusal.reason.message)
    expect(turn.locator(".related li")).to_have_count(len(refusal.related))
    expect(panel.get_by_role("status")).to_have_text("No answer found")
    expect(turn.locator(".marker")).to_have_count(0)


def test_earlier_turns_stay_and_are_sent_as_history(panel: Locator, page: Page) -> None:
    ask(panel, QUESTION)
    with page.expect_request("**/v1/ask") as second:
        ask(panel, OFF_TOPIC)
    history = json.loads(second.value.post_data or "")["history"]
    assert [turn["question"] for turn in history] == [QUESTION]
    assert history[0]["answer"]
    expect(panel.get_by_role("article")).to_have_count(2)


def test_a_question_that_was_refused_is_no_history(panel: Locator, page: Page) -> None:
    ask(panel, OFF_TOPIC)
    ask(panel, QUESTION)
    with page.expect_request("**/v1/ask") as third:
        ask(panel, "How is it used?")
    history = json.loads(third.value.post_data or "")["history"]
    assert [turn["question"] for turn in history] == [QUESTION]


def test_suggested_and_follow_up_questions_are_asked_by_pressing_them(panel: Locator, engine: Engine) -> None:
    suggestions = panel.get_by_role("log").get_by_role("button")
    expect(suggestions).to_have_count(3)
    question = "What is Reinforcement Learning?"
    suggestions.get_by_text(question).click()
    expect(panel.get_by_role("article")).to_have_count(1)
    expect(panel.get_by_role("status")).to_have_text(re.compile("^Answer ready"))
    expect(panel.get_by_role("heading", name=question)).to_be_visible()
    expected = engine.ask(AskRequest(question=question, topic="reinforcement-learning")).followups
    followups = panel.locator(".turn .suggestion")
    assert followups.all_text_contents() == list(expected)
    if expected:
        followups.first.click()
        expect(panel.get_by_role("article")).to_have_count(2)


def test_everything_can_be_done_from_the_keyboard(page: Page, server: str) -> None:
    page.goto(f"{server}/topics/reinforcement-learning")
    launch = page.get_by_role("button", name="Ask about this topic")
    for _ in range(4):
        page.keyboard.press("Tab")
        if launch.evaluate("node => node.matches(':focus')"):
            break
    expect(launch).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Enter")
    expect(launch).to_have_attribute("aria-expanded", "true")
    field = page.get_by_label("Your question about Reinforcement Learning")
    expect(field).to_be_focused()
    page.keyboard.type("What is")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("reinforcement learning?")
    expect(field).to_have_value("What is\nreinforcement learning?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text(re.compile("^Answer ready"))
    expect(field).to_have_value("")
    marker = page.locator(".marker").first
    marker.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Back to the answer")).to_be_focused()
    expect(page.locator("mark")).to_be_visible()
    page.keyboard.press("Escape")
    expect(marker).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(launch).to_be_focused()
    expect(launch).to_have_attribute("aria-expanded", "false")


def test_enter_that_ends_an_input_methods_composition_sends_nothing(panel: Locator) -> None:
    field = panel.get_by_label("Your question")
    field.fill("強化学習とは")
    for composing in (True, False):
        field.evaluate(
            """(node, isComposing) => node.dispatchEvent(new KeyboardEvent("keydown",
                {key: "Enter", isComposing, bubbles: true, composed: true, cancelable: true}))""",
            composing,
        )
        expect(panel.get_by_role("article")).to_have_count(0 if composing else 1)


def test_the_transcript_is_not_live_but_the_status_is(panel: Locator) -> None:
    expect(panel.get_by_role("log")).to_have_attribute("aria-live", "off")
    expect(panel.get_by_role("status")).to_have_text("")


def test_a_question_begins_at_the_top_and_the_view_then_stays_where_the_reader_put_it(
    panel: Locator,
) -> None:
    ask(panel, QUESTION)
    turn = ask(panel, OFF_TOPIC)
    log = panel.get_by_role("log")
    top = "node => node.getBoundingClientRect().top"
    assert 0 <= turn.evaluate(top) - log.evaluate(top) <= 40
    log.evaluate("node => { node.scrollTop = 0 }")
    panel.locator("h2").click()
    assert log.evaluate("node => node.scrollTop") == 0


@pytest.mark.parametrize(("width", "height"), [(320, 568), (500, 350)], ids=["320 px", "200% zoom"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_small_screens_need_no_sideways_scrolling(
    browser: Browser, server: str, width: int, height: int, scheme: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{server}/topics/reinforcement-learning")
    fits = "node => node.scrollWidth <= node.clientWidth"
    assert page.locator("html").evaluate(fits)
    page.get_by_role("button", name="Ask about this topic").click()
    panel = page.get_by_role("dialog")
    expect(panel).to_be_in_viewport()
    ask(panel, QUESTION)
    for part in (panel, panel.get_by_role("log")):
        assert part.evaluate(fits)
    expect(panel.get_by_label("Your question")).to_be_in_viewport()
    context.close()
