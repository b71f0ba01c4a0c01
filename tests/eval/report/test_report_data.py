"""What a report shows of a run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from eval.case import Case
from eval.compare.comparison import compare
from eval.outcome import Outcome
from eval.questions.question import EvalQuestion
from eval.report import ReportData, report_data
from eval.report.side import outcome_of
from eval.runs.folder import RunFolder
from eval.summary import summarise

MakeRun = Callable[..., RunFolder]


def data_of(folder: RunFolder, baseline: RunFolder | None = None) -> ReportData:
    comparison = compare(baseline.scores, folder.scores, resamples=50) if baseline else None
    return report_data(
        folder, summarise(folder.scores, resamples=50), baseline=baseline, comparison=comparison
    )


def test_every_question_is_there_with_what_came_of_it(make_run: MakeRun) -> None:
    data = data_of(make_run())
    assert {view.id: view.candidate.outcome for view in data.questions} == {
        "right": "right",
        "wrong": "wrong",
        "refused": "refused",
        "impossible": "rightly_refused",
        "crashed": "crashed",
    }


def test_a_question_that_was_never_asked_is_shown_as_crashed(make_run: MakeRun) -> None:
    view = data_of(make_run(without=("right",))).questions[0]
    assert (view.id, view.candidate.outcome, view.candidate.error) == ("right", "crashed", "was never asked")


def test_the_ranking_carries_judgements_and_what_it_missed(make_run: MakeRun) -> None:
    side = data_of(make_run()).questions[0].candidate
    assert [(each.id, each.grade) for each in side.ranked] == [
        ("paper-b", 0),
        ("paper-a", 2),
        ("paper-x", None),
    ]
    assert [(each.id, each.grade, each.rank) for each in side.missed] == [("paper-c", 1, None)]


def test_a_statement_carries_its_quotes_and_the_verdict(make_run: MakeRun) -> None:
    right, wrong = (view.candidate.answer for view in data_of(make_run()).questions[:2])
    assert right is not None
    assert wrong is not None
    (stated,) = right.statements
    assert stated.citations[0].found
    assert stated.citations[0].grade == 2
    assert stated.verdict is not None
    assert stated.verdict.supported
    (invented,) = wrong.statements
    assert not invented.citations[0].found
    assert invented.verdict is not None
    assert not invented.verdict.supported
    assert invented.verdict.notes


def test_nuggets_carry_their_support(make_run: MakeRun) -> None:
    view = data_of(make_run()).questions[0]
    assert [nugget.vital for nugget in view.nuggets] == [True, False]
    assert [match.support for match in view.candidate.nuggets] == [1.0, 0.0]


def test_a_source_is_kept_once_with_the_fields_that_are_quoted(make_run: MakeRun) -> None:
    data = data_of(make_run(), make_run("before"))
    assert list(data.sources) == ["paper-a"]
    assert list(data.sources["paper-a"].fields) == ["abstract"]


def test_scores_stand_in_the_order_of_the_metrics(make_run: MakeRun) -> None:
    folder = make_run()
    data = data_of(folder)
    for view in data.questions:
        scores = dict(zip(data.metrics, view.candidate.scores, strict=True))
        kept = {name: value for name, value in scores.items() if value is not None}
        assert kept == {
            name: column[view.id] for name, column in folder.scores.by_metric.items() if view.id in column
        }


def test_a_baseline_of_scores_alone_gives_outcomes_and_changes(make_run: MakeRun) -> None:
    data = data_of(make_run(), make_run("before", scores_only=True, without=("right",)))
    right = data.questions[0]
    assert right.baseline is not None
    assert (right.baseline.outcome, right.baseline.kept, right.baseline.answer) == ("crashed", False, None)
    assert right.change is not None
    assert right.change > 0.5
    assert [view.change for view in data.questions[1:]] == pytest.approx([0.0] * 4)


def test_a_run_of_scores_alone_is_shown_by_ids(make_run: MakeRun) -> None:
    data = data_of(make_run(scores_only=True))
    assert [(view.id, view.question, view.category) for view in data.questions][:2] == [
        ("right", "right", "finding"),
        ("wrong", "wrong", "finding"),
    ]
    assert [view.candidate.outcome for view in data.questions] == [
        "right",
        "wrong",
        "refused",
        "rightly_refused",
        "crashed",
    ]


def test_the_risk_curve_ends_at_what_was_answered(make_run: MakeRun) -> None:
    last = data_of(make_run()).risk_coverage[-1]
    assert last.coverage == pytest.approx(2 / 5)
    assert last.risk == pytest.approx(1 / 2)


def test_every_latency_lies_in_a_bar(make_run: MakeRun) -> None:
    data = data_of(make_run(), make_run("before"))
    assert data.latency is not None
    assert sum(data.latency.counts) == sum(data.latency.baseline_counts) == 4
    assert data.latency.edges[0] <= 5.0
    assert data.latency.edges[-1] > 80.0


def test_filters_are_in_words(make_run: MakeRun) -> None:
    assert data_of(make_run()).questions[0].filters == "venues: NeurIPS"


@pytest.mark.parametrize(
    ("values", "outcome"),
    [
        ({"crashed": 1.0, "refusal_recall": 0.0}, "crashed"),
        ({"refusal_recall": 0.0, "wrong": 1.0}, "unanswerable_answered"),
        ({"answer_rate": 1.0}, "answered"),
        ({"answer_rate": 0.0}, "refused"),
        ({}, "unknown"),
    ],
)
def test_scores_alone_say_what_came_of_a_question(values: dict[str, float], outcome: str) -> None:
    assert outcome_of(values) == outcome


def test_without_an_answer_a_question_has_crashed() -> None:
    question = EvalQuestion(id="q", question="What?")
    assert outcome_of({}, Case(question, Outcome(question_id="q", error="broke"))) == "crashed"
