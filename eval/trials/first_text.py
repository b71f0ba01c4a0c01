"""How long a reader waits for the first words: from pressing Enter until they are on the page, and painted.

    python -m eval.trials.first_text [--data-dir .asktopic] [--topic RL] [--set starter]

Starts the service as an operator does, opens the topic's page in Chromium over loopback, and asks the
questions of a set in the widget, one after another. Prints the median, the 95th percentile and the
slowest, in milliseconds, of the words' being in the document and of the end of the frame that paints them
(a frame is 17 ms); refusals count, since they are what the reader waits for too. Needs the
development dependencies and Debian's chromium.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from eval.bench.service import Service
from eval.percentile import median, percentile
from eval.questions.sets import open_set

ARGUMENTS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
UNCOUNTED = 5
"""Questions asked before those that count: the browser compiles the widget meanwhile."""

_WATCH = """() => {
  const root = document.querySelector("ask-topic").shadowRoot;
  window.waited = new Promise((resolve) => {
    root.addEventListener("keydown", ({ key, timeStamp }) => {
      if (key !== "Enter") return;
      const before = root.querySelectorAll(".turn").length;
      const watcher = new MutationObserver(() => {
        const turns = root.querySelectorAll(".turn");
        const body = turns.length > before && turns[turns.length - 1].querySelector(".answer");
        if (!body || !body.textContent.trim() || body.querySelector(".pending")) return;
        watcher.disconnect();
        const there = performance.now() - timeStamp;
        // The second frame begins when the first has been painted.
        requestAnimationFrame(() => requestAnimationFrame((now) => resolve([there, now - timeStamp])));
      });
      watcher.observe(root, { childList: true, subtree: true, characterData: true });
    }, { capture: true, once: true });
  });
}"""


def wait_for(page: Page, question: str) -> tuple[float, float]:
    """Ask in the opened widget; return the milliseconds until the first words were there, and painted."""
    page.evaluate(_WATCH)
    box = page.get_by_label("Your question")
    box.fill(question)
    box.press("Enter")
    there, painted = page.evaluate("window.waited")
    page.get_by_role("button", name="Ask", exact=True).wait_for()
    page.wait_for_function(
        "/^(Answer ready|No answer)/.test("
        "document.querySelector('ask-topic').shadowRoot.querySelector('[role=status]').textContent)"
    )
    return there, painted


def main() -> None:
    """Ask them all and print how long it took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data-dir", type=Path, default=Path(".asktopic"))
    parser.add_argument("--topic", default="reinforcement-learning", help="the topic's slug")
    parser.add_argument("--set", dest="asked", default="starter")
    parser.add_argument("--limit", type=int, default=100, help="questions that count")
    arguments = parser.parse_args()
    chromium = shutil.which("chromium")
    if not chromium:
        sys.exit("this drives Chromium; install it with `apt-get install chromium`")
    questions = [each.question for each in open_set(arguments.asked).questions if not each.history]
    questions = questions[: UNCOUNTED + arguments.limit]
    with (
        tempfile.TemporaryDirectory() as folder,
        Service(arguments.data_dir.absolute(), Path(folder), arguments.topic, questions[0]) as service,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS) as browser,
    ):
        page = browser.new_page()
        page.goto(f"{service.url}/topics/{arguments.topic}")
        page.get_by_role("button", name="Ask about this topic").click()
        waited = [wait_for(page, question) for question in questions][UNCOUNTED:]
    for name, values in zip(("on the page", "painted"), zip(*waited, strict=True), strict=True):
        print(  # noqa: T201
            f"first words {name} after Enter, {len(values)} questions: p50 {median(values):.0f} ms, "
            f"p95 {percentile(values, 0.95):.0f} ms, slowest {max(values):.0f} ms"
        )


if __name__ == "__main__":
    main()
