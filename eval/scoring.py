"""From a run to its scores: every metric for every question to which it applies."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from eval.case import Case, Run
from eval.metrics import METRICS
from eval.metrics.metric import Metric
from eval.scores import Row, Scores


def score(run: Run, metrics: Sequence[Metric] = METRICS) -> Scores:
    """Score a run, in the order of its questions and of the metrics.

    A crashed question gets the metric's `crashed` value. A metric that raises is a fault of the program, and
    is not caught; neither is one that gives no finite number: `ValueError`.
    """
    return Scores(tuple(row for case in run.cases for row in _rows(case, run, metrics)))


def _rows(case: Case, run: Run, metrics: Sequence[Metric]) -> Iterator[Row]:
    question = case.question
    for metric in metrics:
        if not metric.applies(question):
            continue
        value = metric.crashed if case.crashed else metric.score(case, run)
        if value is None:
            continue
        if not math.isfinite(value):
            raise ValueError(f"{metric.name} of {question.id} is {value}")
        yield Row(question.id, question.group, question.category, metric.name, float(value))
