"""The service owns the engine it was given."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from unittest import mock

import httpx
from fastapi import FastAPI

from api.app import create_app
from index.encoder import Encoder
from index.settings import IndexSettings
from rag.engine import Engine

Connect = Callable[[FastAPI], AbstractContextManager[httpx.Client]]
AssertProblem = Callable[[httpx.Response, int, str], str]


def test_shutting_down_closes_the_engine_and_not_before(
    starter_settings: IndexSettings, encoder: Encoder
) -> None:
    engine = Engine(starter_settings, encoder=encoder)
    app = create_app(engine)

    async def live() -> None:
        async with app.router.lifespan_context(app):
            close.assert_not_called()
            assert engine.readiness().ready

    with mock.patch.object(engine, "close", wraps=engine.close) as close:
        asyncio.run(live())
        close.assert_called_once_with()


def test_a_service_started_before_anything_is_ingested_is_alive_and_says_what_to_do(
    encoder: Encoder, tmp_path: Path, connect: Connect, assert_problem: AssertProblem
) -> None:
    with (
        Engine(IndexSettings(data_dir=tmp_path), encoder=encoder) as engine,
        connect(create_app(engine)) as client,
    ):
        assert client.get("/healthz").status_code == 200
        assert "asktopic ingest" in assert_problem(client.get("/readyz"), 503, "not_ready")
        for path in ("/", "/v1/topics", "/topics/reinforcement-learning"):
            assert "asktopic ingest" in assert_problem(client.get(path), 503, "index_missing")
        response = client.post("/v1/ask", json={"question": "What is PPO?", "stream": True})
        assert_problem(response, 503, "index_missing")
