"""Splitting tag lines that run together."""

from __future__ import annotations

import time

from index.sources.tag_lines import MAX_WORDS, split_count, split_tag_lines

PROSE = ("Spectral Graph Clustering for Road Maps", "We cluster road maps with walk kernels.")


def split(*lines: str, prose: tuple[str, ...] = PROSE) -> list[tuple[str, ...]]:
    return [line.tags for line in split_tag_lines(lines, "Graph Learning", ["GL"], prose)]


def test_topic_name_separates_what_stands_beside_it() -> None:
    assert split("Robust GL Graph Learning Road Maps") == [("Robust GL", "Graph Learning", "Road Maps")]


def test_topic_is_its_own_tag_once_even_where_a_longer_tag_holds_its_name() -> None:
    assert split("Graph Learning Temporal Graph Learning") == [("Graph Learning", "Temporal Graph Learning")]


def test_alias_closes_a_tag_or_opens_one_before_a_preposition() -> None:
    assert split("Graph Learning Deep GL GL for Road Maps") == [
        ("Graph Learning", "Deep GL", "GL for Road Maps")
    ]


def test_modifiers_stay_with_their_noun() -> None:
    assert split("Graph Learning Walk Kernels Low-Rank Node Matching") == [
        ("Graph Learning", "Walk Kernels", "Low-Rank Node Matching")
    ]


def test_word_pairs_of_the_prose_are_kept_together() -> None:
    line = "Graph Learning Model Pruning Markov Chain Models"
    prose = ("Markov chain models are old.",)
    assert split(line, prose=prose) == [("Graph Learning", "Model Pruning", "Markov Chain Models")]


def test_lines_cut_with_plus_n_all_show_the_same_number_of_tags() -> None:
    lines = (
        "Graph Learning Walk Kernels Road Maps+2",
        "Graph Learning Node Matching Spectral Graph Clustering+1",
    )
    assert [len(tags) for tags in split(*lines)] == [3, 3]


def test_total_counts_the_tags_not_shown() -> None:
    found = split_tag_lines(["Graph Learning Road Maps+7"], "Graph Learning", [], PROSE)
    assert found[0].total == len(found[0].tags) + 7


def test_all_words_of_a_line_are_in_its_tags_in_order() -> None:
    line = "An Odd Graph Learning line of Words in No Particular Form"
    assert " ".join(split(line)[0]) == line


def test_overlong_line_is_left_alone_and_costs_nothing() -> None:
    start = time.perf_counter()
    assert split(" ".join(["word"] * 100_000)) == [()]
    assert len(split(" ".join(["word"] * MAX_WORDS))[0]) > 0
    assert time.perf_counter() - start < 5


def test_count_is_split_from_the_end_only() -> None:
    assert split_count("Ana Lima, Bo Park +18") == ("Ana Lima, Bo Park", 18)
    assert split_count("Memory+1") == ("Memory", 1)
    assert split_count("C+1 Group") == ("C+1 Group", 0)
