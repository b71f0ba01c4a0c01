"""Number accuracy against sources, number recall against nuggets."""

from __future__ import annotations

from typing import Any

import pytest

from eval.metrics import number_accuracy, number_recall
from eval.metrics.number_accuracy import number_accuracy as accuracy
from eval.metrics.number_recall import number_recall as recall
from eval.questions.question import Nugget

QUOTE = "The gain was 38 percent in 1,200 mice."


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("It gained 38% in 1200 mice.", 1.0),
        ("It gained 83% in 1,200 mice.", 0.5),
        ("It gained 0.38.", 0.0),
        ("It gained a lot with GPT-4 [3].", None),
    ],
)
def test_accuracy_is_the_share_of_stated_numbers_that_the_passages_hold(
    statement: str, expected: float | None
) -> None:
    assert accuracy([(statement, [QUOTE])]) == expected


def test_a_number_of_another_statements_passage_does_not_stand() -> None:
    assert accuracy([("It gained 38%.", ["nothing"]), ("It was done.", [QUOTE])]) == 0.0
    assert accuracy([("It gained 38%.", [])]) == 0.0


def test_the_source_is_read_and_not_what_is_said_to_be_its_quote(desk: Any, ask: Any) -> None:
    table = desk(a=QUOTE)
    place = {"quote_start": 0, "quote_end": len(QUOTE)}
    altered = table.cite("a", QUOTE.replace("38", "83"), **place)
    run = table.run((ask(), table.answer(("The gain was 83 percent.", [altered]))))
    assert number_accuracy.METRICS[0].score(run.cases[0], run) == 0.0
    honest = table.run((ask(), table.answer(("The gain was 38 percent.", [table.cite("a", QUOTE)]))))
    assert number_accuracy.METRICS[0].score(honest.cases[0], honest) == 1.0


def test_a_refusal_states_no_numbers(desk: Any, ask: Any) -> None:
    run = desk().run((ask(), desk().refusal()))
    assert number_accuracy.METRICS[0].score(run.cases[0], run) is None


def test_recall_counts_each_number_asked_for_once() -> None:
    assert recall(["38%", "1,200", "38 percent"], ["It was 38% of all."]) == 0.5
    assert recall(["one"], ["There is one."]) == 1.0
    assert recall(["Q1"], ["In Q1."]) is None


def test_a_refusal_recalls_no_number(desk: Any, ask: Any) -> None:
    question = ask(nuggets=(Nugget(text="the gain", numbers=("38%",)),))
    run = desk().run((question, desk().refusal()))
    assert number_recall.METRICS[0].score(run.cases[0], run) == 0.0


def test_recall_applies_where_a_nugget_names_a_number(ask: Any) -> None:
    assert not number_recall.METRICS[0].applies(ask(nuggets=(Nugget(text="the gain was 38%"),)))
    assert number_recall.METRICS[0].applies(ask(nuggets=(Nugget(text="gain", numbers=("38%",)),)))
