"""One of the sources that an answer has to rest on."""

from __future__ import annotations

from typing import Any

import pytest

from eval.metrics.must_cite import METRICS, must_cite


@pytest.mark.parametrize(("cited", "expected"), [({"b", "x"}, 1.0), ({"x"}, 0.0), (set(), 0.0)])
def test_one_of_them_is_enough(cited: set[str], expected: float) -> None:
    assert must_cite(["a", "b"], cited) == expected


def test_a_refusal_cites_none(desk: Any, ask: Any) -> None:
    question = ask(must_cite=("a",))
    run = desk().run((question, desk().refusal()))
    assert METRICS[0].score(run.cases[0], run) == 0.0
    assert METRICS[0].applies(question)
    assert not METRICS[0].applies(ask())
