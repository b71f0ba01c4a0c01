"""Pictures of every page and of the widget's states, for people to look at.

    python tests/e2e/screenshots.py FOLDER

Serves what is ingested in the data folder and writes one file for each page or state, scheme and size.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
from playwright.sync_api import Locator, Page, ViewportSize, expect, sync_playwright

ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]

SIZES = {"desktop": ViewportSize(width=1280, height=860), "phone": ViewportSize(width=390, height=844)}
SCHEMES = ("light", "dark")

ARRIVED = 300
"""Milliseconds after which a panel that slides in has arrived."""

TOPIC = "/topics/reinforcement-learning"
PAPER = "/papers/paper-8b19cf56b2dc?field=summary&start=433&end=573"
PAGES = {
    "topics": "/topics",
    "topic": TOPIC,
    "explainer": f"{TOPIC}/explainer",
    "paper": PAPER,
    "chosen-papers": f"{TOPIC}?tag=Safe+RL",
    "answer": "/ask?topic=RL&question=How+are+humanoid+robots+trained+to+play+badminton%3F",
    "missing-page": "/topics/alchemy",
}
QUESTIONS = {
    "answer": "How are humanoid robots trained to play badminton?",
    "comparison": "What is the difference between on-policy and off-policy learning?",
    "fact": "What are the three latest papers?",
    "refusal": "Which recipe makes the best sourdough bread?",
}


def states(page: Page) -> Iterator[str]:
    """Lead the opened page's widget through its states; yield the name of each."""
    page.get_by_role("button", name="Ask about this topic").click()
    panel = page.get_by_role("dialog", name=re.compile("^Ask about"))
    expect(panel.get_by_role("log").get_by_role("button").first).to_be_visible()
    page.wait_for_timeout(ARRIVED)
    yield "widget-empty"
    for name, question in QUESTIONS.items():
        turn = ask(page, panel, question)
        yield f"widget-{name}"
        if name == "answer":
            turn.locator(".marker").first.click()
            yield "widget-card"
            page.get_by_role("button", name="Read in context").click()
            expect(page.locator("mark")).to_be_visible()
            yield "widget-passage"
            page.get_by_role("button", name="Back to the answer").click()
            turn.get_by_role("button", name="Not helpful").click()
            yield "widget-feedback"
    page.context.set_offline(True)
    panel.get_by_label("Your question").fill("Is anyone there?")
    panel.get_by_label("Your question").press("Enter")
    expect(panel.get_by_role("alert")).to_be_visible()
    yield "widget-error"
    page.context.set_offline(False)


def ask(page: Page, panel: Locator, question: str) -> Locator:
    panel.get_by_label("Your question").fill(question)
    panel.get_by_label("Your question").press("Enter")
    expect(panel.get_by_role("status")).to_have_text(re.compile("^(Answer ready|No answer)"))
    page.wait_for_timeout(ARRIVED)
    return panel.get_by_role("article").last


@contextmanager
def served() -> Iterator[str]:
    """The service as an operator starts it, on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = "import sys; from api.cli import main; sys.argv = ['asktopic', *sys.argv[1:]]; main()"
    # The day of the starter set's newest paper, so that its figures are those of a living topic.
    os.environ.setdefault("ASKTOPIC_TODAY", "2026-01-20")
    asked = [sys.executable, "-c", command, "serve", "--port", str(port), "--workers", "1"]
    with subprocess.Popen(asked) as process:
        base = f"http://127.0.0.1:{port}"
        try:
            for _ in range(300):
                with suppress(httpx.TransportError):
                    if httpx.get(f"{base}/readyz").status_code == 200:
                        break
                time.sleep(0.1)
            yield base
        finally:
            process.terminate()


def photograph(base: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
        for size, viewport in SIZES.items():
            for scheme in SCHEMES:
                context = browser.new_context(viewport=viewport, color_scheme=scheme)
                page = context.new_page()

                def keep(name: str, *, page: Page = page, kind: str = f"{size}-{scheme}") -> None:
                    page.screenshot(path=folder / f"{name}-{kind}.png")

                for name, path in PAGES.items():
                    page.goto(base + path)
                    keep(name)
                page.goto(base + TOPIC)
                for state in states(page):
                    keep(state)
                context.close()
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    with served() as address:
        photograph(address, given.folder)
