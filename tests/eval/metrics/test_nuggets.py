"""Nuggets: support, partial support, and what takes it away."""

from __future__ import annotations

from typing import Any

import pytest

from eval.metrics.nuggets import METRICS, Match, coverage, match
from eval.questions.question import Nugget

BY_NAME = {metric.name: metric for metric in METRICS}
GAIN = Nugget(
    text="fasting lowered blood pressure by 38%",
    accepted=("pressure fell in fasting mice",),
    numbers=("38%",),
    forbidden=("fasting raised blood pressure",),
)


def test_the_text_or_any_accepted_phrasing_supports_with_all_numbers() -> None:
    assert match(GAIN, ["By 38 percent, fasting lowered blood pressure."]).support == 1.0
    found = match(GAIN, ["Nothing.", "Pressure fell in the fasting mice.", "It was 38% less."])
    assert found == Match(1.0, 1, "pressure fell in fasting mice")


def test_a_missing_or_changed_number_leaves_partial_support() -> None:
    assert match(GAIN, ["Pressure fell in the fasting mice."]).support == 0.5
    assert match(GAIN, ["Fasting lowered blood pressure by 83%."]).support == 0.5


def test_what_is_no_number_has_to_stand_as_a_word() -> None:
    nugget = Nugget(text="profits rose", numbers=("Q1",))
    assert match(nugget, ["Profits rose in Q1."]).support == 1.0
    assert match(nugget, ["Profits rose in Q2."]).support == 0.5


def test_a_dropped_or_added_negation_leaves_nothing() -> None:
    nugget = Nugget(text="sleep does not improve memory")
    assert match(nugget, ["Sleep doesn't improve memory."]).support == 1.0
    assert match(nugget, ["Sleep does improve memory."]).support == 0.0
    assert match(GAIN, ["Fasting never lowered blood pressure by 38%."]).support == 0.0


def test_a_forbidden_phrasing_anywhere_takes_all_support() -> None:
    statements = ["Fasting lowered blood pressure by 38%.", "Fasting raised blood pressure."]
    assert match(GAIN, statements) == Match(0.0, 1, "fasting raised blood pressure", forbidden=True)


def test_terms_spread_over_statements_are_no_support() -> None:
    assert match(GAIN, ["Fasting is hard.", "Blood is red.", "Pressure was lowered."]).support == 0.0


def test_coverage_is_strict_or_gives_half_for_partial_support() -> None:
    assert coverage([1.0, 0.5, 0.0, 0.5], strict=True) == 0.25
    assert coverage([1.0, 0.5, 0.0, 0.5], strict=False) == 0.5
    with pytest.raises(ValueError, match="no nuggets"):
        coverage([], strict=True)


def scores(desk: Any, question: Any, answer: Any) -> dict[str, float | None]:
    run = desk.run((question, answer))
    return {name: metric.score(run.cases[0], run) for name, metric in BY_NAME.items()}


def test_vital_and_all_nuggets_strict_and_partial(desk: Any, ask: Any) -> None:
    more = Nugget(text="the mice were old", vital=False)
    vital = Nugget(text="the effect lasted for weeks")
    table = desk()
    answer = table.answer(("Pressure fell in fasting mice.", []), ("The effect lasted for weeks.", []))
    assert scores(table, ask(nuggets=(GAIN, vital, more)), answer) == {
        "nuggets_vital_strict": 0.5,
        "nuggets_vital": 0.75,
        "nuggets_strict": pytest.approx(1 / 3),
        "nuggets": 0.5,
    }


def test_a_refusal_states_nothing(desk: Any, ask: Any) -> None:
    assert set(scores(desk(), ask(nuggets=(GAIN,)), desk().refusal()).values()) == {0.0}


def test_an_echo_of_the_question_states_nothing(desk: Any, ask: Any) -> None:
    table = desk()
    echo = table.answer(("Has fasting lowered blood pressure by 38%?", []))
    assert scores(table, ask(nuggets=(GAIN,)), echo)["nuggets"] == 0.0


def test_each_applies_where_it_has_nuggets(ask: Any) -> None:
    question = ask(nuggets=(Nugget(text="the mice were old", vital=False),))
    applying = {name for name, metric in BY_NAME.items() if metric.applies(question)}
    assert applying == {"nuggets", "nuggets_strict"}
    assert not any(metric.applies(ask()) for metric in METRICS)
