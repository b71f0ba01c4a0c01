"""Risk and coverage: whether a system is surer where it is right.

    r(k) = share of wrong answers among the k that it is surest of
    AURC = (1/n) sum_{k=1..n} r(k)

over the n answered questions by falling confidence. Geifman and El-Yaniv, "Selective Classification for Deep
Neural Networks", NeurIPS 2017; the area as in Geifman, Uziel and El-Yaniv, "Bias-Reduced Uncertainty
Estimation for Deep Neural Classifiers", ICLR 2019. Equally sure answers have no order: r(k) is its mean over
all of theirs, so that the area does not depend on the order of the questions.

An answer is **wrong** if the question cannot be answered; if none of its `must_cite` is cited; if none of its
vital nuggets is stated, not even in part; or, where neither is known, if none of its relevant sources is
cited. Undefined where nothing is known. Neither figure has a row for a question that was not answered, crash
or refusal: both lower the coverage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from eval.case import Case, Run
from eval.metrics.metric import Column, Derived, Metric
from eval.metrics.nuggets import has_vital, matches


class RiskPoint(NamedTuple):
    """The share of all questions answered with at least this confidence, and of those the share wrong."""

    confidence: float
    coverage: float
    risk: float


def risk_coverage(confidence: Sequence[float], wrong: Sequence[float], total: int) -> list[RiskPoint]:
    """Return one point for each distinct confidence, falling: what a bar set there would give.

    `confidence` and `wrong` are of the answered questions, `total` is how many were asked. Raises
    `ValueError` for columns of unequal length, or more answers than questions.
    """
    if len(confidence) > total:
        raise ValueError(f"{len(confidence)} answers to {total} questions")
    points = []
    answered = errors = 0.0
    for value, group in _by_confidence(confidence, wrong):
        answered += len(group)
        errors += sum(group)
        points.append(RiskPoint(value, answered / total, errors / answered))
    return points


def aurc(confidence: Sequence[float], wrong: Sequence[float]) -> float:
    """Return the area under the risk–coverage curve. Raises `ValueError` for no answers."""
    if not len(confidence):
        raise ValueError("the risk of no answers is undefined")
    if len(confidence) != len(wrong):
        raise ValueError(f"{len(confidence)} confidences for {len(wrong)} answers")
    values, place = np.unique(-np.asarray(confidence, np.float64), return_inverse=True)
    size = np.bincount(place, minlength=len(values))
    share = np.bincount(place, weights=np.asarray(wrong, np.float64)) / size
    # Answers of one confidence are answered together: each bears the share of them that is wrong.
    risk = np.cumsum(np.repeat(share, size)) / np.arange(1, len(place) + 1)
    return float(risk.mean())


def _by_confidence(confidence: Sequence[float], wrong: Sequence[float]) -> list[tuple[float, list[float]]]:
    pairs = sorted(zip(confidence, wrong, strict=True), key=lambda pair: -pair[0])
    return [(value, [error for _, error in group]) for value, group in groupby(pairs, lambda pair: pair[0])]


def is_wrong(case: Case) -> bool | None:
    """Return whether an answer is wrong, as far as the question knows; None if it knows nothing."""
    question = case.question
    if not question.answerable:
        return True
    known = []
    if question.must_cite:
        known.append(case.cited.isdisjoint(question.must_cite))
    if has_vital(question):
        known.append(not any(found.support for found in matches(case, vital=True)))
    if not known and question.positives:
        known.append(case.cited.isdisjoint(question.positives))
    return any(known) if known else None


def _confidence(case: Case, _: Run) -> float | None:
    return case.answer.confidence if case.answered and case.answer else None


def _wrong(case: Case, _: Run) -> float | None:
    wrong = is_wrong(case) if case.answered else None
    return None if wrong is None else float(wrong)


def _area(columns: Mapping[str, Column]) -> float:
    return aurc(columns["confidence"].tolist(), columns["wrong"].tolist())


METRICS: tuple[Metric, ...] = (
    Metric(
        name="confidence",
        meaning="how sure the system is of the answers that it gives",
        source="the answer contract",
        applies=lambda _: True,
        score=_confidence,
        crashed=None,
    ),
    Metric(
        name="wrong",
        meaning="share of the answers given that are wrong",
        source="Geifman & El-Yaniv 2017: selective risk at full coverage",
        applies=lambda _: True,
        score=_wrong,
        higher_is_better=False,
        crashed=None,
    ),
)
DERIVED: tuple[Derived, ...] = (
    Derived(
        name="aurc",
        meaning="area under the risk–coverage curve: mean share of wrong answers among the surest",
        source="Geifman & El-Yaniv 2017; Geifman et al. 2019",
        needs=("confidence", "wrong"),
        value=_area,
        higher_is_better=False,
    ),
)
