"""Choosing, arranging and writing the sentences of an answer."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import numpy as np
import pytest

from index.records import Chunk, Explainer, Paper, Record, Section
from rag.compose import arrange, choose, lacking, sides_missing, write
from rag.confidence import confidence
from rag.evidence import Evidence, Weights
from rag.passages import read_passage
from rag.question import read_question
from rag.standing import Standing

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
    assert confidence(chosen, weights, comparison).value > confidence(chosen, weights, QUESTION).value
    assert confidence([], weights, QUESTION).value == 0.0


def opening(text: str) -> list[str]:
    """Return what each paragraph says before its quote."""
    return [line.partition("@")[0] for line in text.split("\n\n")]


def test_a_paper_that_speaks_is_named_with_its_year_and_then_all_are() -> None:
    speaks = paper("gamma", "@We find that cats sleep.", "@We also find that they dream.").model_copy(
        update={"date": dt.date(2019, 7, 25)}
    )
    plain = paper("delta", "@Dogs bark at night.")
    groups = [[evidence(speaks, 0, 0.9, 0), evidence(speaks, 1, 0.8, 1)], [evidence(plain, 0, 0.7, 2)]]
    text, citations = write(groups, QUESTION)
    assert opening(text) == ["*On gamma* (2019): ", "*On delta*: "]
    assert text.count("*On gamma*") == 1, "a second sentence of the same paper needs no new name"
    assert [text[c.start_index : c.end_index] for c in citations] == [c.quote for c in citations]


def test_sentences_that_speak_for_themselves_need_no_name_but_in_a_list() -> None:
    groups = [[evidence(ALPHA, 0, 0.9, 0)], [evidence(BETA, 0, 0.7, 2)]]
    assert write(groups, QUESTION)[0].startswith("Cats sleep all day. [1]")
    listed = write(groups, read_question("Which papers study animals?"))[0]
    assert listed == "*On alpha*: Cats sleep all day. [1]\n\n*On beta*: Trees grow in spring. [2]"


def test_an_explainer_is_not_named_beside_papers_that_are() -> None:
    explainer = Explainer(id="intro", title="Intro", sections=(Section(text="@We have an agent."),))
    speaks = paper("gamma", "@We find that cats sleep.")
    text, _ = write([[evidence(explainer, 0, 0.9, 0)], [evidence(speaks, 0, 0.8, 1)]], QUESTION)
    assert opening(text) == ["", "*On gamma*: "]


def test_a_title_cannot_act_in_the_answer() -> None:
    hostile = paper("h", "We find that gliders fly for hours.").model_copy(
        update={"title": "Gliders [9] <b>![x](https://evil.example)</b> *fly*"}
    )
    text, _ = write([[evidence(hostile, 0, 0.9, 0)]], QUESTION)
    lead = text.partition("We find")[0]
    assert not any(mark in lead for mark in ("[", "<", "](", "://", "*fly*"))


SHAPING = "reward shaping {} the exploration of sparse mazes."
HELPS = paper("helps", "Results show that " + SHAPING.format("improves"))
FAILS = paper("fails", "Results show that " + SHAPING.format("does not improve"))


def test_papers_that_contradict_each_other_both_stand_one_behind_the_other() -> None:
    ranked = [evidence(HELPS, 0, 0.9, 0), evidence(BETA, 0, 0.89, 1), evidence(FAILS, 0, 0.88, 0)]
    chosen = choose(ranked, QUESTION, 5, 6)
    assert {item.source_id for item in chosen} == {"helps", "beta", "fails"}, "the opposite repeats nothing"
    groups = arrange(chosen, QUESTION)
    assert [group[0].source_id for group in groups] == ["helps", "fails", "beta"]
    text, _ = write(groups, QUESTION)
    assert "\n\nBy contrast, *On fails*: Results show" in text


def test_papers_that_agree_are_not_set_against_each_other() -> None:
    again = paper("again", "We demonstrate that " + SHAPING.format("improves"))
    groups = [[evidence(HELPS, 0, 0.9, 0)], [evidence(again, 0, 0.8, 1)]]
    assert "By contrast" not in write(groups, QUESTION)[0]


@pytest.mark.parametrize("standing", ["retracted", "superseded"])
def test_a_paper_that_no_longer_stands_comes_last_and_is_marked(standing: Standing) -> None:
    withdrawn = replace(evidence(ALPHA, 0, 0.9, 0), standing=standing)
    ranked = [withdrawn, evidence(BETA, 0, 0.8, 1)]
    chosen = choose(ranked, QUESTION, 5, 6)
    assert [item.source_id for item in chosen] == ["beta", "alpha"]
    text, _ = write(arrange([withdrawn, ranked[1]], QUESTION), QUESTION)
    assert f"\n\n*On alpha* ({standing}): Cats sleep" in text
    assert text.startswith("*On beta*: Trees")


CATS, DOGS = paper("cats", "Cats sleep by day."), paper("dogs", "Dogs bark at night.")
BOTH = paper(
    "both", "Cats sleep longer than dogs do.", "Cats and dogs are animals.", "Rivers freeze in winter."
)
COMPARISON = read_question("Cats versus dogs")


def test_a_comparison_speaks_of_both_then_of_each() -> None:
    ranked = [evidence(CATS, 0, 0.9, 0), evidence(DOGS, 0, 0.6, 1), evidence(BOTH, 0, 0.5, 2)]
    chosen = choose(ranked, COMPARISON, 5, 6)
    assert [item.source_id for item in chosen] == ["both", "cats", "dogs"]
    text, _ = write(arrange(chosen, COMPARISON), COMPARISON)
    assert text.split("\n\n") == [
        "As for both: Cats sleep longer than dogs do. [1]",
        "As for Cats: Cats sleep by day. [2]",
        "As for dogs: Dogs bark at night. [3]",
    ]
    assert lacking(arrange(chosen, COMPARISON), COMPARISON) == ()


def test_a_sentence_that_only_lists_both_yields_to_one_on_each() -> None:
    ranked = [evidence(BOTH, 1, 0.9, 2), evidence(CATS, 0, 0.6, 0), evidence(DOGS, 0, 0.6, 1)]
    assert [item.source_id for item in choose(ranked, COMPARISON, 5, 6)] == ["cats", "dogs"]
    assert [item.source_id for item in choose(ranked[:2], COMPARISON, 5, 6)] == ["both", "cats"]


def test_the_side_of_which_nothing_is_said_is_named() -> None:
    chosen = choose([evidence(CATS, 0, 0.9, 0), evidence(BETA, 0, 0.9, 1)], COMPARISON, 5, 6)
    assert [item.source_id for item in chosen] == ["cats"]
    groups = arrange(chosen, COMPARISON)
    assert lacking(groups, COMPARISON) == ("Nothing that could be quoted was found on “dogs”.",)
    assert write(groups, COMPARISON)[0] == "As for Cats: Cats sleep by day. [1]"


def test_a_sentence_that_tells_both_apart_needs_no_weaker_one_on_either() -> None:
    ranked = [evidence(BOTH, 0, 0.9, 2), evidence(CATS, 0, 0.5, 0), evidence(BOTH, 1, 0.85, 3)]
    chosen = choose(ranked, COMPARISON, 5, 6)
    assert [item.sentence.order for item in chosen if item.source_id == "both"] == [0, 1]
    assert {item.source_id for item in chosen} == {"both"}
    assert write(arrange(chosen, COMPARISON), COMPARISON)[0].startswith("Cats sleep longer")
    assert sides_missing(ranked, COMPARISON) == []


def test_sides_without_a_sentence_of_their_own_are_looked_for() -> None:
    assert [side.name for side in sides_missing([evidence(CATS, 0, 0.9, 0)], COMPARISON)] == ["dogs"]
    assert sides_missing([evidence(CATS, 0, 0.9, 0)], QUESTION) == []


def test_where_neither_side_is_spoken_of_the_answer_is_as_any_other() -> None:
    ranked = [evidence(BETA, 0, 0.9, 0)]
    assert choose(ranked, COMPARISON, 5, 6) == ranked
    assert write([ranked], COMPARISON)[0] == "Trees grow in spring. [1]"


def test_the_amount_asked_for_comes_with_the_paper_that_is_answered_from() -> None:
    study = paper(
        "study", "Cats are fast animals.", "Cats sleep very soundly.", "They ran 40% faster than dogs."
    )
    ranked = [evidence(study, 0, 0.9, 0), evidence(BETA, 0, 0.85, 1), evidence(study, 2, 0.2, 2)]
    asked = read_question("How much faster are cats?")
    assert [item.sentence.order for item in choose(ranked, asked, 5, 6) if item.source_id == "study"] == [
        0,
        2,
    ]
    assert ranked[2] not in choose(ranked, read_question("Where do cats live?"), 5, 6)


def test_the_result_comes_with_the_paper_whose_aim_was_found() -> None:
    study = paper("study", "Sleep of cats is the aim.", "We find that naps reduce stress.")
    ranked = [evidence(study, 0, 0.9, 0), evidence(study, 1, 0.2, 2, cosine=0.2)]
    assert choose(ranked, read_question("Does sleep help cats?"), 5, 6) == ranked
    assert choose(ranked, read_question("Where do cats sleep?"), 5, 6) == ranked[:1]
