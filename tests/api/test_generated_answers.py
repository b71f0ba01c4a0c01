"""Answers that a model writes, over HTTP: as JSON, as a stream, and nothing for a reader who has left."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from api.app import create_app
from eval.trials.lying import MODEL, Liar
from index.encoder import Encoder
from index.settings import IndexSettings
from rag.engine import Engine
from rag.settings import LlmSettings

HACKING = {"question": "What is reward hacking?", "topic": "RL"}


@pytest.fixture(scope="module")
def liar() -> Liar:
    return Liar(pace=0.02)


@pytest.fixture(scope="module")
def model_url(liar: Liar) -> Iterator[str]:
    with liar.serving() as url:
        yield url


@pytest.fixture
def asked_of(
    request: pytest.FixtureRequest,
    model_url: str,
    connect: Any,
    starter_settings: IndexSettings,
    encoder: Encoder,
) -> Iterator[httpx.Client]:
    llm = LlmSettings(base_url=model_url, model=f"{MODEL}{request.param}", api_key="sk-very-secret")
    with (
        Engine(starter_settings, encoder=encoder, llm=llm) as engine,
        connect(create_app(engine)) as client,
    ):
        yield client


def events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    name = ""
    for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))


@pytest.mark.parametrize("asked_of", ["honest"], indirect=True)
@pytest.mark.parametrize(
    ("mode", "answerer"), [("auto", "generative"), ("generative", "generative"), ("extractive", "extractive")]
)
def test_the_mode_says_who_words_the_answer(asked_of: httpx.Client, mode: str, answerer: str) -> None:
    body = asked_of.post("/v1/ask", json={**HACKING, "mode": mode}).json()
    assert body["answered"]
    assert body["provenance"]["answerer"].startswith(answerer)
    assert (body["checked"] is not None) == (answerer == "generative")
    for one in body["citations"]:
        stored = asked_of.get(f"/v1/sources/{one['source_id']}").json()
        text = next(each["text"] for each in stored["fields"] if each["field"] == one["field"])
        assert text[one["quote_start"] : one["quote_end"]] == one["quote"]


def test_without_a_model_a_generated_answer_is_refused(client: httpx.Client, assert_problem: Any) -> None:
    response = client.post("/v1/ask", json={**HACKING, "mode": "generative"})
    assert_problem(response, 422, "mode_unavailable")


@pytest.mark.parametrize("asked_of", ["honest", "errors", "changed-number"], indirect=True)
def test_a_stream_tells_the_sources_first_and_ends_in_the_whole(asked_of: httpx.Client) -> None:
    with asked_of.stream("POST", "/v1/ask", json={**HACKING, "stream": True}) as response:
        told = list(events(response.iter_lines()))
    names = [name for name, _ in told]
    assert names[0] == "sources"
    assert told[0][1]["reading"]
    assert names.count("done") == 1
    assert names[-1] == "done"
    whole = told[-1][1]
    assert "".join(data["text"] for name, data in told if name == "delta") == whole["answer"]
    assert [data for name, data in told if name == "citation"] == whole["citations"]
    kept = asked_of.get(f"/answers/{whole['id']}")
    assert kept.status_code == 200


@pytest.mark.parametrize("asked_of", ["slow-drip", "silence"], indirect=True)
@pytest.mark.parametrize("stream", [True, False])
def test_a_reader_who_leaves_ends_the_writing(asked_of: httpx.Client, liar: Liar, stream: bool) -> None:
    before = len(liar.exchanges)
    with pytest.raises(httpx.ReadTimeout):
        asked_of.post("/v1/ask", json={**HACKING, "stream": stream}, timeout=1.0)
    (exchange,) = liar.since(before)
    assert exchange.wait(5) == "abandoned"


@pytest.mark.parametrize("asked_of", ["honest"], indirect=True)
def test_a_plain_form_is_answered_with_a_page(asked_of: httpx.Client) -> None:
    page = asked_of.post("/ask", data={"question": HACKING["question"], "topic": "RL"})
    assert page.status_code == 200
    assert "Reinforcement learning is the branch" in page.text
