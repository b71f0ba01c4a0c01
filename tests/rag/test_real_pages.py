"""The real topic and explainer page, ingested and asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from index.encoder import Encoder
from index.ingest.build import build
from index.settings import IndexSettings
from rag.answer import Answer, AskRequest
from rag.engine import Engine


@pytest.fixture(scope="module")
def engine(shared_data: Path, tmp_path_factory: pytest.TempPathFactory, encoder: Encoder) -> Iterator[Engine]:
    settings = IndexSettings(data_dir=tmp_path_factory.mktemp("pages") / "data")
    report = build([shared_data / "seeds"], settings, encoder=encoder)
    assert (report.new, len(report.quarantined)) == (103, 0), "101 papers, an explainer and their topic"
    with Engine(settings, encoder=encoder) as engine:
        yield engine


def ask(engine: Engine, question: str) -> Answer:
    return engine.ask(AskRequest(question=question, topic="RL"))


def test_a_finding_is_quoted_with_its_number(engine: Engine) -> None:
    answer = ask(engine, "By how much does HydroGym's transferred agent reduce drag on the unseen wing?")
    assert "38%" in answer.citations[0].quote
    assert answer.sources[0].title == "The HydroGym Reinforcement Learning Platform for Fluid Dynamics"


def test_a_trade_off_is_quoted_from_the_explainer(engine: Engine) -> None:
    answer = ask(engine, "What is the tradeoff of reinforcement learning?")
    assert answer.sources[0].kind == "explainer"
    assert "reward hacking" in answer.citations[0].quote


def test_another_field_is_refused(engine: Engine) -> None:
    answer = ask(engine, "What does RL stand for in astrology?")
    assert not answer.answered
    assert answer.related


def test_published_statistics_and_members_are_the_pages(engine: Engine) -> None:
    topic = engine.topic("RL")
    assert (topic.papers, topic.explainers) == (101, 1)
    assert topic.published_statistics == {
        "papers": 1742,
        "papers_last_four_weeks": 237,
        "change_percent": 46.0,
        "share_of_new_papers_percent": 1.4,
    }
