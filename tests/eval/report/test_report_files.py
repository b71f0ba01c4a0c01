"""The forms of a report: a page, JSON, JUnit XML, Markdown."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from eval.compare.comparison import compare
from eval.gate.gate import check_gate
from eval.gate.thresholds import Thresholds
from eval.report import ReportData, report_data, to_json, to_junit, to_markdown, write_html, write_report
from eval.report.html import embedded, to_html
from eval.report.markdown import LIMIT, escaped
from eval.runs.folder import RunFolder
from eval.summary import summarise

MakeRun = Callable[..., RunFolder]


@pytest.fixture
def data(make_run: MakeRun) -> ReportData:
    """A run beside one in which the first question crashed, held against a gate that it fails."""
    run, before = make_run(), make_run("before", without=("right",))
    thresholds = Thresholds(floors={"answer_rate": 0.5}, zero_tolerance=("crashed", "quote_existence"))
    return report_data(
        run,
        summarise(run.scores, resamples=50),
        baseline=before,
        comparison=compare(before.scores, run.scores, resamples=50),
        gate=check_gate(thresholds, run.scores),
    )


def test_no_text_can_end_the_data_or_break_a_line_of_it() -> None:
    text = "</script><!--<script>&amp;\u2028\u2029"
    shown = embedded(json.dumps(text, ensure_ascii=False))
    assert not set("<>&\u2028\u2029") & set(shown)
    assert json.loads(shown) == text


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": []}
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in self.texts:
            self._open.append(tag)
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in self.texts:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[self._open[-1]][-1] += data


def test_the_policy_allows_the_pages_own_scripts_and_style_and_nothing_else(data: ReportData) -> None:
    page = _Page()
    page.feed(to_html(data))
    policy = next(
        attributes["content"] or ""
        for tag, attributes in page.elements
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    allowed = {
        name: values.split() for name, _, values in (part.partition(" ") for part in policy.split("; "))
    }
    inert, *scripts = page.texts["script"]

    def hashed(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert allowed["default-src"] == ["'none'"]
    assert allowed["script-src"] == [hashed(script) for script in scripts]
    assert allowed["style-src"] == [hashed(style) for style in page.texts["style"]]
    assert json.loads(inert)["questions"][0]["id"] == "right"
    for tag, attributes in page.elements:
        assert not [name for name in attributes if name == "style" or name.startswith("on")]
        assert tag not in ("img", "iframe", "object", "base", "form")
        assert (attributes.get("href") or "#").startswith(("#", "data:"))


def test_the_pages_scripts_never_read_markup() -> None:
    static = Path(to_html.__code__.co_filename).parent / "static"
    for script in static.glob("*.js"):
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|new Function",
            script.read_text("utf-8"),
        ), script.name


def test_a_page_is_written_whole(data: ReportData, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    write_html(data, path)
    assert path.read_text("utf-8") == to_html(data)
    assert not (tmp_path / "report.html.part").exists()


def test_json_is_one_document_with_every_question(data: ReportData) -> None:
    report = json.loads(to_json(data))
    assert report["manifest"]["set"]["name"] == "small"
    assert report["gate"]["passed"] is False
    assert report["comparison"]["questions"] == 5
    right, *_, crashed = report["questions"]
    assert right["outcome"] == "right"
    assert right["baseline"]["outcome"] == "crashed"
    assert right["scores"]["success@5"] == 1.0
    assert "refusal_recall" not in right["scores"]
    assert crashed["error"].startswith("TimeoutError")


def test_junit_fails_what_the_gate_fails_and_names_the_questions(data: ReportData) -> None:
    root = ET.fromstring(to_junit(data))
    gate, questions = root.findall("testsuite")
    assert {case.get("name"): case.find("failure") is not None for case in gate} == {
        "floor answer_rate": False,
        "zero tolerance crashed": True,
        "zero tolerance quote_existence": True,
    }
    cases = {case.get("name"): case for case in questions}
    assert [name for name, case in cases.items() if case.find("error") is not None] == ["crashed"]
    assert [name for name, case in cases.items() if case.find("failure") is not None] == ["wrong"]
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("8", "3", "1")
    properties = {each.get("name"): each.get("value") for each in cases["refused"].iter("property")}
    assert properties["outcome"] == "refused"


def test_junit_holds_no_character_that_xml_forbids(data: ReportData) -> None:
    text = to_junit(data)
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", text)
    (case,) = ET.fromstring(text).findall(".//testcase[@name='crashed']")
    assert "</script><img src=x onerror=alert(1)>" in (case.findtext("error") or "")


def test_markdown_gives_the_verdict_first_then_figures_then_details(data: ReportData) -> None:
    text = to_markdown(data)
    assert text.index("Gate failed") < text.index("| metric |") < text.index("<details>")
    assert re.search(r"\| `ndcg@10` \| 0\.\d{3} \|.*▲", text)


def test_markdown_lists_what_got_worse(make_run: MakeRun) -> None:
    run, before = make_run(without=("right",)), make_run("before")
    report = report_data(run, summarise(run.scores, resamples=50), baseline=before)
    assert "| right | What do curiosity bonuses do? | −" in to_markdown(report)
    assert "right → crashed" in to_markdown(report)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", r"a\|b"),
        ("<img src=x>", "&lt;img src=x&gt;"),
        ("`code` *bold* _it_ ~~no~~ $x$", r"\`code\` \*bold\* \_it\_ \~\~no\~\~ \$x\$"),
        ("![pixel](http://evil)", "!\\[pixel\\](http:\u200b//evil)"),
        ("ask @someone about #12", "ask @\u200bsomeone about \\#\u200b12"),
        ("two\nlines", "two lines"),
        ("- item", r"\- item"),
        ("1. item", r"1\. item"),
        ("0.5 is below 1-2", "0.5 is below 1-2"),
        ("ndcg@10", "ndcg@10"),
    ],
)
def test_markdown_shows_texts_as_they_are(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_markdown_cuts_a_long_text() -> None:
    assert escaped("word " * 100, 20) == "word word word word…"


def test_markdown_stays_within_what_github_takes(data: ReportData) -> None:
    view = data.questions[0].model_copy(update={"question": "*" * 2_000, "change": -0.5})
    checks = data.gate.checks if data.gate else ()
    many = tuple(
        check.model_copy(update={"name": f"{n} {check.name}", "message": "|" * 3_000})
        for n in range(100)
        for check in checks
    )
    gate = data.gate.model_copy(update={"checks": many}) if data.gate else None
    text = to_markdown(data.model_copy(update={"gate": gate, "questions": (view,) * 1_000}))
    assert len(text) <= LIMIT
    assert "1000 questions got worse" in text  # what did not fit is the list of all checks


def test_a_report_is_written_in_every_form_that_is_asked_for(make_run: MakeRun, tmp_path: Path) -> None:
    thresholds = tmp_path / "thresholds.yaml"
    thresholds.write_text("floors: {answer_rate: 0.5}\n", encoding="utf-8")
    written = write_report(
        make_run(),
        tmp_path / "report.html",
        thresholds=thresholds,
        json_file=tmp_path / "report.json",
        junit=tmp_path / "report.xml",
        markdown=tmp_path / "report.md",
    )
    assert [path.name for path in written] == ["report.html", "report.json", "report.xml", "report.md"]
    assert "Gate passed" in (tmp_path / "report.md").read_text("utf-8")
    assert json.loads((tmp_path / "report.json").read_text("utf-8"))["gate"]["passed"] is True
