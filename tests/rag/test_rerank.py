"""A reranker that was taught what is relevant puts it first, in search and answers alike."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from index.encoder import Encoder
from index.errors import EncoderError
from index.ingest.build import build
from index.settings import IndexSettings
from rag.answer import AskRequest, SearchRequest
from rag.engine import Engine
from rag.rerank import Reranker, open_reranker
from rag.settings import RerankerSettings

QUESTION = "Where does the keeper live near the harbour?"
ABSTRACTS = [
    "The keeper is known to live near the harbour. Every keeper of the harbour lives in a stone house.",
    "The keeper of the harbour lives near the quay. The house of the keeper is small.",
    "Keepers of harbours live near the ships. The study counted forty of them.",
    "Where a keeper lives depends on the harbour. We asked the keepers of twelve harbours.",
    "A keeper may live near the cliff. From the lighthouse the whole harbour can be seen.",
    "Harbours are dredged once a year. The keeper is told of it beforehand.",
    "Ships enter the harbour at night. Nobody but the keeper sees them.",
]
TAUGHT = "p4"
"""The one that says "lighthouse", which the search alone has no reason to prefer."""


@pytest.fixture(scope="module")
def settings(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> IndexSettings:
    folder = tmp_path_factory.mktemp("harbour")
    source = folder / "papers.jsonl"
    with source.open("w", encoding="utf-8") as lines:
        for number, abstract in enumerate(ABSTRACTS):
            paper = {
                "kind": "paper",
                "id": f"p{number}",
                "title": f"Harbour study {number}",
                "abstract": abstract,
            }
            lines.write(json.dumps(paper | {"tags": ["Harbours"], "date": "2025-01-01"}) + "\n")
    settings = IndexSettings(data_dir=folder / "data")
    report = build([source], settings, encoder=encoder)
    assert report.new == len(ABSTRACTS)
    return settings


@pytest.fixture(scope="module")
def reranker(toy_reranker: Path, settings: IndexSettings) -> Reranker:
    asked = RerankerSettings(path=toy_reranker, precision="fp32", depth=5)
    found = open_reranker(asked, settings.data_dir / "encoder")
    assert found is not None
    return found


@pytest.fixture(scope="module")
def plain(settings: IndexSettings, encoder: Encoder) -> Iterator[Engine]:
    with Engine(settings, encoder=encoder) as engine:
        yield engine


@pytest.fixture(scope="module")
def reranking(settings: IndexSettings, encoder: Encoder, reranker: Reranker) -> Iterator[Engine]:
    with Engine(settings, encoder=encoder, reranker=reranker) as engine:
        yield engine


def ranking(engine: Engine) -> dict[str, float]:
    return {result.id: result.score for result in engine.search(SearchRequest(query=QUESTION)).results}


def test_what_it_was_taught_comes_first_in_a_search(plain: Engine, reranking: Engine) -> None:
    before, after = list(ranking(plain)), list(ranking(reranking))
    assert before.index(TAUGHT) in range(1, 5), "found among those it reads, and not first"
    assert after[0] == TAUGHT
    assert [found for found in after if found != TAUGHT] == [found for found in before if found != TAUGHT]


def test_what_it_did_not_read_stays_below_as_it_was(plain: Engine, reranking: Engine) -> None:
    before, after = ranking(plain), ranking(reranking)
    assert len(before) > 5
    assert list(after.items())[5:] == list(before.items())[5:]
    scores = list(after.values())
    assert scores == sorted(scores, reverse=True)
    assert 0 <= scores[-1] <= scores[0] <= 1


def test_an_answer_stands_on_the_new_order(plain: Engine, reranking: Engine) -> None:
    request = AskRequest(question=QUESTION, max_sources=1)
    before, after = plain.ask(request), reranking.ask(request)
    shown = [
        [*(source.id for source in found.sources), *(near.id for near in found.related)]
        for found in (before, after)
    ]
    assert shown[0] != shown[1]
    assert shown[1].index(TAUGHT) < shown[0].index(TAUGHT)
    assert "rerank" in after.timing_ms
    assert "rerank" not in before.timing_ms


def test_provenance_names_it_and_the_answer_is_another_one(
    plain: Engine, reranking: Engine, reranker: Reranker
) -> None:
    request = AskRequest(question=QUESTION)
    before, after = plain.ask(request), reranking.ask(request)
    assert before.provenance.reranker is None
    assert after.provenance.reranker == f"toy/fp32@{reranker.cross_encoder.fingerprint}, first 5"
    assert reranking.search(SearchRequest(query=QUESTION)).provenance.reranker == after.provenance.reranker
    assert before.id != after.id
    assert reranking.ask(request).id == after.id


def test_nothing_found_is_nothing_to_rerank(reranking: Engine) -> None:
    request = SearchRequest.model_validate({"query": QUESTION, "filters": {"ids": ["no-such-paper"]}})
    assert reranking.search(request).results == ()


def test_without_a_path_there_is_none(tmp_path: Path) -> None:
    assert open_reranker(RerankerSettings(), tmp_path / "cache") is None
    assert not (tmp_path / "cache").exists()


def test_a_path_that_is_wrong_stops_the_start_and_is_named(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="nowhere is not a folder"):
        open_reranker(RerankerSettings(path=tmp_path / "nowhere"), tmp_path)
