"""Refusals: whether a system knows when it cannot answer.

    answer_rate       = |answerable and answered| / |answerable|
    refusal_recall    = |unanswerable and refused| / |unanswerable|
    refusal_precision = |unanswerable and refused| / |refused|
    refusal_f1        = 2 TP / (2 TP + FP + FN)

TP: refused, and rightly; FP: refused an answerable question; FN: did not refuse an unanswerable one. F1 as
van Rijsbergen, "Information Retrieval", 1979, chapter 7 has it. A crash is never right; each of these
counts it as a mistake, F1 once.

`refused` and `refusal_accuracy`, the two columns that F1 is computed from, have a row for every question:
which of TP, FP, FN and TN it was follows from whether it was refused and whether that was right.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from eval.case import Case, Run
from eval.metrics.metric import Column, Derived, Metric


def refusal_f1(refused: Column, right: Column) -> float:
    """Return F1 over questions that were refused or not, rightly or not; NaN where there is nothing to
    refuse and nothing was."""
    was_refused, was_right = refused > 0, right > 0
    hits = int(np.sum(was_refused & was_right))
    mistakes = int(np.sum(~was_right))
    return 2 * hits / (2 * hits + mistakes) if hits + mistakes else math.nan


def _answered(case: Case, _: Run) -> float:
    return float(case.answered)


def _refused(case: Case, _: Run) -> float:
    return float(not case.answered)


def _rightly(case: Case, _: Run) -> float:
    return float(case.answered == case.question.answerable)


def _refused_rightly(case: Case, _: Run) -> float | None:
    return None if case.answered else float(not case.question.answerable)


def _f1(columns: Mapping[str, Column]) -> float:
    return refusal_f1(columns["refused"], columns["refusal_accuracy"])


METRICS: tuple[Metric, ...] = (
    Metric(
        name="answer_rate",
        meaning="share of the answerable questions that are answered",
        source="coverage of the answerable questions",
        applies=lambda question: question.answerable,
        score=_answered,
    ),
    Metric(
        name="refusal_recall",
        meaning="share of the unanswerable questions that are refused",
        source="recall, refusal being the class",
        applies=lambda question: not question.answerable,
        score=_refused,
    ),
    Metric(
        name="refusal_precision",
        meaning="share of the refusals that were of unanswerable questions",
        source="precision, refusal being the class",
        applies=lambda _: True,
        score=_refused_rightly,
    ),
    Metric(
        name="refused",
        meaning="share of all questions that are refused, rightly or not",
        source="own definition",
        applies=lambda _: True,
        score=_refused,
        higher_is_better=False,
        # It left the reader without an answer too. For F1 it is a mistake either way.
        crashed=1.0,
    ),
    Metric(
        name="refusal_accuracy",
        meaning="share of all questions that are answered if they can be, and refused if not",
        source="accuracy, refusal being the class",
        applies=lambda _: True,
        score=_rightly,
    ),
)
DERIVED: tuple[Derived, ...] = (
    Derived(
        name="refusal_f1",
        meaning="harmonic mean of the precision and recall of refusals",
        source="van Rijsbergen 1979, chapter 7",
        needs=("refused", "refusal_accuracy"),
        value=_f1,
    ),
)
