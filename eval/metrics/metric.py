"""What a metric is: a number for a question, and figures derived from such numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eval.case import Case, Run
from eval.questions.question import EvalQuestion

Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Metric:
    """A number for each question to which it applies; its figure for a set is the mean.

    `score` may return None where the answer leaves it undefined (an answer without numbers has no number
    accuracy); the question then has no row. Where it is never called, because asking failed, the question
    scores `crashed`: the worst value, so that failing never helps. None there means that a failed question
    has none (a latency).
    """

    name: str
    meaning: str
    source: str
    applies: Callable[[EvalQuestion], bool]
    score: Callable[[Case, Run], float | None]
    higher_is_better: bool = True
    crashed: float | None = 0.0
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Derived:
    """A figure of a whole set, computed from the columns of metrics: an F1, an area, a percentile.

    `value` gets the columns that `needs` names, of equal length, over the questions that have them all;
    never empty. It returns NaN where it is undefined.
    """

    name: str
    meaning: str
    source: str
    needs: tuple[str, ...]
    value: Callable[[Mapping[str, Column]], float]
    higher_is_better: bool = True
    unit: str = ""
