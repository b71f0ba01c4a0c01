"""Whether a false premise is set right."""

from __future__ import annotations

from typing import Any

import pytest

from eval.metrics.premise import METRICS
from eval.questions.question import Nugget

MET = Nugget(text="silt fills lagoons slowly")


@pytest.mark.parametrize(("said", "expected"), [("Silt fills lagoons slowly.", 1.0), ("Silt is grey.", 0.0)])
def test_an_answer_has_to_say_what_is_the_case(desk: Any, ask: Any, said: str, expected: float) -> None:
    on_desk = desk(lagoons=said)
    question = ask(answerable=False, correction=MET)
    run = on_desk.run((question, on_desk.answer((said, [on_desk.cite("lagoons", said)]))))
    assert METRICS[0].score(run.cases[0], run) == expected


def test_a_refusal_leaves_nobody_misled(desk: Any, ask: Any) -> None:
    run = desk().run((ask(answerable=False, correction=MET), desk().refusal()))
    assert METRICS[0].score(run.cases[0], run) == 1.0


def test_counts_only_premises_that_have_a_correction(ask: Any) -> None:
    assert METRICS[0].applies(ask(answerable=False, correction=MET))
    assert not METRICS[0].applies(ask(answerable=False))
    with pytest.raises(ValueError, match="presumes nothing"):
        ask(correction=MET)
