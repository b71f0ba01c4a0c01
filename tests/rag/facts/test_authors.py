"""What people wrote besides, who are only pointed at."""

from __future__ import annotations

import pytest

from rag.answer import Turn
from rag.facts.authors import ByAuthors, by_authors, people_named
from rag.followup import resolve


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many papers did they write?", ByAuthors("How many papers are by", "?", "all")),
        ("How many papers has she published in 2022?",
         ByAuthors("How many papers are by", " in 2022?", "first")),
        ("What else has the first author written?", ByAuthors("Which papers are by", "?", "first")),
        ("Are there other papers by the same authors?", ByAuthors("Which papers are by", "?", "all")),
        ("which papers did the last author write on gaits?",
         ByAuthors("Which papers are by", " on gaits?", "last")),
        ("Did they write anything else?", ByAuthors("Which papers are by", "?", "all")),
        ("How many papers do you have?", None),
        ("How many papers are by Ada Berg?", None),
        ("What did they find?", None),
    ],
)  # fmt: skip
def test_they_are_told_from_other_questions(text: str, expected: ByAuthors | None) -> None:
    assert by_authors(text) == expected


def test_people_named_before_are_meant() -> None:
    assert people_named("Which papers are by Ada Berg and Ben Ode?") == "Ada Berg and Ben Ode"
    turn = Turn(question="Which papers are by Ada Berg?")
    assert (
        resolve("How many has she written in 2022?", [turn]).text
        == "How many papers are by Ada Berg in 2022?"
    )
