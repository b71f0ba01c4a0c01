"""Number recall: of the numbers an answer should state, the share that it states.

    recall = |{numbers of the nuggets that a statement holds}| / |{numbers of the nuggets}|

Each number counts once, however many nuggets name it. A refusal states none, and scores 0. Undefined where
nothing that the nuggets call a number is one (`numerals`).
"""

from __future__ import annotations

from collections.abc import Iterable

from eval.case import Case, Run
from eval.metrics.metric import Metric
from eval.metrics.numerals import Number, numbers_held, numbers_in


def number_recall(wanted: Iterable[str], statements: Iterable[str]) -> float | None:
    """Return the share of the wanted numbers, each as written, that the statements hold."""
    numbers = {number for text in wanted for number in numbers_in(text, one=True)}
    stated = frozenset[Number]().union(*map(numbers_held, statements))
    return len(numbers & stated) / len(numbers) if numbers else None


def _score(case: Case, _: Run) -> float | None:
    return number_recall(
        (number for nugget in case.question.nuggets for number in nugget.numbers),
        (statement.text for statement in case.statements),
    )


METRICS: tuple[Metric, ...] = (
    Metric(
        name="number_recall",
        meaning="share of the numbers asked for that the answer states",
        source="own definition: numbers compared up to typography",
        applies=lambda question: any(nugget.numbers for nugget in question.nuggets),
        score=_score,
    ),
)
