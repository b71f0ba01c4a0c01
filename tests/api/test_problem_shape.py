"""Every error, on every route, has the one shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from api.app import create_app
from api.problems import INTERNAL_DETAIL
from api.security import CONTENT_SECURITY_POLICY, MAX_BODY
from index.errors import IndexMissing
from rag.engine import Engine

AssertProblem = Callable[[httpx.Response, int, str], str]
JSON = {"Content-Type": "application/json"}
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.mark.parametrize(
    "path",
    ["/nothing", "/v1/nothing", "/static/nothing.js", "/static/../api/app.py", "/static/%2e%2e/app.py"],
)
def test_unknown_path(client: httpx.Client, assert_problem: AssertProblem, path: str) -> None:
    assert "openapi.json" in assert_problem(client.get(path), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [("GET", "/v1/ask", "POST"), ("DELETE", "/v1/topics", "GET"), ("POST", "/readyz", "GET")],
)
def test_wrong_method(
    client: httpx.Client, assert_problem: AssertProblem, method: str, path: str, allow: str
) -> None:
    response = client.request(method, path)
    assert_problem(response, 405, "method_not_allowed")
    assert response.headers["allow"] == allow


@pytest.mark.parametrize(
    "path", ["/v1/topics/alchemy", "/v1/topics/alchemy/papers", "/topics/alchemy", "/topics/%00"]
)
def test_unknown_topic(client: httpx.Client, assert_problem: AssertProblem, path: str) -> None:
    assert_problem(client.get(path), 404, "unknown_topic")


@pytest.mark.parametrize("path", ["/v1/sources/no-such-id", "/v1/sources/a/b", "/sources/no-such-id"])
def test_unknown_source(client: httpx.Client, assert_problem: AssertProblem, path: str) -> None:
    assert_problem(client.get(path), 404, "unknown_source")


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"question": " "}, 422, "bad_question"),
        ({"question": "why? " * 401}, 422, "bad_question"),
        ({"question": "What is PPO?", "topic": "alchemy"}, 404, "unknown_topic"),
        ({"question": "What is PPO?", "mode": "generative"}, 422, "mode_unavailable"),
    ],
    ids=["empty", "too long", "topic", "mode"],
)
def test_a_question_that_cannot_be_taken_never_starts_a_stream(
    client: httpx.Client,
    assert_problem: AssertProblem,
    body: dict[str, Any],
    status: int,
    code: str,
    stream: bool,
) -> None:
    assert_problem(client.post("/v1/ask", json=body | {"stream": stream}), status, code)


@pytest.mark.parametrize(
    ("path", "body", "loc"),
    [
        ("/v1/ask", {}, "body.question"),
        ("/v1/ask", {"question": 3}, "body.question"),
        ("/v1/ask", {"question": "q", "max_sources": 0}, "body.max_sources"),
        ("/v1/ask", {"question": "q", "colour": "red"}, "body.colour"),
        ("/v1/ask", {"question": "q", "filters": {"from": "soon"}}, "body.filters.from"),
        ("/v1/search", {"query": "q", "limit": 101}, "body.limit"),
        ("/v1/search", [], "body"),
    ],
)
def test_a_rejected_value_is_named(
    client: httpx.Client, assert_problem: AssertProblem, path: str, body: object, loc: str
) -> None:
    response = client.post(path, json=body)
    assert loc in assert_problem(response, 422, "invalid_request")
    assert [error["loc"] for error in response.json()["errors"]] == [loc]


@pytest.mark.parametrize("query", ["offset=-1", "limit=0", "limit=100000", "offset=9" + "0" * 30, "offset=x"])
def test_paging_out_of_bounds(client: httpx.Client, assert_problem: AssertProblem, query: str) -> None:
    response = client.get(f"/v1/topics/reinforcement-learning/papers?{query}")
    assert_problem(response, 422, "invalid_request")


@pytest.mark.parametrize("body", [b"{", b"", b"\xff\xfe", b'{"question": "\\ud800"}', b'{"\\ud800": 1}'])
def test_a_body_that_is_no_question(client: httpx.Client, assert_problem: AssertProblem, body: bytes) -> None:
    response = client.post("/v1/ask", content=body, headers=JSON)
    status, code = (400, "bad_request") if response.status_code == 400 else (422, "invalid_request")
    assert_problem(response, status, code)


@pytest.mark.parametrize("given", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_json_under_another_content_type_is_told_which_to_send(
    client: httpx.Client, assert_problem: AssertProblem, given: str
) -> None:
    response = client.post("/v1/ask", content=b'{"question": "q"}', headers={"Content-Type": given})
    detail = assert_problem(response, 422, "invalid_request")
    assert repr(given) in detail
    assert "send application/json" in detail


@pytest.mark.parametrize(
    ("body", "where"),
    [(b'{"question": }', "line 1, column 14"), (b'{\n "question": "q",\n "x"}', "line 3, column 5")],
)
def test_malformed_json_is_told_where_and_why(
    client: httpx.Client, assert_problem: AssertProblem, body: bytes, where: str
) -> None:
    response = client.post("/v1/ask", content=body, headers=JSON)
    assert f"body: not JSON at {where}: Expecting" in assert_problem(response, 422, "invalid_request")
    assert [error["loc"] for error in response.json()["errors"]] == ["body"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"question": "\xff"}', "byte 14 is no UTF-8"),
        (b"[" * 60_000, "nested too deep"),
        (b"1" * 5_000, "a number too long"),
    ],
    ids=["encoding", "deep", "number"],
)
def test_a_body_that_cannot_be_read_is_told_why(
    client: httpx.Client, assert_problem: AssertProblem, body: bytes, why: str
) -> None:
    response = client.post("/v1/ask", content=body, headers=JSON)
    assert why in assert_problem(response, 400, "bad_request")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/ask", {"question": "What is PPO?", "topic": ""}),
        ("/v1/ask", {"question": "What is PPO?", "topic": " \n"}),
        ("/v1/search", {"query": "PPO", "topic": ""}),
    ],
)
def test_an_empty_topic_is_not_all_topics(
    client: httpx.Client, assert_problem: AssertProblem, path: str, body: dict[str, Any]
) -> None:
    detail = assert_problem(client.post(path, json=body), 422, "invalid_request")
    assert detail.startswith("body: topic is empty; leave it out to ask over all topics")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/topics/alchemy", 404),
        ("/sources/no-such-id", 404),
        ("/nothing", 404),
        ("/topics/<script>", 404),
        ("/topics/reinforcement-learning?offset=x", 422),
    ],
)
def test_a_browser_gets_a_page_with_a_way_back(client: httpx.Client, path: str, status: int) -> None:
    response = client.get(path, headers=BROWSER)
    assert response.status_code == status
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.headers["vary"] == "Accept"
    assert response.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert '<a class="button" href="/topics">' in response.text
    assert "<script>" not in response.text


@pytest.mark.parametrize("path", ["/v1/topics/alchemy", "/v1/nothing", "/static/nothing.js"])
def test_a_browser_that_reads_the_api_gets_problems(
    client: httpx.Client, assert_problem: AssertProblem, path: str
) -> None:
    response = client.get(path, headers=BROWSER)
    assert assert_problem(response, 404, "unknown_topic" if "topics" in path else "not_found")


def _pieces(size: int) -> Iterator[bytes]:
    """A body whose length is not declared."""
    for start in range(0, size, 10_000):
        yield b" " * min(10_000, size - start)


@pytest.mark.parametrize("is_declared", [True, False])
def test_a_body_beyond_the_limit_is_refused(
    client: httpx.Client, assert_problem: AssertProblem, is_declared: bool
) -> None:
    size = MAX_BODY + 1
    content = b" " * size if is_declared else _pieces(size)
    assert_problem(client.post("/v1/ask", content=content, headers=JSON), 413, "body_too_large")


@pytest.mark.parametrize(
    "body", [b'{"question": "\\ud800"}', b'{"question": "q", "filters": {"authors": ["\\udfff"]}}']
)
def test_half_a_surrogate_pair_is_no_text(
    client: httpx.Client, assert_problem: AssertProblem, body: bytes
) -> None:
    detail = assert_problem(client.post("/v1/ask", content=body, headers=JSON), 422, "invalid_request")
    assert "surrogate" in detail


def test_a_body_at_the_limit_is_read(client: httpx.Client) -> None:
    body = b'{"query": "policy"}'.ljust(MAX_BODY)
    assert client.post("/v1/search", content=body, headers=JSON).status_code == 200


def test_an_unforeseen_error_tells_nothing_and_can_be_read_across_origins(
    engine: Engine, connect: Any, assert_problem: AssertProblem
) -> None:
    origin = "https://reader.example"
    app = create_app(engine, allowed_origins=[origin])

    def fail() -> None:
        raise RuntimeError("password=hunter2")

    app.add_api_route("/v1/fail", fail)
    with connect(app) as client:
        response = client.get("/v1/fail", headers={"Origin": origin})
    assert assert_problem(response, 500, "internal") == INTERNAL_DETAIL
    assert response.headers["access-control-allow-origin"] == origin


def test_our_own_errors_keep_their_code_and_status(
    engine: Engine, connect: Any, assert_problem: AssertProblem
) -> None:
    app = create_app(engine)

    def fail() -> None:
        raise IndexMissing("Nothing is ingested. Run `asktopic ingest PATH`.")

    app.add_api_route("/v1/fail", fail)
    with connect(app) as client:
        assert "asktopic ingest" in assert_problem(client.get("/v1/fail"), 503, "index_missing")
