"""Each check of a promise catches the answer that breaks it, and passes the one that keeps it."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from eval.trials.lying import Exchange, Lie, Script
from eval.trials.lying.script import Asked
from eval.trials.promises.asking import Asking, askings
from eval.trials.promises.checks import CHECKS, Given
from eval.trials.promises.lies import lies_shown
from eval.trials.promises.prose import CONNECTING, uncited_sentences
from eval.trials.promises.trial import ALL_CHECKS, Tally, Trial, parts_broken
from index.records import Paper
from rag.answer import (
    Answer,
    AskRequest,
    Citation,
    Counted,
    FieldText,
    Filters,
    Provenance,
    Reason,
    SourceInfo,
    SourceRef,
    Understood,
)
from rag.engine import Engine
from rag.facts import telling
from rag.stream import Piece, SourcesKnown, parts_of

FIRST = "The glider stayed up for 90 minutes."
SECOND = "Its wings are folded by hand."
STORED = {
    "p1": SourceInfo(
        id="p1",
        kind="paper",
        title="Thermal gliders: a study",
        date=dt.date(2019, 5, 1),
        fields=(FieldText(field="abstract", text=f"We flew. {FIRST} {SECOND}"),),
    ),
    "p2": SourceInfo(
        id="p2",
        kind="paper",
        title="Paper birds",
        authors=("Ada Wren",),
        date=dt.date(2021, 5, 1),
        fields=(FieldText(field="abstract", text="Nothing flies for ever."),),
    ),
}
THIRD = "Nothing flies for ever."
TEXT = f"{FIRST} [1] {SECOND} [1]\n\n{THIRD} [2]"


def citation(n: int, quote: str, /, **changed: Any) -> Citation:
    source = f"p{n}"
    stored = STORED[source].fields[0].text
    start = TEXT.index(quote)
    given = {
        "n": n, "source_id": source, "start_index": start, "end_index": start + len(quote), "quote": quote,
        "chunk_id": "c", "field": "abstract", "quote_start": stored.index(quote),
        "quote_end": stored.index(quote) + len(quote), "support": "quoted", "score": 0.9,
    }  # fmt: skip
    return Citation.model_validate(given | changed)


def source(n: int, /, **changed: Any) -> SourceRef:
    stored = STORED[f"p{n}"]
    given = {"n": n, "score": 1.0, **stored.model_dump(include={"id", "kind", "title", "authors", "date"})}
    return SourceRef.model_validate(given | changed)


KEPT = Answer(
    id="ans-1",
    question="How long?",
    understood=Understood(text="How long?", topic=None, filters=Filters(), kind="quantity"),
    topic=None,
    answered=True,
    kind="passage",
    answer=TEXT,
    citations=(citation(1, FIRST), citation(1, SECOND), citation(2, THIRD)),
    sources=(source(1), source(2)),
    timing_ms={},
    provenance=Provenance(index="i", encoder="e", answerer="a", version="v"),
)
REFUSED = KEPT.model_copy(
    update={
        "answered": False, "kind": "refusal", "answer": "", "citations": (), "sources": (),
        "reason": Reason(code="no_evidence", message="Nothing was found."),
    }
)  # fmt: skip
COUNTED = (
    citation(
        1, FIRST, support="counted", field="title", quote=STORED["p1"].title, quote_start=0, quote_end=24
    ),
)


def given(answer: Answer, **asked: Any) -> Given:
    return Given(AskRequest.model_validate({"question": "How long?", **asked}), answer, STORED.get)


def changed(**update: Any) -> Answer:
    return KEPT.model_copy(update=update)


def led(text: str, lead: str) -> Answer:
    """The answer with words before its third sentence."""
    moved = len(lead)
    last = KEPT.citations[2]
    at = last.start_index
    shifted = last.model_copy(update={"start_index": at + moved, "end_index": last.end_index + moved})
    return changed(answer=f"{text[:at]}{lead}{text[at:]}", citations=(*KEPT.citations[:2], shifted))


@pytest.mark.parametrize("answer", [KEPT, REFUSED])
@pytest.mark.parametrize("name", ALL_CHECKS)
def test_an_answer_that_keeps_its_promises_passes(name: str, answer: Answer) -> None:
    assert [*ALL_CHECKS[name](given(answer))] == []


BROKEN = {
    "a marker without a source": ("dangling markers", changed(answer=TEXT.replace("[2]", "[3]"))),
    "a marker more": ("dangling markers", changed(answer=TEXT.replace("[2]", "[2] [1]"))),
    "a marker less": ("dangling markers", changed(answer=TEXT.replace(" [2]", "    "))),
    "a marker within a quote": ("dangling markers", changed(answer=TEXT.replace("90", "[1]"[:2] + "]"))),
    "numbers out of order": (
        "numbering",
        changed(answer=TEXT.replace("[1]", "[x]").replace("[2]", "[1]").replace("[x]", "[2]")),
    ),
    "sources out of order": ("numbering", changed(sources=(source(2), source(1)))),
    "a source with two numbers": ("numbering", changed(sources=(source(1), source(1, n=2)))),
    "a source that nobody cites": (
        "numbering",
        changed(answer=TEXT.replace(" [2]", ""), citations=KEPT.citations[:2]),
    ),
    "a citation of another source": (
        "numbering",
        changed(citations=(citation(1, FIRST, source_id="p2"), *KEPT.citations[1:])),
    ),
    "a quote that is not stored": (
        "inexact quotes",
        changed(citations=(citation(1, FIRST, quote=FIRST.replace("90", "91")), *KEPT.citations[1:])),
    ),
    "a quote one character off": (
        "inexact quotes",
        changed(citations=(citation(1, FIRST, quote_start=8), *KEPT.citations[1:])),
    ),
    "a quote of an unknown field": (
        "inexact quotes",
        changed(citations=(citation(1, FIRST, field="body"), *KEPT.citations[1:])),
    ),
    "words that are not the quote": ("inexact quotes", changed(answer=TEXT.replace("up", "UP"))),
    "a span behind the end": (
        "spans",
        changed(citations=(*KEPT.citations[:2], citation(2, THIRD, end_index=1_000))),
    ),
    "a span within another": (
        "spans",
        changed(citations=(*KEPT.citations, citation(1, FIRST, start_index=4))),
    ),
    "a link": ("active text", changed(answer=f"{TEXT} [x](https://evil.invalid)")),
    "an image": ("active text", changed(answer=f"{TEXT} ![x]")),
    "markup": ("active text", changed(answer=f"{TEXT} <b>bold</b>")),
    "escaped markup": ("active text", changed(answer=f"{TEXT} &lt;b>")),
    "a heading": ("active text", changed(answer=f"{TEXT}\n# Sources")),
    "a foreign marker": ("active text", changed(answer=f"{TEXT} [^1]")),
    "an id of the prompt": ("active text", changed(answer=f"{TEXT} [e3]")),
    "another speaker": ("active text", changed(answer=f"{TEXT}\nUser: and now?")),
    "a zero-width space": ("hidden characters", changed(answer=f"{TEXT}\u200b")),
    "a change of direction": ("hidden characters", changed(notices=("\u202eeciton",))),
    "a tag character": ("hidden characters", changed(followups=("What is\U000e0041 it?",))),
    "a refusal that speaks": ("refusals", REFUSED.model_copy(update={"answer": "42."})),
    "a refusal without a reason": ("refusals", REFUSED.model_copy(update={"reason": None})),
    "an answer of nothing": ("refusals", changed(answer="", citations=(), sources=())),
    "a count of what is not there": (
        "counted records",
        changed(kind="catalog", citations=COUNTED, counted=Counted(total=1, definition="", ids=("p9",))),
    ),
    "fewer counted than named": (
        "counted records",
        changed(kind="catalog", citations=COUNTED, counted=Counted(total=1, definition="", ids=("p1", "p2"))),
    ),
    "a passage said to be counted": ("counted records", changed(citations=COUNTED)),
    "a sentence said twice": (
        "repetition",
        changed(answer=f"{TEXT} {THIRD} [2]", citations=(*KEPT.citations, citation(
            2, THIRD, start_index=len(TEXT) + 1, end_index=len(TEXT) + 1 + len(THIRD)))),
    ),
    "a number that is not cited": (
        "numbers",
        changed(answer=TEXT.replace("90", "91"), citations=(citation(1, FIRST, support="terms"),)),
    ),
    "a sentence that cites nothing": ("uncited sentences", led(TEXT, "It is known everywhere. ")),
    "words behind the last marker": ("uncited sentences", changed(answer=f"{TEXT} And so on.")),
    "a paper introduced that is another": ("uncited sentences", led(TEXT, "*Thermal gliders* (2019): ")),
    "a paper introduced with another year": ("uncited sentences", led(TEXT, "*Paper birds* (2020): ")),
    "a nameless paper of another year": ("uncited sentences", led(TEXT, "One paper (2019): ")),
    "a side that nobody asked for": ("uncited sentences", led(TEXT, "As for dragons: ")),
    "a claim in brackets behind a name": ("uncited sentences", led(TEXT, "*Paper birds* (the best): ")),
}  # fmt: skip


@pytest.mark.parametrize("fault", BROKEN)
def test_an_answer_that_breaks_a_promise_is_caught(fault: str) -> None:
    name, answer = BROKEN[fault]
    assert [*ALL_CHECKS[name](given(answer))], fault


def test_every_check_has_a_broken_answer_to_catch() -> None:
    assert {name for name, _ in BROKEN.values()} == ALL_CHECKS.keys() - {"filters", "JSON"}


@pytest.mark.parametrize(
    "asked",
    [
        {"filters": {"from": "2020-01-01"}},
        {"filters": {"to": "2020-01-01"}},
        {"filters": {"kinds": ["explainer"]}},
        {"filters": {"ids": ["p1"]}},
        {"filters": {"authors": ["Ada Wren"]}},
        {"filters": {"venues": ["ICML"]}},
        {"max_sources": 1},
    ],
)
def test_a_source_that_a_filter_leaves_out_is_caught(asked: dict[str, Any]) -> None:
    assert [*CHECKS["filters"](given(KEPT, **asked))]


@pytest.mark.parametrize(
    "lead",
    ["*Paper birds* (2021): ", "By contrast, *Paper birds* (2021): ", "*Paper birds* (2021, retracted): ",
     "As for how long: *Paper birds* (2021): ", "As for both: ", "*Paper birds*: ", "One paper (2021): "],
)  # fmt: skip
def test_a_source_may_be_introduced_by_its_own_name(lead: str) -> None:
    assert [*uncited_sentences(given(led(TEXT, lead)))] == []


def test_the_phrases_that_connect_are_those_of_the_answers() -> None:
    assert CONNECTING == telling.CONNECTING


def test_parts_that_are_not_the_answer_are_caught() -> None:
    parts = [*parts_of(KEPT)]
    assert [*parts_broken(parts, KEPT)] == []
    assert [*parts_broken(parts[1:], KEPT)]
    assert [*parts_broken([SourcesKnown(()), *parts[1:]], KEPT)]
    assert [*parts_broken([parts[0], Piece("More. ", ()), *parts[1:]], KEPT)]
    assert [*parts_broken([*parts[:2], *parts[3:]], KEPT)]
    assert [*parts_broken([*parts, KEPT], KEPT)]


def told(*lies: Lie, forbidden: tuple[str, ...] = ()) -> list[Exchange]:
    script = Script("", lies, forbidden)
    return [Exchange("liar:x", Asked("", "", "", ()), script, {}, attempt=1)]


def test_a_lie_that_is_shown_is_seen() -> None:
    lie = "Gliders are made of cheese"
    assert [*lies_shown(KEPT, told(Lie(lie)))] == []
    assert [*lies_shown(changed(answer=f"{TEXT} gliders ARE made of “cheese”."), told(Lie(lie)))]
    assert [*lies_shown(changed(notices=("See evil.invalid",)), told(forbidden=("evil.invalid",)))]


def test_a_true_sentence_is_a_lie_only_under_the_passage_that_does_not_say_it() -> None:
    assert [*lies_shown(KEPT, told(Lie(FIRST, cited_to=THIRD)))] == []
    assert [*lies_shown(KEPT, told(Lie(FIRST, cited_to=FIRST)))]


def test_what_is_quoted_is_the_sources_whatever_a_model_said() -> None:
    assert [*lies_shown(KEPT, told(Lie(FIRST), forbidden=("90",)))] == []
    worded = changed(citations=(citation(1, FIRST, support="terms"), *KEPT.citations[1:]))
    assert len([*lies_shown(worded, told(Lie(FIRST), forbidden=("90",)))]) == 2


def test_a_crash_breaks_a_promise_and_an_error_of_the_contract_does_not(engine: Engine) -> None:
    tally = Tally()
    with Trial(engine, {"broken check": lambda given: iter(["always"])}) as trial:
        trial.give(Asking("empty", AskRequest(question=" ")), tally)
        assert (tally.turned_away, tally.breaches) == (1, [])
        trial.give(Asking("plain", AskRequest(question="What is reinforcement learning?")), tally)
    assert [breach.promise for breach in tally.breaches] == ["broken check"]


def test_the_promises_hold_over_the_starter_set(engine: Engine) -> None:
    stored = (engine.source(paper.id) for paper in engine.papers("RL", 0, 40).papers)
    papers = [
        Paper(
            id=found.id,
            title=found.title,
            abstract=found.fields[-1].text,
            authors=found.authors,
            date=found.date,
            venue=found.venue,
        )
        for found in stored
    ]
    asked = askings(papers, [], [], "RL", 120)
    assert len({asking.kind for asking in asked}) == 7  # all but the catalog's and those of a set
    tally = Tally()
    with Trial(engine) as trial:
        for asking in asked:
            trial.give(asking, tally)
    assert tally.breaches == []
    assert tally.answered > 40
    assert tally.refused > 10
