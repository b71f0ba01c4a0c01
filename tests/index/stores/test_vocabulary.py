"""The vocabulary holds what the stored records say, however they came to be stored."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from index.records import Paper, Topic
from index.stores.vocabulary import VOCABULARY_SCHEMA, Vocabulary, VocabularyChange

if TYPE_CHECKING:
    from tests.index.conftest import DataFolder

PAPERS = [
    Paper(
        id="p1",
        title="Pumps",
        abstract="A water pump controller (WPC) is off-line.",
        tags=("Pumping",),
    ),
    Paper(id="p2", title="Valves", abstract="A wide pipe cutter (WPC) cuts valves.", tags=("Piping",)),
    Paper(id="p3", title="Tanks", abstract="The water pump controllers (WPCs) leak.", tags=("Pumping",)),
]


def vocabulary_of(*texts: str) -> Vocabulary:
    db = sqlite3.connect(":memory:")
    db.executescript(VOCABULARY_SCHEMA)
    db.execute("CREATE TABLE membership (topic TEXT, record INTEGER)")
    change = VocabularyChange()
    for key, text in enumerate(texts):
        change.add(key, Paper(id=f"p{key}", title="Paper", abstract=text))
    change.write(db, [])
    return Vocabulary(lambda query, parameters: db.execute(query, parameters).fetchall())


def contents(folder: DataFolder) -> tuple[list[object], list[object]]:
    with folder.snapshot() as snapshot:
        words = snapshot.catalog.rows("SELECT word, count FROM words ORDER BY word")
        explained = snapshot.catalog.rows(
            "SELECT a.short, a.long, r.id FROM abbreviations a JOIN records r ON r.key = a.record "
            "ORDER BY a.short, a.long, r.id"
        )
    return words, explained


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("controler", "controller"),  # a letter left out
        ("conttroller", "controller"),  # one typed twice
        ("contorller", "controller"),  # two exchanged
        ("cantroller", "controller"),  # one replaced
        ("ontroller", "controller"),  # the first one left out
        ("octroller", None),  # the first ones exchanged, and one left out
        ("ocntroller", "controller"),
        ("controllling", None),
        ("kangaroos", None),
    ],
)
def test_the_nearest_word_is_found(typed: str, meant: str | None) -> None:
    assert vocabulary_of("The controller and the controller.").nearest(typed, 1) == meant


def test_fewer_errors_come_before_more_occurrences_and_these_before_nothing() -> None:
    words = vocabulary_of("valves valves valves", "valued valued", "halves halves halves halves")
    assert words.nearest("valvse", 1) == "valves"
    assert words.nearest("valzed", 2) == "valued", "one error, though valves stands more often"


def test_a_word_that_stands_once_corrects_another_only_if_it_is_english() -> None:
    words = vocabulary_of("The kwyjibo is deadly.")
    assert words.nearest("dedly", 1) == "deadly"
    assert words.nearest("kwyjubo", 1) is None


def test_a_known_word_with_an_ending_is_not_corrected_to_it() -> None:
    words = vocabulary_of("The scapula, the scapula.")
    assert words.nearest("scapular", 2) is None
    assert words.nearest("scapulaa", 2) == "scapula", "a letter typed twice is no ending"


def test_a_compound_is_found_by_its_letters() -> None:
    words = vocabulary_of("An off-line pump, an off-line tank, and one off line.")
    assert words.hyphenated("offline") == "off-line"
    assert words.hyphenated("line") is None


def test_an_abbreviation_means_in_a_topic_what_is_explained_there(folder: DataFolder) -> None:
    topics = [Topic(slug=name.lower(), name=name) for name in ("Pumping", "Piping", "Painting")]
    folder.ingest(*topics, *PAPERS)
    with folder.snapshot() as snapshot:
        words = snapshot.vocabulary
        everywhere = words.meanings("wpc", None)
        assert [(found.spelt, found.records) for found in everywhere] == [
            ("water pump controller", 2),
            ("wide pipe cutter", 1),
        ]
        assert words.meanings("wpc", "piping") == everywhere[1:]
        assert words.meanings("wpc", "pumping") == everywhere[:1]
        assert words.meanings("wpc", "painting") == everywhere, "not explained there"
        assert everywhere[0].long == ("water", "pump", "control")
        asked = "pump a wide pipe cutter wider".split()
        assert words.abbreviated(asked) == [("wpc", "wide pipe cutter")]
        assert words.abbreviated(asked[:-2]) == [], "only a part of it"
        assert words.meanings("pump", None) == ()


def test_what_the_vocabulary_holds_does_not_depend_on_how_the_index_came_to_be(
    folder: DataFolder, data_folder: type[DataFolder]
) -> None:
    folder.ingest(PAPERS[2], Paper(id="p4", title="Gone", abstract="A gone thing (GT) went. Zebras."))
    folder.ingest(PAPERS[0].model_copy(update={"abstract": "Another text, off-line."}))
    folder.ingest(*PAPERS, prune=True)
    once = data_folder(folder.source.parent / "once", folder.encoder)
    once.source.parent.mkdir()
    once.ingest(*PAPERS)
    assert contents(folder) == contents(once)
    folder.ingest(*PAPERS, rebuild=True)
    assert contents(folder) == contents(once)
    words, explained = contents(once)
    assert ("off-line", 1) in words
    assert ("line", 1) in words
    assert len(explained) == 3
