"""Answers over made papers, read as a reader would: who speaks, on which side, and what still stands."""

from __future__ import annotations

import json

import pytest

from eval.statements import statements_of
from index.encoder import Encoder
from index.ingest.build import build
from index.settings import IndexSettings
from rag.answer import Answer, AskRequest
from rag.engine import Engine

PARTS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty"
).split()
PAPERS = [
    {
        "id": "thermal",
        "title": "Thermal Gliders: Soaring without a Motor",
        "date": "2019-03-01",
        "abstract": "We study thermal gliders, which rise in warm air. We find that thermal gliders stay in "
        "the air for ninety minutes. The flights took place in summer.",
    },
    {
        "id": "ridge",
        "title": "Ridge Gliders over the Coast",
        "date": "2021-06-01",
        "abstract": "We study ridge gliders, which rise where wind meets a slope. Our ridge gliders stay in "
        "the air for as long as the wind blows.",
    },
    {
        "id": "trim",
        "title": "Trimming Helps",
        "date": "2020-01-01",
        "abstract": "Experiments show that nose ballast improves the stall behaviour of wooden gliders.",
    },
    {
        "id": "notrim",
        "title": "Trimming Does Not Help",
        "date": "2022-01-01",
        "abstract": "Experiments show that nose ballast does not improve the stall behaviour of wooden "
        "gliders.",
    },
    {
        "id": "withdrawn",
        "title": "Lead Wings",
        "date": "2018-01-01",
        "retracted": True,
        "abstract": "We show that lead wings double the range of paper gliders.",
    },
    {
        "id": "wax1",
        "title": "Waxed Hulls",
        "date": "2020-01-01",
        "version": "v1",
        "abstract": "We show that waxed hulls cut the drag of seaplanes by 4%. Waxing takes an hour.",
    },
    {
        "id": "wax2",
        "title": "Waxed Hulls",
        "date": "2021-01-01",
        "version": "v2",
        "abstract": "We show that waxed hulls cut the drag of seaplanes by 9%. Waxing takes two hours.",
    },
    {
        "id": "winglets",
        "title": "A Study of Winglets",
        "date": "2015-01-01",
        # Twenty sentences in the question's words, and the result in others.
        "abstract": "This is a study of winglets for gliders. "
        + " ".join(f"The study of winglets for gliders has part {part} of it." for part in PARTS)
        + " Experienced pilots found calmer cockpits and we observed no harm.",
    },
    *(
        {
            "id": f"her{i}",
            "title": title,
            "date": "2017-07-01",
            "abstract": f"{text} The pilot trusts her instruments and her training, and her glider too.",
        }
        for i, (title, text) in enumerate(
            [
                (
                    "Hangar Energy Recovery",
                    "Hangar energy recovery (HER) heats a hangar with warm waste air.",
                ),
                ("Costs of Hangars", "Hangar energy recovery (HER) halves the cost of heating a hangar."),
                ("Old Hangars", "Old hangars lack hangar energy recovery (HER) and are cold in winter."),
            ]
        )
    ),
    {
        "id": "pilots",
        "title": "A Pilot and Her Glider",
        "date": "2016-07-01",
        "abstract": "Her glider is her life and work. What her glider is, her friends know.",
    },
]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory, encoder: Encoder) -> Engine:
    folder = tmp_path_factory.mktemp("prose")
    topic = {"kind": "topic", "slug": "flight", "name": "Soaring Flight"}
    records = [topic, *({"kind": "paper", "tags": ["Soaring Flight"], **paper} for paper in PAPERS)]
    source = folder / "papers.jsonl"
    source.write_text("\n".join(map(json.dumps, records)))
    settings = IndexSettings(data_dir=folder / "data")
    build([source], settings, encoder=encoder)
    return Engine(settings, encoder=encoder)


def ask(engine: Engine, question: str) -> Answer:
    answer = engine.ask(AskRequest(question=question, topic="flight"))
    assert answer.answered, answer.reason
    assert all(statement.citations for statement in statements_of(answer)), "nothing stands there uncited"
    for citation in answer.citations:
        assert answer.answer[citation.start_index : citation.end_index] == citation.quote
    return answer


def test_a_paper_that_says_we_is_named_with_its_year(engine: Engine) -> None:
    answer = ask(engine, "How long do thermal gliders stay in the air?")
    lead = "*Thermal Gliders: Soaring without a Motor* (2019): We find that thermal gliders stay in the air"
    assert answer.answer.startswith(lead)
    assert "ninety minutes" in answer.citations[0].quote


def test_both_sides_of_a_comparison_are_spoken_of(engine: Engine) -> None:
    answer = ask(engine, "What is the difference between thermal gliders and ridge gliders?")
    assert answer.understood.kind == "comparison"
    assert answer.understood.sides == ("thermal gliders", "ridge gliders")
    first, second = answer.answer.split("\n\n")
    assert first.startswith("As for thermal gliders: *Thermal Gliders")
    assert second.startswith("As for ridge gliders: *Ridge Gliders")


def test_a_side_that_no_paper_speaks_of_is_named(engine: Engine) -> None:
    answer = ask(engine, "Are thermal gliders better than zeppelins in warm air?")
    assert "Nothing that could be quoted was found on “zeppelins”." in answer.notices
    assert "zeppelin" not in answer.answer


def test_papers_that_contradict_each_other_are_set_side_by_side(engine: Engine) -> None:
    answer = ask(engine, "Does nose ballast improve the stall behaviour of wooden gliders?")
    first, second = answer.answer.split("\n\n")[:2]
    assert first.startswith("*Trimming ")
    assert second.startswith("By contrast, *Trimming ")
    assert {source.id for source in answer.sources[:2]} == {"trim", "notrim"}


def test_a_retracted_paper_is_marked_where_it_speaks_and_in_a_notice(engine: Engine) -> None:
    answer = ask(engine, "Do lead wings double the range of paper gliders?")
    n = next(source.n for source in answer.sources if source.id == "withdrawn")
    assert "*Lead Wings* (2018, retracted): We show that lead wings" in answer.answer
    assert f"Source [{n}] has been retracted." in answer.notices


def test_of_two_versions_of_a_paper_the_later_one_speaks_first(engine: Engine) -> None:
    answer = ask(engine, "By how much do waxed hulls cut the drag of seaplanes?")
    assert answer.sources[0].id == "wax2"
    if len(answer.sources) > 1 and answer.sources[1].id == "wax1":
        assert "*Waxed Hulls* (2020, superseded)" in answer.answer
        assert any("an earlier version" in notice for notice in answer.notices)


def test_an_abbreviation_in_capitals_is_not_a_pronoun(engine: Engine) -> None:
    answer = ask(engine, "What is HER?")
    assert "angar energy recovery (HER)" in answer.citations[0].quote
    assert all(source.id.startswith("her") for source in answer.sources)


def test_the_same_question_gives_the_same_prose(engine: Engine) -> None:
    questions = ["Thermal gliders versus ridge gliders", "Does nose ballast improve wooden gliders?"]
    for question in questions:
        assert ask(engine, question).answer == ask(engine, question).answer


def test_the_result_is_quoted_beside_the_aim_however_little_its_words_are_those_asked(engine: Engine) -> None:
    answer = ask(engine, "What did the study of winglets for gliders achieve?")
    assert "calmer cockpits" in answer.answer
