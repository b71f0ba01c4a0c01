"""Scoring a run: which rows there are."""

from __future__ import annotations

import math

import pytest

from eval.case import Case, Run, cases_of
from eval.metrics.metric import Metric
from eval.outcome import Outcome
from eval.questions.question import EvalQuestion
from eval.scores import Row
from eval.scoring import score
from rag.answer import Answer, Filters, Provenance, Understood
from rag.verify import Verifier

QUESTIONS = (
    EvalQuestion(id="a", question="First?", cluster="c", category="finding"),
    EvalQuestion(id="b", question="Second?", answerable=False, why_not="nobody knows"),
)


def never_asked() -> Run:
    """Two questions that were never asked."""
    return Run(cases_of(QUESTIONS, {}), {}, Verifier(lambda term: 1.0))


def metric(name: str, value: float | None = 0.5, crashed: float | None = 0.0) -> Metric:
    return Metric(
        name, "", "", lambda question: question.answerable, lambda case, run: value, crashed=crashed
    )


def test_a_crash_scores_its_value_where_the_metric_applies() -> None:
    found = score(never_asked(), [metric("m", crashed=0.0), metric("latency", crashed=None)])
    assert found.rows == (Row("a", "c", "finding", "m", 0.0),)


def answered() -> Run:
    """The same two, both refused."""
    refusal = Answer(
        id="r",
        question="?",
        understood=Understood(text="?", topic=None, filters=Filters(), kind="finding"),
        topic=None,
        answered=False,
        kind="refusal",
        answer="",
        timing_ms={},
        provenance=Provenance(index="i", encoder="e", answerer="a", version="v"),
    )
    outcomes = {question.id: Outcome(question_id=question.id, answer=refusal) for question in QUESTIONS}
    return Run(cases_of(QUESTIONS, outcomes), {}, Verifier(lambda term: 1.0))


def test_rows_come_in_the_order_of_questions_and_metrics() -> None:
    everywhere = Metric("e", "", "", lambda question: True, lambda case, run: 1.0)
    found = score(answered(), [metric("m"), everywhere, metric("undefined", None)])
    assert [(row.question, row.metric, row.value) for row in found.rows] == [
        ("a", "m", 0.5),
        ("a", "e", 1.0),
        ("b", "e", 1.0),
    ]
    assert found.rows[2].cluster == "b"


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_a_metric_that_gives_no_finite_number_is_a_fault(value: float) -> None:
    with pytest.raises(ValueError, match="m of a is"):
        score(answered(), [metric("m", value)])


def test_a_metric_that_raises_is_not_silenced() -> None:
    def broken(case: Case, run: Run) -> float:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        score(answered(), [Metric("m", "", "", lambda question: True, broken)])
