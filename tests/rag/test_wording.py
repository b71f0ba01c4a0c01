"""What a question's words become: put right where the index knows better, asked both ways, or left alone."""

from __future__ import annotations

import sqlite3
from collections import Counter

import pytest

from index.records import Paper
from index.stores.lexical import analyze
from index.stores.vocabulary import VOCABULARY_SCHEMA, Vocabulary, VocabularyChange
from rag.question import read_question
from rag.wording import Equivalent, Wording, spell_out, widened

TEXTS = (
    "The water pump controller (WPC) is an off-line controller of pumps. Buffers store water.",
    "A wide pipe cutter (WPC) cuts a Markov pipe; controllers and pipes are multi-part, of multi-part iron.",
    "The water pump controller (WPC) and its Markov chain are slow, and HydroGym is a HydroGym.",
    "An art is what artists know. The art of piping is an old art, as arts go, and art is long.",
    "A rare thing (ART) is not art.",
)


def wording_of(*texts: str) -> Wording:
    db = sqlite3.connect(":memory:")
    db.executescript(VOCABULARY_SCHEMA)
    db.execute("CREATE TABLE membership (topic TEXT, record INTEGER)")
    change, frequency = VocabularyChange(), Counter[str]()
    for key, text in enumerate(texts):
        change.add(key, Paper(id=f"p{key}", title="Paper", abstract=text))
        frequency.update(set(analyze(text)))
    change.write(db, [])
    rows = Vocabulary(lambda query, parameters: db.execute(query, parameters).fetchall())
    return Wording(rows, frequency.__getitem__)


@pytest.fixture(scope="module")
def wording() -> Wording:
    return wording_of(*TEXTS)


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("what is a cotnroller?", "what is a controller?"),
        ("Cotnroller", "Controller"),
        ("Is it an offline controller?", "Is it an offline controller?"),  # English knows it
        ("multipart pipes", "multi-part pipes"),
        ("whta is a pipe", "what is a pipe"),
        ("the Markow chain", "the Markov chain"),
        ("What is HydroGim?", "What is Hydrogym?"),
        ("bufers", "buffers"),
    ],
)
def test_a_misspelt_word_is_put_right(wording: Wording, typed: str, read: str) -> None:
    assert wording.correct(typed).casefold() == read.casefold()


@pytest.mark.parametrize(
    "text",
    [
        "Where do kangaroos live?",  # nothing near
        "Do popes eat papers?",  # English words, near to "pipes" as they are
        "What is WPD?",  # an abbreviation
        "Is Wader a name?",  # a short name: "Water" is another
        "Does cotnroller2 count?",  # not all letters
        r"What is \contraller?",  # a LaTeX command
        "Is a pipe a pipe?",
    ],
)
def test_other_words_stay(wording: Wording, text: str) -> None:
    assert wording.correct(text) == text


def test_the_question_says_that_it_was_corrected(wording: Wording) -> None:
    assert read_question("Is it a cotnroller?", wording=wording).corrected
    assert read_question("Is it a cotnroller?", wording=wording).text == "Is it a controller?"
    assert not read_question("Is it  a controller?", wording=wording).corrected
    assert not read_question("Was ist ein cotnroller, und warum ist das so?", wording=wording).corrected


def short_forms(wording: Wording, text: str) -> dict[str, tuple[tuple[str, ...], bool]]:
    found = read_question(text, wording=wording).equivalents
    return {item.short: (item.long, item.asked) for item in found}


@pytest.mark.parametrize("text", ["What is a WPC?", "what is a wpc", "What are WPCs?"])
def test_an_abbreviation_brings_its_most_frequent_long_form(wording: Wording, text: str) -> None:
    assert short_forms(wording, text) == {"wpc": (("water", "pump", "control"), True)}


def test_a_long_form_brings_its_abbreviation_unless_that_means_something_else(wording: Wording) -> None:
    found = short_forms(wording, "How slow are water pump controllers?")
    assert found == {"wpc": (("water", "pump", "control"), False)}
    assert short_forms(wording, "How wide is a wide pipe cutter?") == {}


def test_an_abbreviation_that_texts_do_not_agree_on_brings_nothing() -> None:
    texts = [f"{form} (WPC) works." for form in ("wide pipe cutter", "water pump control", "warm pond cover")]
    assert short_forms(wording_of(*texts), "What is a WPC?") == {}


def test_a_word_is_no_abbreviation_for_having_been_one_once(wording: Wording) -> None:
    assert short_forms(wording, "What is art?") == {}
    assert short_forms(wording, "What is ART?") == {"art": (("a", "rare", "thing"), True)}


def test_an_abbreviation_that_no_text_explains_has_its_common_meaning(wording: Wording) -> None:
    found = short_forms(wording, "How does PPO clip?")
    assert found == {"ppo": (("proxim", "polici", "optim"), True)}
    assert "ppo" in short_forms(wording, "How does proximal policy optimisation clip?")


@pytest.mark.parametrize("text", ["an off-line pump", "an off line pump"])
def test_a_compound_is_looked_for_as_one_word_where_texts_write_it_so(text: str) -> None:
    wording = wording_of("An offline pump.", "A pump.")
    question = read_question(text, wording=wording)
    hyphenated = "off-line" in text
    assert [item.short for item in question.equivalents] == (["offlin"] if hyphenated else [])


def test_a_word_is_looked_for_as_a_compound_where_texts_write_it_so(wording: Wording) -> None:
    found = wording.equivalents("multipart", ["multipart"], None)
    assert found == (Equivalent("multipart", ("multi", "part"), "multi-part", asked=True),)


def test_terms_are_widened_by_the_other_way_to_write_a_thing() -> None:
    both = [Equivalent("wpc", ("water", "pump"), "water pump", asked=True)]
    assert widened({"wpc", "slow"}, both) == {"wpc", "slow", "water", "pump"}
    assert widened({"pump", "water"}, both) == {"wpc", "water", "pump"}
    assert widened({"pump", "slow"}, both) == {"pump", "slow"}, "a part is not the thing"


def test_for_the_encoder_things_are_spelt_out_and_symbols_named() -> None:
    both = [Equivalent("wpc", ("water", "pump"), "water pump", asked=True)]
    assert spell_out("Is a WPC a WPC?", both) == "Is a water pump (WPC) a WPC?"
    assert spell_out(r"Is \(\varepsilon\)-greedy $\lambda$ or ε?", ()).split() == (
        "Is epsilon -greedy lambda or epsilon?".split()
    )
