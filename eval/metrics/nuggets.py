"""Nugget coverage: the share of the facts an answer should state that it does state.

    strict:  |{nuggets with full support}| / |nuggets|
    partial: (|{full}| + 0.5 |{partial}|) / |nuggets|

over the vital nuggets, and over all. Pradeep et al., "Initial Nugget Evaluation Results for the TREC 2024 RAG
Track with the AutoNuggetizer Framework", 2024; a comparison of terms (`phrasing`) stands in for their model.

A nugget has full support if one statement supports its text or an accepted phrasing, and all its numbers
stand in the answer; partial support if a statement supports a phrasing in part, or a number is missing; none
if the answer holds a forbidden phrasing. A refusal states nothing, and scores 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eval.case import Case, Run
from eval.metrics.metric import Metric
from eval.metrics.numerals import Number, numbers_held, numbers_in
from eval.metrics.phrasing import NONE, PARTIAL, SUPPORT, read, stands_in, support
from eval.questions.question import EvalQuestion, Nugget


@dataclass(frozen=True, slots=True)
class Match:
    """How an answer supports a nugget: 1 fully, 0.5 in part, 0 not.

    `statement` is the place of the statement that does, or that holds the forbidden phrasing; `phrasing` is
    the one that matched.
    """

    support: float
    statement: int | None = None
    phrasing: str = ""
    forbidden: bool = False


def match(nugget: Nugget, statements: Sequence[str]) -> Match:
    """Find the best support of a nugget in an answer's statements; the first of equally good ones."""
    readings = [read(statement) for statement in statements]
    for phrasing in nugget.forbidden:
        for n, reading in enumerate(readings):
            if stands_in(read(phrasing), reading):
                return Match(NONE, n, phrasing, forbidden=True)
    best = Match(NONE)
    for phrasing in (nugget.text, *nugget.accepted):
        for n, reading in enumerate(readings):
            value = support(read(phrasing), reading)
            if value > best.support:
                best = Match(value, n, phrasing)
    if best.support == SUPPORT and not _states_numbers(nugget.numbers, statements):
        return Match(PARTIAL, best.statement, best.phrasing)
    return best


def coverage(supports: Sequence[float], *, strict: bool) -> float:
    """Return the mean support; `strict` gives none for partial support. Raises `ValueError` for none."""
    if not supports:
        raise ValueError("the coverage of no nuggets is undefined")
    credited = [value if value == SUPPORT or not strict else NONE for value in supports]
    return sum(credited) / len(credited)


def matches(case: Case, *, vital: bool = False) -> list[Match]:
    """Match the nuggets of a question, or its vital ones, with the answer; in the question's order."""
    statements = [statement.text for statement in case.statements]
    return [match(nugget, statements) for nugget in case.question.nuggets if nugget.vital or not vital]


def has_vital(question: EvalQuestion) -> bool:
    return any(nugget.vital for nugget in question.nuggets)


def _states_numbers(wanted: Sequence[str], statements: Sequence[str]) -> bool:
    stated = frozenset[Number]().union(*map(numbers_held, statements))
    return all(_is_stated(text, stated, statements) for text in wanted)


def _is_stated(text: str, stated: frozenset[Number], statements: Sequence[str]) -> bool:
    numbers = numbers_in(text, one=True)
    if numbers:
        return stated.issuperset(numbers)
    # "Q1", "half": no number as we read them, but a word that has to be there.
    return any(stands_in(read(text), read(statement)) for statement in statements)


def _metric(name: str, meaning: str, *, vital: bool, strict: bool) -> Metric:
    def score(case: Case, _: Run) -> float:
        return coverage([found.support for found in matches(case, vital=vital)], strict=strict)

    return Metric(
        name=name,
        meaning=meaning,
        source="Pradeep et al. 2024 (AutoNuggetizer), with terms compared in place of a model",
        applies=has_vital if vital else lambda question: bool(question.nuggets),
        score=score,
    )


METRICS: tuple[Metric, ...] = (
    _metric("nuggets_vital_strict", "share of the vital facts that are stated", vital=True, strict=True),
    _metric(
        "nuggets_vital",
        "share of the vital facts that are stated, half for one stated in part",
        vital=True,
        strict=False,
    ),
    _metric("nuggets_strict", "share of all facts asked for that are stated", vital=False, strict=True),
    _metric(
        "nuggets",
        "share of all facts asked for that are stated, half for one stated in part",
        vital=False,
        strict=False,
    ),
)
