"""The evaluation's report in a real browser, opened from disk under its own policy."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from eval.compare.comparison import Comparison, MetricComparison
from eval.gate.gate import Check, GateResult
from eval.report import ReportData, write_html
from eval.report.view import (
    AnswerView,
    CitationView,
    Histogram,
    NuggetView,
    Outcome,
    QuestionView,
    RankedView,
    RiskPoint,
    Side,
    SourceView,
    StatementView,
    SupportView,
    VerdictView,
)
from eval.runs.manifest import Code, Manifest, SetInfo
from eval.summary import Figure, Summary

Open = Callable[..., Page]

HOSTILE = (
    '</script><script>document.title="owned"</script>'
    '<img src="https://evil.example/a.png" onerror="alert(1)">'
)
QUOTE = "Curiosity bonuses raise scores 𝛾 by 12%."
PASSAGE = f"Astral 😀 characters 𝛾 stand before. {QUOTE} \u2028 And {HOSTILE} after it."
AT = PASSAGE.index(QUOTE)
METRICS = ("ndcg@10", "latency_ms")


def figure(metric: str, value: float, **more: str) -> Figure:
    return Figure(
        metric=metric,
        value=value,
        low=value * 0.9,
        high=value,
        n=5,
        interval="bootstrap",
        meaning="m",
        **more,
    )


def answer(text: str, *, supported: bool = True) -> AnswerView:
    citation = CitationView(
        n=1,
        source="paper-a",
        field="abstract",
        start=AT,
        end=AT + len(QUOTE),
        quote=QUOTE,
        found=True,
        grade=2,
    )
    verdict = VerdictView(
        supported=supported,
        coverage=0.9,
        failed=() if supported else ("negation",),
        notes=() if supported else ("no quote has the negation",),
    )
    return AnswerView(
        answered=True,
        text=f"{text} [1]",
        reason="",
        confidence=0.8,
        notices=(),
        statements=(StatementView(start=0, end=len(text), citations=(citation,), verdict=verdict),),
    )


def side(outcome: Outcome, score: float | None, said: AnswerView | None = None, error: str = "") -> Side:
    return Side(
        outcome=outcome,
        kept=True,
        error=error,
        answer=said,
        ranked=(
            RankedView(id="paper-a", title=f"Curiosity {HOSTILE}", grade=2),
            RankedView(id="paper-b", title="", grade=None),
        ),
        missed=(RankedView(id="paper-c", title="Missed", grade=1, rank=17),),
        nuggets=(SupportView(support=1.0, forbidden=False), SupportView(support=0.5, forbidden=False)),
        scores=(score, 12.5),
    )


def question(
    name: str, text: str, category: str, candidate: Side, baseline: Side | None = None
) -> QuestionView:
    change = None
    if baseline and candidate.scores[0] is not None and baseline.scores[0] is not None:
        change = candidate.scores[0] - baseline.scores[0]
    return QuestionView(
        id=name,
        question=text,
        topic="exploration",
        category=category,
        answerable=True,
        why_not="",
        filters="",
        as_of="",
        history=(),
        gold_answer="They help.",
        must_cite=(),
        nuggets=(NuggetView(text="Bonuses help.", vital=True), NuggetView(text="Mazes too.", vital=False)),
        candidate=candidate,
        baseline=baseline,
        change=change,
    )


def report(questions: tuple[QuestionView, ...]) -> ReportData:
    manifest = Manifest(
        system="in process",
        code=Code(version="0.1.0", fingerprint="c0de"),
        set=SetInfo(name="small", fingerprint="5e7", questions=len(questions)),
        settings={"note": HOSTILE},
        started=dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
    )
    figures = (figure("ndcg@10", 0.8), figure("latency_p95", 40.0, unit="ms"))
    return ReportData(
        title=f"small {HOSTILE}",
        manifest=manifest,
        baseline_manifest=manifest,
        summary=Summary(
            questions=len(questions), crashed=1, figures=figures, categories={"finding": figures}, seed=0
        ),
        primary=("ndcg@10",),
        metrics=METRICS,
        questions=questions,
        sources={"paper-a": SourceView(title=f"Curiosity {HOSTILE}", fields={"abstract": PASSAGE})},
        risk_coverage=(
            RiskPoint(coverage=0.2, risk=0.0, confidence=0.9),
            RiskPoint(coverage=0.6, risk=1 / 3, confidence=0.5),
        ),
        latency=Histogram(edges=(1.0, 10.0, 100.0), counts=(2, 3)),
        comparison=Comparison(
            metrics=(
                MetricComparison(
                    metric="ndcg@10",
                    n=5,
                    baseline=0.7,
                    candidate=0.8,
                    difference=0.1,
                    low=0.05,
                    high=0.15,
                    p=0.01,
                    p_holm=0.02,
                    primary=True,
                    wins=2,
                    ties=3,
                    detectable=0.04,
                ),
            ),
            questions=5,
            seed=0,
            resamples=100,
        ),
        gate=GateResult(
            passed=False,
            checks=(
                Check(
                    name="zero tolerance crashed",
                    metric="crashed",
                    kind="zero_tolerance",
                    passed=False,
                    value=0.2,
                    bound=0.0,
                    message="1 of 5 questions",
                    questions=("odd/id?&#=%",),
                ),
            ),
        ),
    )


def few() -> tuple[QuestionView, ...]:
    good, bad = answer("Curiosity bonuses help."), answer("Curiosity bonuses do not help.", supported=False)
    return (
        question(
            "q1",
            "What do curiosity bonuses do?",
            "finding",
            side("right", 1.0, good),
            side("wrong", 0.4, bad),
        ),
        question("q2", f"Is it {HOSTILE}?", "finding", side("wrong", 0.2, bad), side("right", 0.3, good)),
        question("q3", "Why are rewards rare?", "concept", side("refused", 0.5), side("refused", 0.5)),
        question(
            "odd/id?&#=%", "Who won?", "none", side("crashed", 0.0, error=HOSTILE), side("right", 0.9, good)
        ),
        question("q5", "Is the moon cheese?", "none", side("unanswerable_answered", None, bad)),
    )


@pytest.fixture
def open_report(page: Page, tmp_path: Path) -> Open:
    """Open a report from disk; nothing but the file itself may be asked for, and no script may get in."""
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))

    def opened(questions: tuple[QuestionView, ...] | None = None, fragment: str = "") -> Page:
        path = tmp_path / "report.html"
        write_html(report(few() if questions is None else questions), path)
        page.goto(path.as_uri() + fragment)
        assert [url for url in requested if url.split("#")[0] != path.as_uri()] == []
        return page

    return opened


def rows(page: Page) -> Locator:
    return page.locator(".questions tbody tr")


def ids(page: Page) -> list[str]:
    return page.locator(".questions tbody th small").all_inner_texts()


def violations(page: Page) -> list[str]:
    return [
        f"{found['id']}: {node['html']}"
        for found in Axe().run(page).response["violations"]
        for node in found["nodes"]
    ]


def test_texts_of_a_run_stay_text(open_report: Open) -> None:
    page = open_report(fragment="#q=q2")
    expect(page.locator("#detail-heading")).to_have_text(f"Is it {HOSTILE}?")
    expect(page.locator("#title")).to_have_text(f"small {HOSTILE}")
    assert page.title() != "owned"
    assert page.locator("img, iframe, object").count() == 0
    assert page.locator("script:not([type])").count() == 7


def test_a_quote_is_lit_where_it_stands_behind_astral_characters(open_report: Open) -> None:
    page = open_report(fragment="#q=q1")
    mark = page.locator("#detail mark").first
    expect(mark).to_have_text(QUOTE)
    before, after = mark.evaluate("node => [node.previousSibling.data, node.nextSibling.data]")
    assert before + QUOTE + after == PASSAGE


def test_a_long_passage_shows_all_of_itself_when_asked(page: Page, tmp_path: Path) -> None:
    words = "word 𝛾 " * 200
    citation = CitationView(
        n=1,
        source="paper-a",
        field="abstract",
        start=len(words),
        end=len(words) + len(QUOTE),
        quote=QUOTE,
        found=True,
        grade=None,
    )
    statement = StatementView(start=0, end=9, citations=(citation,), verdict=None)
    said = answer("It helps.").model_copy(update={"statements": (statement,)})
    data = report((question("q1", "Long?", "finding", side("right", 1.0, said)),))
    source = SourceView(title="Long", fields={"abstract": f"{words}{QUOTE} {words}"})
    path = tmp_path / "report.html"
    write_html(data.model_copy(update={"sources": {"paper-a": source}}), path)
    page.goto(f"{path.as_uri()}#q=q1")
    passage = page.locator("#detail .passage")
    assert len(passage.inner_text()) < 1_000
    expect(passage.locator("mark")).to_have_text(QUOTE)
    page.get_by_role("button", name="Show all 2,841 characters").click()
    expect(passage.locator("mark")).to_have_text(QUOTE)
    assert passage.text_content() == f"{words}{QUOTE} {words}"


def test_a_question_shows_judgements_nuggets_verdict_and_both_answers(open_report: Open) -> None:
    page = open_report(fragment="#q=q1")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".ranking").first).to_contain_text("relevant, grade 2")
    expect(dialog.locator(".ranking").first).to_contain_text("paper-b unjudged")
    expect(dialog).to_contain_text("Missed ✓ relevant, grade 1 rank 17")
    expect(dialog.locator(".nuggets").first.locator("li")).to_have_text(
        ["✓ stated Bonuses help. vital", "◐ partly stated Mazes too. "]
    )
    expect(dialog.locator(".notes")).to_have_text("no quote has the negation")
    expect(dialog.locator(".prose")).to_have_text(
        ["Curiosity bonuses help. [1]", "Curiosity bonuses do not help. (not supported) [1]"]
    )


def test_a_crash_says_why(open_report: Open) -> None:
    page = open_report(fragment="#q=odd%2Fid%3F%26%23%3D%25")
    expect(page.get_by_role("dialog")).to_contain_text(f"Asking failed: {HOSTILE}")


@pytest.mark.parametrize("fragment", ["#q=nothing", "#q=%E0%A4%A", "#questions"])
def test_an_address_of_no_question_opens_none(open_report: Open, fragment: str) -> None:
    page = open_report(fragment=fragment)
    expect(rows(page)).to_have_count(5)
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_a_question_opens_and_closes_by_keyboard(open_report: Open) -> None:
    page = open_report()
    link = page.get_by_role("link", name="Why are rewards rare?")
    link.press("Enter")
    expect(page.locator("#detail-heading")).to_be_focused()
    assert page.url.endswith("#q=q3")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(link).to_be_focused()
    expect(page).to_have_url(re.compile(r"/report\.html$"))  # it no longer names the question


def test_the_way_back_closes_a_question(open_report: Open) -> None:
    page = open_report()
    page.get_by_role("link", name="Why are rewards rare?").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("dialog")).to_be_hidden()


def test_next_walks_the_questions_as_they_are_filtered(open_report: Open) -> None:
    page = open_report()
    page.get_by_label("category", exact=True).select_option("finding")
    first, second = ids(page)
    rows(page).first.get_by_role("link").click()
    expect(page.locator("#detail .eyebrow")).to_contain_text(first)
    page.get_by_role("link", name="Next").click()
    expect(page.locator("#detail .eyebrow")).to_contain_text(second)


def test_the_table_filters_by_text_category_outcome_and_change(open_report: Open) -> None:
    page = open_report()
    status = page.locator("#questions [role=status]")
    expect(status).to_have_text("5 questions")
    page.get_by_label("search", exact=True).fill("REWARDS rare")
    assert ids(page) == ["q3"]
    expect(status).to_have_text("1 of 5 questions")
    page.get_by_label("search", exact=True).fill("zebra")
    expect(page.get_by_text("No question is like that.")).to_be_visible()
    page.get_by_role("button", name="Reset").click()
    expect(status).to_have_text("5 questions")
    page.get_by_label("category", exact=True).select_option("none")
    assert sorted(ids(page)) == ["odd/id?&#=%", "q5"]
    page.get_by_label("outcome", exact=True).select_option("crashed")
    assert ids(page) == ["odd/id?&#=%"]
    page.get_by_role("button", name="Reset").click()
    page.get_by_label("change", exact=True).select_option("worse")
    assert sorted(ids(page)) == ["odd/id?&#=%", "q2"]


def test_a_count_of_an_outcome_shows_its_questions(open_report: Open) -> None:
    page = open_report()
    page.get_by_role("button", name="1 wrong").click()
    assert ids(page) == ["q2"]


def test_the_table_opens_by_size_of_change_and_sorts_by_its_headers(open_report: Open) -> None:
    page = open_report()
    assert ids(page) == ["odd/id?&#=%", "q1", "q2", "q3", "q5"]  # 0.9, 0.6, 0.1, 0, none
    header = page.locator(".questions thead th", has_text="ndcg@10")
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "ascending")
    assert ids(page) == ["odd/id?&#=%", "q2", "q3", "q1", "q5"]
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "descending")
    assert ids(page) == ["q1", "q3", "q2", "odd/id?&#=%", "q5"]  # what has no value stays last
    expect(page.locator(".questions [aria-sort]")).to_have_count(1)


def test_a_change_is_told_in_words(open_report: Open) -> None:
    page = open_report()
    expect(page.locator(".card", has_text="ndcg@10").locator(".change")).to_have_text("▲ +0.100 better")
    row = page.locator("#comparison tbody tr", has_text="ndcg@10")
    expect(row).to_contain_text("▲ better")
    expect(row).to_contain_text("2 / 3 / 0")
    expect(page.locator("#gate")).to_contain_text("Failed: 1 of 1 check")


def test_drawings_have_words_and_a_table(open_report: Open) -> None:
    page = open_report()
    expect(page.get_by_role("img", name="Risk–coverage curve")).to_be_visible()
    expect(page.get_by_role("img", name="Latency histogram")).to_be_visible()
    page.locator("#charts summary").last.click()
    expect(page.get_by_role("row", name="1 to 10 2", exact=True)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(open_report: Open, scheme: Literal["light", "dark"]) -> None:
    page = open_report()
    page.emulate_media(color_scheme=scheme)
    for summary in page.locator("main summary").all():
        if summary.is_visible() and not summary.evaluate("node => node.parentElement.open"):
            summary.click()
    assert violations(page) == []
    rows(page).nth(1).get_by_role("link").click()
    expect(page.locator("#detail .sides").first).to_be_visible()
    assert violations(page) == []


def test_a_thousand_questions_come_in_slices(open_report: Open) -> None:
    said = answer("Curiosity bonuses help.")
    many = tuple(
        question(f"q{n}", f"Question {n} of many?", "finding", side("right", n / 1_000, said))
        for n in range(1_000)
    )
    page = open_report(many)
    expect(page.locator("#questions [role=status]")).to_have_text("1,000 questions")
    expect(rows(page)).to_have_count(50)
    page.get_by_role("button", name="Show 50 more").click()
    expect(rows(page)).to_have_count(100)
    expect(rows(page).nth(50).get_by_role("link")).to_be_focused()
    page.get_by_label("search", exact=True).fill("question 999")
    assert ids(page) == ["q999"]
    rows(page).first.get_by_role("link").click()
    expect(page.locator("#detail-heading")).to_have_text("Question 999 of many?")


def test_a_phone_scrolls_tables_and_not_the_page(open_report: Open) -> None:
    page = open_report()
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    rows(page).first.get_by_role("link").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate("document.getElementById('detail').scrollWidth") <= 320
