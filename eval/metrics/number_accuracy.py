"""Number accuracy: of the numbers an answer states, the share that stand in what it cites for them.

    accuracy = |{numbers of statements that their cited passages hold}| / |{numbers of statements}|

The passages are read from the sources, at the offsets of the citations, so that a quote altered along with
its statement is found out. What counts as a number, and which are equal, `numerals` says. Undefined for an
answer without numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eval.case import Case, Run
from eval.metrics.metric import Metric
from eval.metrics.numerals import Number, numbers_held, numbers_in
from eval.metrics.quotes import passage_at


def number_accuracy(statements: Iterable[tuple[str, Sequence[str]]]) -> float | None:
    """Return the share over (statement, its passages); None if no statement states a number."""
    total = standing = 0
    for statement, passages in statements:
        held = frozenset[Number]().union(*map(numbers_held, passages))
        stated = numbers_in(statement)
        total += len(stated)
        standing += sum(number in held for number in stated)
    return standing / total if total else None


def _score(case: Case, run: Run) -> float | None:
    if not case.words_sources:
        return None
    return number_accuracy(
        (statement.text, [passage_at(citation, run) or "" for citation in statement.citations])
        for statement in case.statements
    )


METRICS: tuple[Metric, ...] = (
    Metric(
        name="number_accuracy",
        meaning="share of the stated numbers that stand in the passages cited for them",
        source="own definition: numbers compared up to typography",
        applies=lambda _: True,
        score=_score,
    ),
)
