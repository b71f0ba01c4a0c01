"""The same sources for the same question, asked otherwise."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from eval.metrics.stability import METRICS, agreement


@pytest.fixture
def score(desk: Any, ask: Any) -> Any:
    """Score the first of a cluster's questions, each given by what it cites: None refuses, "!" crashes."""

    def of(*cited: str | None, **others: Any) -> float | None:
        table = desk()
        asked = []
        for n, sources in enumerate(cited):
            question = ask(id=f"q{n}", cluster="same", **(others if n else {}))
            if sources == "!":
                answer = None
            elif sources is None:
                answer = table.refusal()
            else:
                answer = table.answer(("So it is.", [table.cite(source, "x") for source in sources]))
            asked.append((question, answer))
        run = table.run(*asked)
        return METRICS[0].score(run.cases[0], run)

    return of


@pytest.mark.parametrize(
    ("cited", "expected"),
    [
        (("ab", "ab"), 1.0),
        (("ab", "bc"), 1 / 3),
        (("ab", "ab", "cd"), 0.5),
        (("a", None), 0.0),
        ((None, "a"), 0.0),
        ((None, None), 1.0),
        (("", ""), 1.0),
        (("a", "!"), 0.0),
        ((None, "!"), 0.0),
    ],
)
def test_it_is_the_mean_agreement_with_each_other(
    score: Any, cited: tuple[str | None, ...], expected: float
) -> None:
    assert score(*cited) == pytest.approx(expected)


def test_a_question_alone_in_its_cluster_has_none(score: Any, ask: Any) -> None:
    assert score("a") is None
    assert not METRICS[0].applies(ask())


@pytest.mark.parametrize("others", [{"answerable": False}, {"as_of": dt.date(2020, 1, 1)}, {"topic": "rl"}])
def test_questions_to_be_answered_otherwise_are_not_compared(score: Any, others: dict[str, Any]) -> None:
    assert score("a", "b", **others) is None


def test_agreement_is_symmetric() -> None:
    assert agreement({"a", "b"}, {"b"}) == agreement({"b"}, {"a", "b"}) == 0.5
