"""`/v1/ask` and `/v1/search` over HTTP."""

from __future__ import annotations

import httpx
import pytest

from rag.answer import Answer, SearchResponse
from rag.engine import Engine

QUESTION = {"question": "What is reinforcement learning?", "topic": "RL"}
OFF_TOPIC = {"question": "Which recipe makes the best sourdough bread?", "topic": "RL"}


def test_an_answer_is_the_engines_answer_and_keeps_its_promises(client: httpx.Client, engine: Engine) -> None:
    response = client.post("/v1/ask", json=QUESTION)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    answer = Answer.model_validate_json(response.content)
    assert answer.answered
    assert answer.topic == "reinforcement-learning"
    assert [source.n for source in answer.sources] == list(range(1, len(answer.sources) + 1))
    for citation in answer.citations:
        fields = {field.field: field.text for field in engine.source(citation.source_id).fields}
        assert fields[citation.field][citation.quote_start : citation.quote_end] == citation.quote


def test_filters_use_the_documented_names(client: httpx.Client) -> None:
    response = client.post("/v1/ask", json={**QUESTION, "filters": {"from": "1999-01-01"}})
    assert response.json()["understood"]["filters"]["from"] == "1999-01-01"


def test_an_off_topic_question_is_refused_with_a_reason(client: httpx.Client) -> None:
    body = client.post("/v1/ask", json=OFF_TOPIC).json()
    assert (body["answered"], body["kind"], body["answer"], body["citations"]) == (False, "refusal", "", [])
    assert body["reason"]["message"]


@pytest.mark.parametrize(
    ("extra", "headers"),
    [({"stream": True}, {}), ({}, {"Accept": "text/event-stream"})],
    ids=["stream: true", "Accept"],
)
def test_a_stream_is_asked_for_in_the_body_or_in_accept(
    client: httpx.Client, extra: dict[str, bool], headers: dict[str, str]
) -> None:
    response = client.post("/v1/ask", json=QUESTION | extra, headers=headers)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["x-accel-buffering"] == "no"
    assert response.text.startswith("id: 1\nevent: sources\n")
    assert response.text.count("event: done\n") == 1


def test_search_returns_at_most_the_limit_best_first(client: httpx.Client) -> None:
    response = client.post("/v1/search", json={"query": "policy", "topic": "RL", "limit": 3})
    results = SearchResponse.model_validate_json(response.content).results
    assert 1 <= len(results) <= 3
    assert [r.score for r in results] == sorted((r.score for r in results), reverse=True)
