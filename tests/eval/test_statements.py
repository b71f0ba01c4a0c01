"""What of an answer is a statement, and what only introduces one."""

from __future__ import annotations

import datetime as dt

import pytest

from eval.statements import statements_of
from rag.answer import Answer, Citation, Filters, Provenance, SourceRef, Understood

QUOTE = "We find that cats sleep."


def answer(lead: str, *, notices: tuple[str, ...] = (), sides: tuple[str, ...] = ()) -> Answer:
    """Return an answer of one quote with words before it."""
    return Answer(
        id="a",
        question="Do cats sleep longer than dogs?",
        understood=Understood(
            text="Do cats sleep longer than dogs?", topic=None, filters=Filters(), kind="finding", sides=sides
        ),
        topic=None,
        answered=True,
        kind="passage",
        answer=f"{lead}{QUOTE} [1]",
        citations=(
            Citation(
                n=1,
                source_id="cats",
                start_index=len(lead),
                end_index=len(lead) + len(QUOTE),
                quote=QUOTE,
                chunk_id="c",
                field="abstract",
                quote_start=0,
                quote_end=len(QUOTE),
                support="quoted",
                score=0.9,
            ),
        ),
        sources=(
            SourceRef(n=1, id="cats", kind="paper", title="On Cats", date=dt.date(2019, 1, 1), score=0.9),
        ),
        confidence=0.9,
        notices=notices,
        timing_ms={},
        provenance=Provenance(index="i", encoder="e", answerer="extractive", version="0"),
    )


@pytest.mark.parametrize(
    "lead", ["", "*On Cats* (2019): ", "By contrast, *On Cats* (2019): ", "First. [1]\n\n*On Cats* (2019): "]
)
def test_what_introduces_a_source_states_nothing(lead: str) -> None:
    uncited = [item.text for item in statements_of(answer(lead)) if not item.citations]
    assert uncited == (["First."] if lead.startswith("First") else [])


def test_a_side_of_the_comparison_asked_for_states_nothing() -> None:
    for lead in ("As for cats: ", "As for both: *On Cats* (2019): ", "As for dogs: *On Cats* (2019): "):
        found = statements_of(answer(lead, sides=("cats", "dogs")))
        assert [item.text for item in found] == [QUOTE]


@pytest.mark.parametrize(
    "lead",
    [
        "*On Dogs* (2019): ",  # another title
        "*On Cats* (2018): ",  # another year
        "*On Cats* (2019, retracted): ",  # without the notice that says so
        "*On Cats* (2019): Cats never dream. ",  # a sentence hidden behind it
        "Cats never dream. *On Cats* (2019): ",  # or before it
        "As for cats: ",  # not asked for
        "Cats dream: ",
    ],
)
def test_nothing_else_can_hide_in_it(lead: str) -> None:
    assert any(not item.citations for item in statements_of(answer(lead)))


def test_a_side_that_was_not_asked_for_is_a_statement() -> None:
    lead = "As for the earth being flat: "
    found = statements_of(answer(lead, sides=("the earth being flat", "dogs")))
    assert any(not item.citations for item in found)


def test_a_retracted_source_is_introduced_as_one_where_a_notice_says_it() -> None:
    notices = ("Source [1] has been retracted.",)
    assert all(i.citations for i in statements_of(answer("*On Cats* (2019, retracted): ", notices=notices)))
