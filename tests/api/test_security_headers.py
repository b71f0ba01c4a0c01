"""Headers on every response, and who may call from another origin."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.types import Message

from api.app import create_app
from api.security import CONTENT_SECURITY_POLICY, MAX_REFUSED, BodyLimit
from rag.engine import Engine

FRIEND = "https://reader.example"
STRANGER = "https://stranger.example"


@pytest.fixture(scope="module")
def shared(engine: Engine, connect: Any) -> Iterator[httpx.Client]:
    with connect(create_app(engine, allowed_origins=[FRIEND])) as client:
        yield client


@pytest.mark.parametrize(
    "path", ["/topics/reinforcement-learning", "/v1/topics", "/widget.js", "/static/page.css", "/nothing"]
)
def test_every_response_carries_the_security_headers(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


def test_the_policy_allows_no_inline_code_and_no_foreign_origin() -> None:
    assert CONTENT_SECURITY_POLICY.startswith("default-src 'none'; ")
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert "http" not in CONTENT_SECURITY_POLICY
    assert "*" not in CONTENT_SECURITY_POLICY


def test_only_an_allowed_origin_may_read_the_api(shared: httpx.Client) -> None:
    friend = shared.get("/v1/topics", headers={"Origin": FRIEND})
    assert friend.headers["access-control-allow-origin"] == FRIEND
    assert "origin" in friend.headers["vary"].lower()
    for path, origin in (("/v1/topics", STRANGER), ("/v1/topics", "null"), ("/readyz", FRIEND)):
        assert "access-control-allow-origin" not in shared.get(path, headers={"Origin": origin}).headers


def refused_origins(log: pytest.LogCaptureFixture) -> list[str]:
    return [
        record.getMessage() for record in log.records if "ASKTOPIC_ALLOWED_ORIGINS" in record.getMessage()
    ]


def test_a_refused_origin_is_logged_once_with_the_setting_that_allows_it(
    engine: Engine, connect: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with connect(create_app(engine, allowed_origins=[FRIEND])) as client:
        for origin in (FRIEND, STRANGER, STRANGER):
            client.get("/v1/topics", headers={"Origin": origin})
        (logged,) = refused_origins(caplog)
    assert repr(STRANGER) in logged


def test_a_page_of_the_service_itself_is_not_logged_as_refused(
    client: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    own = str(client.base_url).rstrip("/")
    client.get("/v1/topics", headers={"Origin": own})
    behind_a_proxy = {"Origin": "https://public.example", "Sec-Fetch-Site": "same-origin"}
    client.get("/v1/topics", headers=behind_a_proxy)
    assert refused_origins(caplog) == []


def test_invented_origins_do_not_fill_the_memory_or_the_log(
    engine: Engine, connect: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with connect(create_app(engine)) as client:
        for number in range(MAX_REFUSED + 5):
            client.get("/v1/nothing", headers={"Origin": f"https://{number}.example"})
    assert len(refused_origins(caplog)) == MAX_REFUSED


def test_a_preflight_is_granted_to_an_allowed_origin_alone(shared: httpx.Client) -> None:
    ask = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    friend = shared.options("/v1/ask", headers=ask | {"Origin": FRIEND})
    assert friend.status_code == 200
    assert "POST" in friend.headers["access-control-allow-methods"]
    stranger = shared.options("/v1/ask", headers=ask | {"Origin": STRANGER})
    assert stranger.status_code == 405
    assert "access-control-allow-origin" not in stranger.headers


def test_errors_too_can_be_read_by_an_allowed_origin(shared: httpx.Client) -> None:
    origin = {"Origin": FRIEND}
    responses = [
        shared.get("/v1/nothing", headers=origin),
        shared.post("/v1/ask", json={}, headers=origin),
        shared.post("/v1/ask", content=b" " * 70_000, headers=origin),
    ]
    assert [response.status_code for response in responses] == [404, 422, 413]
    assert {response.headers["access-control-allow-origin"] for response in responses} == {FRIEND}


def test_the_body_reaches_the_application_byte_for_byte_and_then_the_disconnect() -> None:
    incoming: list[Message] = [
        {"type": "http.request", "body": b"ab", "more_body": True},
        {"type": "http.request", "body": b"c", "more_body": False},
        {"type": "http.disconnect"},
    ]
    queue = list(incoming)
    seen: list[Message] = []

    async def receive() -> Message:
        return queue.pop(0)

    async def send(message: Message) -> None:
        raise AssertionError(f"nothing is sent, yet {message}")

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.extend([await receive() for _ in incoming])

    scope = {"type": "http", "headers": []}
    asyncio.run(BodyLimit(application, limit=3)(scope, receive, send))
    assert seen == incoming
