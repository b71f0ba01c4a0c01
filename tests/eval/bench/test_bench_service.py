"""The service as it is started, and the clients that ask it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from eval.bench.clients import ClientsSpec, ask_all
from eval.bench.peers.process import BenchError
from eval.bench.service import Service, rounds
from index.paths import DataPaths
from index.settings import IndexSettings

Serve = Callable[[ASGIApp], AbstractContextManager[str]]
TOPIC = "reinforcement-learning"
QUESTIONS = ("What is reinforcement learning?", "What are policy-gradient methods?")


@pytest.fixture(scope="module")
def data_dir(starter_settings: IndexSettings, encoder_cache: Path) -> Path:
    cache = DataPaths(starter_settings.data_dir).encoder
    if not cache.exists():
        cache.symlink_to(encoder_cache)
    return starter_settings.data_dir


def test_the_real_service_answers_every_client_and_its_processor_time_is_told(
    data_dir: Path, tmp_path: Path
) -> None:
    with Service(data_dir, tmp_path, TOPIC, QUESTIONS[0]) as service:
        ((report, service_cpu_s),) = rounds(service, QUESTIONS, 1, clients=4, requests=24)
        peak_mb = service.peak_mb()
    assert service.start_s > 0
    assert len(report.ms) == 24
    assert report.failed == 0
    assert 0 < report.cpu_s < report.wall_s
    # Four at a time: the requests' times add up to more than the time that passed.
    assert sum(report.ms) / 1_000 > 1.5 * report.wall_s
    assert service_cpu_s is None or service_cpu_s > 0
    assert peak_mb == 0 or peak_mb > 50


def test_a_service_that_has_nothing_to_answer_from_is_no_figure(tmp_path: Path, encoder_cache: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "encoder").symlink_to(encoder_cache)
    with pytest.raises(BenchError, match="did not start"):
        Service(empty, tmp_path, TOPIC, QUESTIONS[0])


def _ask(base: str, requests: int, clients: int = 2) -> ClientsSpec:
    host, _, port = base.removeprefix("http://").partition(":")
    return ClientsSpec(
        host=host, port=int(port), topic=TOPIC, questions=QUESTIONS, clients=clients, requests=requests
    )


def test_clients_ask_the_questions_in_turn_and_count_refusals(serve: Serve) -> None:
    asked: list[str] = []

    async def answer(request: Request) -> Response:
        body = await request.json()
        asked.append(body["question"])
        assert body["topic"] == TOPIC
        return JSONResponse({}, status_code=503 if len(asked) == 3 else 200)

    app = Starlette(routes=[Route("/v1/ask", answer, methods=["POST"])])
    with serve(app) as base:
        report = asyncio.run(ask_all(_ask(base, 7)))
    assert len(report.ms) == 7
    assert report.failed == 1
    assert sorted(asked) == sorted([QUESTIONS[0]] * 4 + [QUESTIONS[1]] * 3)


def test_connections_are_kept(serve: Serve) -> None:
    peers: set[tuple[str, int]] = set()

    async def answer(request: Request) -> Response:
        assert request.client is not None
        peers.add((request.client.host, request.client.port))
        return JSONResponse({})

    app = Starlette(routes=[Route("/v1/ask", answer, methods=["POST"])])
    with serve(app) as base:
        asyncio.run(ask_all(_ask(base, 20, clients=3)))
    assert len(peers) == 3
