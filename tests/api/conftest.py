"""A real server on the loopback interface, and the one shape that every error must have."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from http import HTTPStatus
from pathlib import Path

import httpx
import pytest
from starlette.types import ASGIApp

from api.app import create_app
from index.paths import DataPaths
from index.settings import IndexSettings
from rag.engine import Engine

Connect = Callable[[ASGIApp], AbstractContextManager[httpx.Client]]


@pytest.fixture(scope="session")
def connect(serve: Callable[[ASGIApp], AbstractContextManager[str]]) -> Connect:
    """Serve an application while a `with` block lasts; gives a client of it."""

    @contextmanager
    def run(app: ASGIApp) -> Iterator[httpx.Client]:
        with serve(app) as url, httpx.Client(base_url=url, timeout=30) as client:
            yield client

    return run


@pytest.fixture(scope="session")
def client(engine: Engine, connect: Connect) -> Iterator[httpx.Client]:
    with connect(create_app(engine)) as client:
        yield client


@pytest.fixture
def data_dir(starter_settings: IndexSettings, encoder_cache: Path, tmp_path: Path) -> Path:
    """A copy of the starter index, to be damaged at will, beside an encoder that is already exported."""
    folder = tmp_path / "data"
    shutil.copytree(starter_settings.data_dir, folder)
    shutil.copytree(encoder_cache, DataPaths(folder).encoder, dirs_exist_ok=True)
    return folder


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
