"""A real server on the loopback interface, and the one shape that every error must have."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from http import HTTPStatus

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from api.app import create_app
from rag.engine import Engine

Serve = Callable[[FastAPI], AbstractContextManager[httpx.Client]]


@pytest.fixture(scope="session")
def serve() -> Serve:
    """Serve an application for as long as a `with` block lasts; its engine stays open."""

    @contextmanager
    def run(app: FastAPI) -> Iterator[httpx.Client]:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            # A listening socket queues connections, so nobody has to wait for the server to be up.
            server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_level="critical"))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
            thread.start()
            try:
                host, port = listener.getsockname()
                with httpx.Client(base_url=f"http://{host}:{port}", timeout=30) as client:
                    yield client
            finally:
                server.should_exit = True
                thread.join()

    return run


@pytest.fixture(scope="session")
def client(engine: Engine, serve: Serve) -> Iterator[httpx.Client]:
    with serve(create_app(engine)) as client:
        yield client


@pytest.fixture(scope="session")
def assert_problem() -> Callable[[httpx.Response, int, str], str]:
    """Assert that a response is a problem of this status and code; return its detail."""

    def check(response: httpx.Response, status: int, code: str) -> str:
        assert response.status_code == status, response.text
        assert response.headers["content-type"] == "application/problem+json"
        body = response.json()
        assert body.keys() - {"errors"} == {"type", "title", "status", "detail", "code"}
        assert body["type"] == "about:blank"
        assert body["title"] == HTTPStatus(status).phrase
        assert (body["status"], body["code"]) == (status, code)
        assert ("errors" in body) == (code == "invalid_request")
        assert all(error.keys() == {"loc", "message"} for error in body.get("errors", []))
        assert len(body["detail"]) > 10
        detail: str = body["detail"]
        return detail

    return check
