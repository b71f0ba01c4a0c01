"""Every filter is exact, alone and with others; ranking is BM25 over title, heading and text as one."""

from __future__ import annotations

import datetime as dt
import itertools
import math
import random
import re
import unicodedata
from pathlib import Path

import pytest

from index.stores.lexical import (
    HEADING_TIMES,
    TITLE_TIMES,
    LexicalDocument,
    LexicalIndex,
    LexicalWriter,
    Scope,
    analyze,
)

AUTHORS = (
    "Ada Smith",
    "John Doe",
    "Smith John",
    "María Núñez",
    "Wei-Lun Chao",
    "J. R. R. Tolkien",
    "Doe Ada",
)
VENUES = ("ICML 2021", "NeurIPS 2021", "ICML 2022 Workshop on Robots", "", "Journal of Robots")
TOPICS = ("rl", "robots", "vision")
FIRST = dt.date(2020, 1, 1)


def document(key: int, text: str = "", **fields: object) -> LexicalDocument:
    given: dict[str, object] = {
        "source_id": f"s{key}",
        "kind": "paper",
        "title": "",
        "heading": "",
        "topics": (),
        "authors": (),
        "venue": "",
        "date": None,
    }
    return LexicalDocument(key=key, text=text, **(given | fields))  # type: ignore[arg-type]


def index_of(folder: Path, *documents: LexicalDocument) -> LexicalIndex:
    writer = LexicalWriter(folder)
    for item in documents:
        writer.add(item)
    writer.commit()
    return LexicalIndex(folder)


def corpus() -> list[LexicalDocument]:
    rng = random.Random(11)
    return [
        document(
            key,
            rng.choice(("the pump runs", "a valve opens", "pump and valve")),
            source_id=f"s{key // 2}",  # two chunks a source
            kind=rng.choice(("paper", "explainer", "topic")),
            topics=tuple(rng.sample(TOPICS, rng.randint(0, 2))),
            authors=tuple(rng.sample(AUTHORS, rng.randint(0, 3))),
            venue=rng.choice(VENUES),
            date=rng.choice((None, FIRST + dt.timedelta(days=rng.randint(0, 900)))),
        )
        for key in range(1, 301)
    ]


def words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.findall(r"[a-z0-9]+", plain)


def names(values: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether one of the wanted names stands, word for word and in order, in one of the values."""
    return any(
        words(name) == words(value)[i : i + len(words(name))]
        for name, value in itertools.product(wanted, values)
        for i in range(len(words(value)))
    )


def in_scope(item: LexicalDocument, scope: Scope) -> bool:
    return (
        (scope.topic is None or scope.topic in item.topics)
        and (not scope.kinds or item.kind in scope.kinds)
        and (not scope.ids or item.source_id in scope.ids)
        and (not scope.authors or names(item.authors, scope.authors))
        and (not scope.venues or names((item.venue,), scope.venues))
        and (scope.date_from is None or (item.date is not None and item.date >= scope.date_from))
        and (scope.date_to is None or (item.date is not None and item.date <= scope.date_to))
    )


FILTERS = ("topic", "kinds", "ids", "authors", "venues", "date_from", "date_to")
PEOPLE = ("Smith", "ada smith", "JOHN", "Nunez", "núñez", "Chao", "R. Tolkien", "Nobody")
PLACES = ("ICML", "icml 2021", "2021", "robots", "Journal")
KINDS = ("paper", "explainer", "topic")


def draw_filter(name: str, rng: random.Random) -> object:
    day = FIRST + dt.timedelta(days=rng.randint(0, 900))
    drawn: dict[str, object] = {
        "topic": rng.choice(TOPICS),
        "kinds": tuple(rng.sample(KINDS, rng.randint(1, 2))),
        "ids": tuple(f"s{rng.randint(0, 150)}" for _ in range(rng.randint(1, 40))),
        "authors": tuple(rng.sample(PEOPLE, rng.randint(1, 2))),
        "venues": tuple(rng.sample(PLACES, rng.randint(1, 2))),
        "date_from": day,
        "date_to": day,
    }
    return drawn[name]


@pytest.fixture(scope="module")
def corpus_index(tmp_path_factory: pytest.TempPathFactory) -> LexicalIndex:
    return index_of(tmp_path_factory.mktemp("lexical"), *corpus())


@pytest.mark.parametrize("name", [*FILTERS, "several"])
def test_a_scope_holds_exactly_what_a_look_at_every_record_finds(
    corpus_index: LexicalIndex, name: str
) -> None:
    rng = random.Random(name)
    documents = corpus()
    found_some = 0
    for _ in range(40):
        chosen = [name] if name in FILTERS else rng.sample(FILTERS, rng.randint(2, 4))
        scope = Scope(**{part: draw_filter(part, rng) for part in chosen})  # type: ignore[arg-type]
        expected = [item.key for item in documents if in_scope(item, scope)]
        assert corpus_index.matching(scope).tolist() == expected, scope
        keys, _ = corpus_index.search(analyze("pump"), scope, 300)
        assert sorted(keys.tolist()) == [
            item.key for item in documents if item.key in expected and "pump" in item.text
        ]
        found_some += 0 < len(expected) < len(documents)
    assert found_some >= 10, "the filters drawn must mean something"


def test_the_bounds_of_a_date_range_belong_to_it(tmp_path: Path) -> None:
    days = [FIRST + dt.timedelta(days=n) for n in range(4)]
    index = index_of(tmp_path, *(document(n, date=day) for n, day in enumerate(days)), document(9))
    assert index.matching(Scope(date_from=days[1], date_to=days[2])).tolist() == [1, 2]
    assert index.matching(Scope(date_from=dt.date.min)).tolist() == [0, 1, 2, 3], "9 has no date"


def test_a_name_does_not_reach_from_one_author_into_the_next(tmp_path: Path) -> None:
    index = index_of(tmp_path, document(1, authors=("Ada Smith", "John Doe")))
    assert index.matching(Scope(authors=("Smith John",))).tolist() == []
    assert index.matching(Scope(authors=("John Doe",))).tolist() == [1]


@pytest.mark.parametrize("name", ["", "...", "—", "x" * 100])
def test_a_name_without_usable_words_matches_nothing(tmp_path: Path, name: str) -> None:
    index = index_of(tmp_path, document(1, authors=("Ada Smith",)))
    assert index.matching(Scope(authors=(name,))).tolist() == []
    assert index.matching(Scope(authors=(name, "Ada"))).tolist() == [1]


def test_filters_leave_the_scores_alone(corpus_index: LexicalIndex) -> None:
    everything = dict(zip(*corpus_index.search(analyze("pump valve"), Scope(), 300), strict=True))
    keys, scores = corpus_index.search(analyze("pump valve"), Scope(topic="rl", venues=("ICML",)), 300)
    assert len(keys) > 5
    assert {key: everything[key] for key in keys} == dict(zip(keys, scores, strict=True))


def test_words_are_stemmed_folded_and_lower_cased() -> None:
    assert analyze("Running RUNNERS, Núñez's policies") == ["run", "runner", "nunez", "s", "polici"]
    assert analyze("x" * 100 + " word") == ["word"]


def test_a_word_in_a_title_or_heading_counts_as_if_it_stood_in_the_text_so_often(tmp_path: Path) -> None:
    words = "none one two three"
    spread = index_of(
        tmp_path / "spread",
        document(1, words, title="pump", heading=words),
        document(2, words, title=words, heading="pump"),
    )
    joined = index_of(
        tmp_path / "joined",
        document(1, " ".join([words, *["pump"] * TITLE_TIMES, *[words] * HEADING_TIMES])),
        document(2, " ".join([words, *[words] * TITLE_TIMES, *["pump"] * HEADING_TIMES])),
    )
    found, expected = (index.search(["pump"], Scope(), 10) for index in (spread, joined))
    assert found[0].tolist() == expected[0].tolist()
    assert found[1].tolist() == pytest.approx(expected[1].tolist())
    assert len(found[0]) == 2


def test_scores_are_bm25_as_lucene_computes_it(tmp_path: Path) -> None:
    texts = ["pump pump valve", "pump tank", "tank", "valve tank tank tank"]
    index = index_of(tmp_path, *(document(n, text) for n, text in enumerate(texts)))
    keys, scores = index.search(["pump"], Scope(), 10)
    average = sum(len(text.split()) for text in texts) / len(texts)
    idf = math.log(1 + (4 - 2 + 0.5) / (2 + 0.5))

    def bm25(text: str) -> float:
        frequency, length = text.split().count("pump"), len(text.split())
        return idf * frequency * 2.2 / (frequency + 1.2 * (0.25 + 0.75 * length / average))

    assert dict(zip(keys.tolist(), scores.tolist(), strict=True)) == pytest.approx(
        {0: bm25(texts[0]), 1: bm25(texts[1])}, rel=1e-5
    )


def test_equal_scores_come_in_the_order_of_their_keys(tmp_path: Path) -> None:
    index = index_of(tmp_path, *(document(key, "the same words") for key in range(1, 50)))
    assert index.search(["same"], Scope(), 10)[0].tolist() == list(range(1, 11))


def test_a_repeated_or_unknown_term_changes_nothing_and_no_term_finds_nothing(tmp_path: Path) -> None:
    index = index_of(tmp_path, document(1, "pump"), document(2, "valve"))
    once, again = (index.search(terms, Scope(), 9) for terms in (["pump"], ["pump", "pump", "zebra"]))
    assert once[1].tolist() == again[1].tolist()
    assert index.search([], Scope(), 9)[0].tolist() == []


def test_further_terms_count_by_their_factor(tmp_path: Path) -> None:
    index = index_of(tmp_path, document(1, "pump"), document(2, "valve"), document(3, "tank"))
    whole = dict(zip(*index.search(["pump", "tank"], Scope(), 9), strict=True))
    found = dict(zip(*index.search(["pump"], Scope(), 9, also={"tank": 0.25}), strict=True))
    assert found == pytest.approx({1: whole[1], 3: 0.25 * whole[3]})


def test_document_frequency_counts_chunks_with_their_titles(tmp_path: Path) -> None:
    index = index_of(tmp_path, document(1, "pumps"), document(2, "pump pump"), document(3, "", title="pump"))
    assert index.document_frequency("pump") == 3
    assert index.document_frequency("zebra") == 0


def test_nothing_is_visible_before_commit_and_an_open_index_never_changes(tmp_path: Path) -> None:
    old = index_of(tmp_path, document(1, "pump"), document(2, "pump"))
    writer = LexicalWriter(tmp_path)
    writer.delete([1])
    writer.add(document(2**40, "pump"))
    assert LexicalIndex(tmp_path).documents == 2
    writer.commit()
    assert LexicalIndex(tmp_path).matching(Scope()).tolist() == [2, 2**40]
    assert (old.documents, old.search(["pump"], Scope(), 9)[0].tolist()) == (2, [1, 2])


def test_a_document_replaced_under_its_key_is_there_once(tmp_path: Path) -> None:
    index_of(tmp_path, document(1, "pump", topics=("rl",)), document(2, "pump"))
    writer = LexicalWriter(tmp_path)
    writer.delete([1])
    writer.add(document(1, "pump", topics=("robots",)))
    writer.commit()
    index = LexicalIndex(tmp_path)
    assert index.documents == 2
    assert index.matching(Scope(topic="rl")).tolist() == []
    assert index.matching(Scope(topic="robots")).tolist() == [1]


def test_text_in_ascii_is_cut_into_the_same_terms_as_any_other() -> None:
    text = "Off-policy_learning (A3C), v2.0: \\alpha=0.5;\tx/y\nno\x1fgap"
    assert [*analyze(text), "cafe"] == analyze(f"{text} caf\u00e9")
