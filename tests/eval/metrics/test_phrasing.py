"""Whether a statement says what a phrasing says."""

from __future__ import annotations

import pytest

from eval.metrics.phrasing import NONE, PARTIAL, SUPPORT, read, stands_in, support


def said(phrasing: str, statement: str) -> float:
    return support(read(phrasing), read(statement))


@pytest.mark.parametrize(
    ("phrasing", "statement"),
    [
        ("fasting lowers blood pressure", "Blood pressure was lowered by fasting."),
        ("PPO learned faster on Atari", "On Atari, as expected, PPO learns faster than all others."),
        ("the behaviour is optimised", "Its behavior has been optimized."),
        ("the error fell by 38%", "The error fell by 38 percent."),
        ("a model of 1.5M weights", "The model has 1,500,000 weights."),
        ("the agent needs no labels", "Labels are not needed by the agent."),
        ("it works without rewards", "It doesn't work with rewards."),
        ("improves memory", "It does not need sleep, and it improves memory."),
        ("improves memory", "It not only improves memory but also mood."),
        (
            "fasting lowers pressure",
            "Not one of all the mice in these trials ate, and fasting lowers pressure.",
        ),
        ("fasting lowers pressure", "With no food for days at a time and for weeks fasting lowers pressure."),
        ("carries a risk", "It is not without risk, and carries much of it."),
        ("fails to converge", "The method does not converge."),
        ("Yes", "Yes, it does."),
    ],
)
def test_it_is_said_in_other_order_form_and_typography(phrasing: str, statement: str) -> None:
    assert said(phrasing, statement) == SUPPORT


@pytest.mark.parametrize(
    ("phrasing", "statement"),
    [
        ("fasting does not lower blood pressure", "Fasting lowers blood pressure."),
        ("fasting lowers blood pressure", "Fasting does not lower blood pressure."),
        ("fasting lowers blood pressure", "Fasting doesn’t lower blood pressure."),
        ("fasting lowers blood pressure", "Fasting can't lower blood pressure."),
        ("it learns with labels", "It learns without any labels."),
        ("it learns without labels", "It learns with labels."),
        ("no gain in accuracy was found", "A gain in accuracy was found."),
        ("neither dose nor age mattered", "Both dose and age mattered."),
        ("dose and age mattered", "Neither dose nor age mattered."),
        ("No", "Yes, it does not."),
    ],
)
def test_the_opposite_is_not_support_not_even_in_part(phrasing: str, statement: str) -> None:
    assert said(phrasing, statement) == NONE


@pytest.mark.parametrize(
    ("phrasing", "statement"),
    [
        ("PPO outperforms DQN", "DQN outperforms PPO."),
        ("accuracy rose from 38% to 52%", "Accuracy rose from 52% to 38%."),
        ("PPO is faster than DQN", "DQN is faster than PPO."),
        ("the error fell by 38%", "The error fell by 83%."),
        ("fasting lowers blood pressure in mice", "Fasting lowers weight in mice: blood loss is no cause."),
    ],
)
def test_most_of_the_terms_or_the_wrong_order_is_partial(phrasing: str, statement: str) -> None:
    assert said(phrasing, statement) == PARTIAL


@pytest.mark.parametrize(
    ("phrasing", "statement"),
    [
        ("more stable", "It is less stable."),
        ("off-policy", "It is on-policy."),
        ("on-policy", "It is off-policy."),
        ("fasting lowers pressure", "Sleep lowers nothing."),
        ("does fasting lower blood pressure", "Does fasting lower blood pressure?"),
        ("0.38", "It was 38% of all."),
    ],
)
def test_few_of_the_terms_or_a_question_are_none(phrasing: str, statement: str) -> None:
    assert said(phrasing, statement) == NONE


def test_a_repeated_term_counts_where_it_fits() -> None:
    statement = "The model does not use labels; the model uses rewards."
    assert said("the model uses rewards", statement) == SUPPORT
    assert said("the model does not use labels", statement) == SUPPORT
    assert said("the model uses labels", statement) == NONE


def test_a_forbidden_phrasing_stands_only_close_together_and_in_order() -> None:
    def stands(phrasing: str, statement: str) -> bool:
        return stands_in(read(phrasing), read(statement))

    assert stands("increases variance", "It increases the gradient variance.")
    assert not stands("increases variance", "It increases the return and lowers the variance.")
    assert not stands("DQN outperforms PPO", "PPO outperforms DQN.")
    assert not stands("needs labels", "It does not need labels.")
    assert stands("does not need labels", "It doesn't need labels.")
    assert not stands("increases variance", "It increases.")
