"""Formulas that a page dump set on lines of their own."""

from __future__ import annotations

import pytest

from index.sources.torn_formulas import is_formula, rejoin


@pytest.mark.parametrize(
    "line",
    [
        r"\ell",
        "O(T^{3/2})",
        r"1.7\times",
        "π_θ",
        "Q",
        "O(n)",
        r"D_{\mathrm{KL}}^{\mathrm{tok,max}}",
        r"π_{\text{roll}} \neq π_θ",
        "n = 5",
    ],
)
def test_formula_is_told_from_prose(line: str) -> None:
    assert is_formula(line)


@pytest.mark.parametrize(
    "line",
    [
        ") or",
        ", which is small.",
        "-function as the reward",
        "via a surrogate",
        "and",
        "Ana Lima",
        "a policy",
    ],
)
def test_prose_is_told_from_formula(line: str) -> None:
    assert not is_formula(line)


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (["observes", r"\ell", "steps of"], r"observes \(\ell\) steps of"),
        (["bound (", "O(T)", "), a"], r"bound (\(O(T)\)), a"),
        (["Fitted", "Q", "-iteration (FQI)"], r"Fitted \(Q\)-iteration (FQI)"),
        (["a horizon", "H", ", which"], r"a horizon \(H\), which"),
        (["achieves 3.6", r"\times", "larger"], r"achieves 3.6 \(\times\) larger"),
        (["a gap", "x", "-- both sides"], r"a gap \(x\) -- both sides"),
        (["the non-", "k", "case"], r"the non-\(k\) case"),
        (["length", "T"], r"length \(T\)"),
        (["as", "x", "a", r"\alpha", "b"], r"as \(x\) a \(\alpha\) b"),
    ],
)
def test_formula_returns_to_its_sentence(lines: list[str], joined: str) -> None:
    assert rejoin(lines) == joined


def test_paragraphs_without_a_formula_between_them_stay_apart() -> None:
    assert rejoin(["First one.", "Second one."]) == "First one.\n\nSecond one."


def test_nothing_gives_nothing() -> None:
    assert rejoin([]) == ""
