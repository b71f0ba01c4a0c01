"""More questions than can be answered at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager

import httpx
import pytest
from fastapi import FastAPI

from api.app import create_app
from index.encoder import Encoder
from index.settings import IndexSettings
from rag.answer import Answer, AskRequest
from rag.engine import Engine

Connect = Callable[[FastAPI], AbstractContextManager[httpx.Client]]
READERS = 60
"""More than the 40 threads that Starlette has for everything else."""


class Held(Engine):
    """An engine that answers nothing before it is released."""

    def __init__(self, settings: IndexSettings, encoder: Encoder) -> None:
        super().__init__(settings, encoder=encoder)
        self.busy, self.released = threading.Event(), threading.Event()
        self.lock = threading.Lock()
        self.at_once = self.most_at_once = 0

    def ask(self, request: AskRequest) -> Answer:
        with self.lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        self.busy.set()
        assert self.released.wait(30)
        try:
            return super().ask(request)
        finally:
            with self.lock:
                self.at_once -= 1


@pytest.mark.parametrize("stream", [False, True])
def test_every_question_is_answered_and_nothing_else_waits_for_that(
    starter_settings: IndexSettings, encoder: Encoder, connect: Connect, stream: bool
) -> None:
    question = {"question": "What is PPO?", "topic": "RL", "stream": stream}
    engine = Held(starter_settings, encoder)
    with (
        engine,
        connect(create_app(engine, at_once=2)) as client,
        ThreadPoolExecutor(READERS) as readers,
    ):
        url = f"{client.base_url}/v1/ask"
        waiting = [readers.submit(httpx.post, url, json=question, timeout=60) for _ in range(READERS)]
        try:
            assert engine.busy.wait(30)
            for path in ("/healthz", "/readyz", "/v1/topics", "/topics/reinforcement-learning"):
                assert client.get(path, timeout=10).status_code == 200
            assert not any(each.done() for each in waiting)
        finally:
            engine.released.set()
        answers = [each.result() for each in waiting]
    assert {answer.status_code for answer in answers} == {200}
    assert all(("event: done" in answer.text) == stream for answer in answers)
    assert engine.most_at_once == 2
