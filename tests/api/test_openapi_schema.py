"""The published description of the service."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from rag.answer import AskRequest, SearchRequest


@pytest.fixture(scope="module")
def schema(client: httpx.Client) -> dict[str, Any]:
    document: dict[str, Any] = client.get("/openapi.json").json()
    return document


def operations(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    }


def test_it_lists_every_route_of_the_api(schema: dict[str, Any]) -> None:
    assert set(operations(schema)) == {
        "POST /v1/ask",
        "POST /v1/search",
        "GET /v1/topics",
        "GET /v1/topics/{slug}",
        "GET /v1/topics/{slug}/papers",
        "GET /v1/sources/{source_id}",
        "GET /v1/sources/{source_id}.bib",
        "GET /v1/sources/{source_id}.md",
        "GET /v1/sources/{source_id}.ris",
        "GET /v1/answers/{answer_id}",
        "GET /v1/answers/{answer_id}.bib",
        "GET /v1/answers/{answer_id}.md",
        "GET /v1/answers/{answer_id}.ris",
        "POST /v1/feedback",
        "GET /healthz",
        "GET /readyz",
    }


def test_every_reference_resolves(schema: dict[str, Any]) -> None:
    defined = schema["components"]["schemas"]

    def references(node: object) -> list[str]:
        if isinstance(node, dict):
            own = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
            return own + [ref for value in node.values() for ref in references(value)]
        if isinstance(node, list):
            return [ref for value in node for ref in references(value)]
        return []

    found = references(schema)
    assert found
    assert {ref.removeprefix("#/components/schemas/") for ref in found} <= set(defined)


def test_every_route_declares_the_problem_shape_and_no_other_error(schema: dict[str, Any]) -> None:
    for name, operation in operations(schema).items():
        done = "204" if name == "POST /v1/feedback" else "200"
        assert set(operation["responses"]) == {done, "default"}
        (media_type,) = operation["responses"]["default"]["content"].items()
        assert media_type == (
            "application/problem+json",
            {"schema": {"$ref": "#/components/schemas/Problem"}},
        )


def test_its_examples_are_valid_requests(schema: dict[str, Any]) -> None:
    for name, model in (("POST /v1/ask", AskRequest), ("POST /v1/search", SearchRequest)):
        examples = operations(schema)[name]["requestBody"]["content"]["application/json"]["examples"]
        assert examples
        for example in examples.values():
            model.model_validate(example["value"])


def test_the_event_stream_is_described(schema: dict[str, Any]) -> None:
    assert "text/event-stream" in operations(schema)["POST /v1/ask"]["responses"]["200"]["content"]


@pytest.mark.parametrize("path", ["/docs", "/redoc"])
def test_no_documentation_page_loads_foreign_scripts(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 404
