"""Reading a chunk into the sentences that may be quoted."""

from __future__ import annotations

import pytest

from index.records import Chunk, Explainer, Paper, Record, Section
from index.stores.lexical import analyze
from index.text.sentences import sentences
from rag.passages import Sentence, is_quotable, read_passage


def passage_of(record: Record) -> list[str]:
    field, heading, text = next(record.fields())
    chunk = Chunk(
        id="c",
        source_id=record.id,
        field=field,
        start=0,
        end=len(text),
        text=text,
        heading=heading,
        sentences=tuple(sentences(text)),
    )
    passage = read_passage(record, chunk)
    for sentence in passage.sentences:
        assert text[sentence.start : sentence.end] == sentence.text
    return [sentence.text for sentence in passage.sentences if sentence.is_quotable]


def lesson(text: str) -> Explainer:
    return Explainer(id="e", title="A lesson", sections=(Section(text=text),))


@pytest.mark.parametrize(
    "sentence",
    [
        "The human: machine ratio was 3 to 1 in each of the teams.",
        "The operating system: a scheduler with 2 queues, was replaced.",
        "Scores [INSTRUMENT 2] were higher than those of the first one.",
        "With a < b and n << d, the bound holds for every policy.",
    ],
)
def test_prose_that_resembles_a_turn_is_quoted(sentence: str) -> None:
    assert is_quotable(sentence)


@pytest.mark.parametrize(
    "guidance",
    [
        "See this note for a derivation of the simplified form.",
        "In the next section we look at deep networks instead.",
        "To explain this, we first have to introduce a new setting.",
        "Now that we understand tables, let's dive deeper into them.",
        "If you are interested in contributing, write to the authors.",
        "There are two tricks which are worth describing at length.",
    ],
)
def test_what_a_course_says_about_itself_is_not_quoted(guidance: str) -> None:
    assert passage_of(lesson(f"{guidance} A replay buffer holds old transitions.")) == [
        "A replay buffer holds old transitions."
    ]


def test_a_footnotes_mark_without_its_footnote_is_not_quoted() -> None:
    assert not is_quotable("We introduce Model Predictive Actor-Critic (MoPAC)†, a hybrid of two methods.")


def test_a_paper_may_say_the_same_of_its_subject() -> None:
    text = "If you add noise, the next section of the track is learned faster."
    assert passage_of(Paper(id="p", title="Racing", abstract=text)) == [text]


def test_the_rest_of_a_sentence_behind_a_formula_is_not_quoted() -> None:
    text = "The loss is given by\n\n\\[L = x^2\\]\n\nwhich is the same as before.\n\nIt falls quickly."
    assert passage_of(lesson(text)) == []


def chunk_of(text: str, spans: tuple[tuple[int, int], ...]) -> Chunk:
    """A whole abstract as one chunk, with these sentences."""
    return Chunk(id="c", source_id="p", field="abstract", start=0, end=len(text), text=text, sentences=spans)


def test_places_run_from_the_first_to_the_last_sentence_of_the_chunk() -> None:
    text = "Agents learn slowly at first. Rewards are rare in mazes. Curiosity helps them a lot."
    record = Paper(id="p", title="Mazes", abstract=text)
    chunk = chunk_of(text, tuple(sentences(text)))
    assert [sentence.place for sentence in read_passage(record, chunk).sentences] == [0.0, 0.5, 1.0]


def sentence_of(text: str) -> Sentence:
    paper = Paper(id="p", title="On cats", abstract=text)
    return read_passage(paper, chunk_of(text, ((0, len(text)),))).sentences[0]


@pytest.mark.parametrize(
    "text",
    [
        "However, cats sleep by day.",
        "To address this issue, we present a quieter cat.",
        "We address these shortcomings by letting cats sleep.",
        "A popular method has been introduced for this purpose.",
    ],
)
def test_a_sentence_that_points_back_is_known(text: str) -> None:
    assert sentence_of(text).dangling


@pytest.mark.parametrize("text", ["Cats sleep by day.", "Sleep addresses this problem by saving energy."])
def test_a_sentence_that_stands_alone_is_known(text: str) -> None:
    assert not sentence_of(text).dangling


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We present a novel technique called cat mapping which finds mice.", "cat mapping"),
        ("In this paper, we propose cat mapping, a search for mice.", "cat mapping"),
        ("Cats sleep by day.", ""),
    ],
)
def test_the_name_of_what_is_introduced_is_read(text: str, name: str) -> None:
    assert sentence_of(text).introduced[: len(name.split())] == tuple(analyze(name))


def test_a_quotation_mark_behind_a_whole_abstract_is_no_part_of_its_last_sentence() -> None:
    assert sentence_of('Cats sleep by day."').text == "Cats sleep by day."
    assert sentence_of('They said "cats sleep by day."').text == 'They said "cats sleep by day."'
