"""Whether a follow-up was understood."""

from __future__ import annotations

from typing import Any

import pytest

from eval.metrics.resolved import METRICS
from eval.questions.question import Nugget
from rag.answer import Turn

HISTORY = (Turn(question="What is a lagoon?", answer="A bay behind a wall."),)
INCOME = "Pumping raised the income by a quarter."
SILT = "Silt fills lagoons slowly."


def resolved(desk: Any, question: Any, answer: Any) -> float | None:
    run = desk.run((question, answer))
    return METRICS[0].score(run.cases[0], run)


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [("lagoons", INCOME, 1.0), ("lagoons", SILT, 0.0), ("turbines", INCOME, 0.0)],
)
def test_both_the_source_and_the_fact_have_to_be_right(
    desk: Any, ask: Any, source: str, text: str, expected: float
) -> None:
    on_desk = desk(lagoons=f"{INCOME} {SILT}", turbines=INCOME)
    question = ask(
        history=HISTORY,
        must_cite=("lagoons",),
        nuggets=(Nugget(text="raised the income by a quarter"), Nugget(text="at high tide", vital=False)),
    )
    answer = on_desk.answer((text, [on_desk.cite(source, text)]))
    assert resolved(on_desk, question, answer) == expected


def test_what_the_question_does_not_name_is_not_asked_for(desk: Any, ask: Any) -> None:
    on_desk = desk(lagoons=SILT)
    answer = on_desk.answer((SILT, [on_desk.cite("lagoons", SILT)]))
    assert resolved(on_desk, ask(history=HISTORY, must_cite=("lagoons",)), answer) == 1.0
    assert resolved(on_desk, ask(history=HISTORY, nuggets=(Nugget(text=SILT),)), answer) == 1.0


def test_a_refusal_is_right_where_nothing_answers_and_only_there(desk: Any, ask: Any) -> None:
    on_desk = desk(lagoons=SILT)
    answer = on_desk.answer((SILT, [on_desk.cite("lagoons", SILT)]))
    off = ask(history=HISTORY, answerable=False)
    assert resolved(on_desk, off, on_desk.refusal()) == 1.0
    assert resolved(on_desk, off, answer) == 0.0
    assert resolved(on_desk, ask(history=HISTORY), on_desk.refusal()) == 0.0


def test_a_question_without_history_is_no_follow_up(ask: Any) -> None:
    assert METRICS[0].applies(ask(history=HISTORY))
    assert not METRICS[0].applies(ask())
