"""What the index says of topics and sources."""

from __future__ import annotations

import datetime as dt

import pytest

from index.encoder import Encoder
from index.errors import UnknownSource, UnknownTopic
from index.settings import IndexSettings
from rag.answer import AskRequest
from rag.engine import Engine


def test_papers_of_the_last_four_weeks_are_counted_from_the_given_day(
    encoder: Encoder, starter_settings: IndexSettings
) -> None:
    with Engine(starter_settings, encoder=encoder) as engine:
        dates = [paper.date for paper in engine.papers("RL", limit=100).papers if paper.date]
    newest = max(dates)

    def recent(today: dt.date) -> int:
        with Engine(starter_settings, encoder=encoder, today=lambda: today) as engine:
            return engine.topic("RL").recent

    for today in (
        newest,
        newest + dt.timedelta(days=27),
        newest + dt.timedelta(days=28),
        newest.replace(year=1980),
    ):
        assert recent(today) == sum(today - dt.timedelta(days=27) <= date <= today for date in dates)
    assert recent(newest) > 0
    assert recent(newest + dt.timedelta(days=28)) == 0


def test_every_example_question_is_answered(engine: Engine) -> None:
    examples = engine.topic("RL").examples
    assert len(examples) == 3
    assert all(engine.ask(AskRequest(question=example, topic="RL")).answered for example in examples)


def test_papers_come_newest_first_in_pages(engine: Engine) -> None:
    first, second = engine.papers("RL", 0, 40), engine.papers("RL", 40, 40)
    assert first.total == second.total == len(first.papers) + len(second.papers)
    dates = [paper.date for paper in (*first.papers, *second.papers) if paper.date]
    assert dates == sorted(dates, reverse=True)
    assert len({paper.id for paper in (*first.papers, *second.papers)}) == first.total


def test_a_source_shows_its_fields_as_they_are_cited(engine: Engine) -> None:
    citation = engine.ask(AskRequest(question="What is a policy?", topic="RL")).citations[0]
    source = engine.source(citation.source_id)
    assert source.topics == ("reinforcement-learning",)
    assert citation.quote in next(field.text for field in source.fields if field.field == citation.field)


def test_unknown_topics_and_sources_are_errors(engine: Engine) -> None:
    with pytest.raises(UnknownTopic):
        engine.topic("alchemy")
    with pytest.raises(UnknownSource, match="no source has the id 'nothing'"):
        engine.source("nothing")
