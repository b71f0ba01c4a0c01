"""What every ranking metric has in common: when it applies, and what it makes of failure."""

from __future__ import annotations

import pytest

from eval.case import Case, Run
from eval.metrics import average_precision, bpref, judged, ndcg, recall, reciprocal_rank, success
from eval.metrics.metric import Metric
from eval.outcome import Outcome, Ranked
from eval.questions.question import EvalQuestion
from rag.verify import Verifier

MODULES = (average_precision, bpref, judged, ndcg, recall, reciprocal_rank, success)
METRICS = tuple(metric for module in MODULES for metric in module.METRICS)
QUESTION = EvalQuestion(id="q", question="Do fasted mice live longer?", relevant={"a": 2, "b": 1, "x": 0})


def score(metric: Metric, ranked: list[str]) -> float | None:
    entries = tuple(Ranked(id=source, score=-rank) for rank, source in enumerate(ranked))
    case = Case(QUESTION, Outcome(question_id="q", ranked=entries))
    return metric.score(case, Run([case], {}, Verifier(lambda term: 1.0)))


def test_the_names_are_those_of_tables_and_thresholds() -> None:
    assert sorted(metric.name for metric in METRICS) == [
        "ap@100",
        "bpref",
        "judged@10",
        "ndcg@10",
        "ndcg_exp@10",
        "recall@10",
        "recall@100",
        "rr@10",
        "success@1",
        "success@5",
    ]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_the_best_ranking_scores_one_and_an_empty_one_or_a_crash_zero(metric: Metric) -> None:
    assert score(metric, ["a", "b"]) == 1.0
    assert score(metric, []) == 0.0
    assert metric.crashed == 0.0
    assert metric.higher_is_better


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_it_applies_where_something_is_relevant(metric: Metric) -> None:
    assert metric.applies(QUESTION)
    assert not metric.applies(QUESTION.model_copy(update={"relevant": {}}))
    assert not metric.applies(QUESTION.model_copy(update={"relevant": {"x": 0}}))


def test_every_cutoff_is_the_one_in_the_name() -> None:
    below = {metric.name: score(metric, ["u"] * 10 + ["a"]) for metric in METRICS}
    assert {name for name, value in below.items() if value} == {"recall@100", "ap@100", "bpref"}
    assert below["recall@100"] == 0.5
    further = {metric.name: score(metric, ["u"] * 100 + ["a"]) for metric in METRICS}
    assert {name for name, value in further.items() if value} == {"bpref"}
    fifth, sixth = (
        {metric.name: score(metric, ["u"] * above + ["a"]) for metric in METRICS} for above in (4, 5)
    )
    assert (fifth["success@1"], fifth["success@5"], sixth["success@5"]) == (0.0, 1.0, 0.0)
