"""Choosing, arranging and writing the sentences of an answer."""

from __future__ import annotations

import numpy as np

from index.records import Chunk, Explainer, Paper, Record, Section
from rag.compose import arrange, choose, write
from rag.confidence import confidence
from rag.evidence import Evidence, Weights
from rag.passages import read_passage
from rag.question import read_question

AXES = np.eye(8, dtype=np.float32)


def paper(name: str, *sentences: str) -> Paper:
    return Paper(id=name, title=f"On {name}", abstract=" ".join(sentences))


def evidence(record: Record, order: int, score: float, axis: int, cosine: float = 0.6) -> Evidence:
    """Return the record's sentence number `order`, with a vector of its own direction."""
    field, heading, text = next(record.fields())
    starts = [0, *(i + 2 for i, char in enumerate(text) if char == "." and text[i + 1 : i + 2] == " ")]
    spans = tuple((start, text.index(".", start) + 1) for start in starts)
    chunk = Chunk(
        id=f"chunk-{record.id}",
        source_id=record.id,
        field=field,
        start=0,
        end=len(text),
        text=text,
        heading=heading,
        sentences=spans,
    )
    passage = read_passage(record, chunk)
    sentence = passage.sentences[order]
    return Evidence(passage, sentence, AXES[axis], cosine, coverage=0.5, score=score)


QUESTION = read_question("What did the study find?")
ALPHA = paper("alpha", "Cats sleep all day.", "However, dogs bark at night.", "Birds sing before dawn.")
BETA = paper("beta", "Trees grow in spring.", "Rivers freeze in winter.")


def test_weak_sentences_are_left_out_but_for_a_second_of_the_same_source() -> None:
    ranked = [evidence(ALPHA, 0, 0.9, 0), evidence(BETA, 0, 0.6, 1), evidence(ALPHA, 2, 0.4, 2)]
    assert choose(ranked, QUESTION, 5, 6) == [ranked[0], ranked[2]]
    assert choose([], QUESTION, 5, 6) == []


def test_a_sentence_far_below_the_best_is_left_out_even_as_the_second() -> None:
    ranked = [evidence(ALPHA, 0, 0.9, 0), evidence(ALPHA, 2, 0.2, 1)]
    assert choose(ranked, QUESTION, 5, 6) == ranked[:1]


def test_what_repeats_a_chosen_sentence_is_passed_over() -> None:
    same_meaning = [evidence(ALPHA, 0, 0.9, 0), evidence(BETA, 0, 0.89, 0), evidence(BETA, 1, 0.88, 2)]
    assert choose(same_meaning, QUESTION, 5, 6) == [same_meaning[0], same_meaning[2]]
    twin = paper("twin", "Cats sleep all the day.", "Nothing else happens here.")
    same_words = [evidence(ALPHA, 0, 0.9, 0), evidence(twin, 0, 0.89, 1)]
    assert choose(same_words, QUESTION, 5, 6) == same_words[:1]


def test_what_cannot_be_quoted_is_passed_over_even_as_the_antecedent_of_a_chosen_sentence() -> None:
    links = paper("links", "See https://example.org for all of it.", "However, wolves hunt in packs.")
    ranked = [evidence(links, 0, 0.95, 0), evidence(links, 1, 0.9, 1), evidence(BETA, 0, 0.8, 2)]
    assert choose(ranked, QUESTION, 5, 6) == ranked[1:]


def test_no_more_sources_than_asked_for() -> None:
    ranked = [evidence(ALPHA, 0, 0.9, 0), evidence(BETA, 0, 0.89, 1), evidence(ALPHA, 2, 0.88, 2)]
    assert {e.source_id for e in choose(ranked, QUESTION, 1, 6)} == {"alpha"}


def test_one_sentence_a_source_where_several_are_asked_for() -> None:
    ranked = [evidence(ALPHA, 0, 0.9, 0), evidence(ALPHA, 2, 0.89, 1), evidence(BETA, 0, 0.8, 2)]
    chosen = choose(ranked, read_question("Which papers study animals?"), 5, 6)
    assert [e.source_id for e in chosen] == ["alpha", "beta"]


def test_a_dangling_sentence_yields_to_a_standing_one_unless_its_antecedent_is_chosen() -> None:
    dangling = evidence(ALPHA, 1, 0.82, 1)
    ranked = [dangling, evidence(BETA, 0, 0.8, 2)]
    assert choose(ranked, QUESTION, 5, 1) == ranked[1:]
    with_antecedent = [evidence(ALPHA, 0, 0.9, 0), dangling, evidence(BETA, 0, 0.8, 2)]
    assert choose(with_antecedent, QUESTION, 5, 2) == with_antecedent[:2]


def test_the_best_sentence_opens_its_source_and_the_rest_keep_the_order_of_the_text() -> None:
    best, first = evidence(BETA, 1, 0.9, 0), evidence(BETA, 0, 0.8, 1)
    assert arrange([best, first], QUESTION) == [[best, first]]


def test_a_sentence_that_points_back_stays_behind_the_one_before_it() -> None:
    antecedent, dangling = evidence(ALPHA, 0, 0.8, 0), evidence(ALPHA, 1, 0.9, 1)
    assert arrange([dangling, antecedent], QUESTION) == [[antecedent, dangling]]


def test_an_explainer_opens_the_answer_to_what_something_is_if_it_says_it_as_well() -> None:
    explainer = Explainer(
        id="intro", title="Intro", sections=(Section(text="A cat is an animal. It purrs."),)
    )
    weak = [evidence(ALPHA, 0, 0.9, 0), evidence(explainer, 0, 0.8, 1)]
    assert [g[0].source_id for g in arrange(weak, read_question("What is a cat?"))] == ["alpha", "intro"]
    groups = [evidence(ALPHA, 0, 0.9, 0), evidence(explainer, 0, 0.88, 1)]
    assert [g[0].source_id for g in arrange(groups, read_question("What is a cat?"))] == ["intro", "alpha"]
    assert [g[0].source_id for g in arrange(groups, QUESTION)] == ["alpha", "intro"]


def test_written_sentences_are_verbatim_and_numbered_by_first_use() -> None:
    emoji = paper("emoji", "The 🤖 robot walks far.", "The 🤖 robot rests.")
    groups = [[evidence(emoji, 0, 0.9, 0), evidence(emoji, 1, 0.8, 1)], [evidence(BETA, 0, 0.7, 2)]]
    text, citations = write(groups, QUESTION)
    assert text == "The 🤖 robot walks far. [1] The 🤖 robot rests. [1]\n\nTrees grow in spring. [2]"
    assert [citation.n for citation in citations] == [1, 1, 2]
    for citation in citations:
        assert text[citation.start_index : citation.end_index] == citation.quote
    assert emoji.abstract[citations[1].quote_start : citations[1].quote_end] == "The 🤖 robot rests."
    assert write([], QUESTION) == ("", [])


def test_words_found_in_different_sources_give_no_confidence_but_in_a_comparison() -> None:
    weights = Weights({"cat": 1.0, "tree": 1.0}, {})
    chosen = [evidence(ALPHA, 0, 0.9, 0, cosine=0.5), evidence(BETA, 0, 0.8, 1, cosine=0.4)]
    assert confidence(chosen, weights, QUESTION).coverage == 0.5
    comparison = read_question("How do cats differ from trees?")
    assert confidence(chosen, weights, comparison).coverage == 1.0
    assert confidence(chosen, weights, comparison).value == 0.5 * 0.5 + 0.5 * 1.0
    assert confidence([], weights, QUESTION).value == 0.0
