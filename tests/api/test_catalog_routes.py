"""Topics, papers, sources and health over HTTP."""

from __future__ import annotations

from urllib.parse import quote

import httpx
import pytest

from api.problems import NotReady
from api.routes.health import require_ready
from rag.answer import PaperPage, Readiness, SourceInfo, TopicInfo
from rag.engine import Engine


def test_topics_are_listed_and_found_by_slug_name_and_alias(client: httpx.Client) -> None:
    listed = [TopicInfo.model_validate(topic) for topic in client.get("/v1/topics").json()["topics"]]
    (topic,) = (topic for topic in listed if topic.slug == "reinforcement-learning")
    for name in ("reinforcement-learning", "Reinforcement Learning", "RL"):
        response = client.get(f"/v1/topics/{quote(name)}")
        assert TopicInfo.model_validate_json(response.content) == topic


def test_pages_of_papers_follow_each_other_without_gap_or_overlap(client: httpx.Client) -> None:
    url = "/v1/topics/reinforcement-learning/papers"
    whole = PaperPage.model_validate_json(client.get(url, params={"limit": 6}).content)
    parts = [client.get(url, params={"offset": offset, "limit": 2}).json() for offset in (0, 2, 4)]
    assert [paper.id for paper in whole.papers] == [paper["id"] for part in parts for paper in part["papers"]]
    beyond = client.get(url, params={"offset": whole.total}).json()
    assert (beyond["total"], beyond["papers"]) == (whole.total, [])


def test_every_source_of_a_topic_opens_with_its_text(client: httpx.Client, engine: Engine) -> None:
    paper = engine.papers("RL", 0, 1).papers[0].id
    explainer = engine.explainers("RL")[0].id
    for source_id in (paper, explainer, "topic:reinforcement-learning"):
        response = client.get(f"/v1/sources/{quote(source_id, safe='')}")
        assert SourceInfo.model_validate_json(response.content) == engine.source(source_id)


def test_alive_and_ready(client: httpx.Client, engine: Engine) -> None:
    assert client.get("/healthz").json() == {"status": "alive", "version": engine.version}
    assert Readiness.model_validate_json(client.get("/readyz").content).ready


def test_not_ready_is_a_503_that_says_why() -> None:
    with pytest.raises(NotReady, match="generation 3 is damaged") as raised:
        require_ready(Readiness(ready=False, message="generation 3 is damaged"))
    assert (raised.value.status, raised.value.code) == (503, "not_ready")


@pytest.mark.parametrize(
    "path", ["/healthz", "/readyz", "/", "/topics/reinforcement-learning", "/widget.js", "/static/page.css"]
)
def test_a_head_request_is_answered_like_a_get_without_its_body(client: httpx.Client, path: str) -> None:
    head, get = client.head(path), client.get(path)
    assert (head.status_code, head.content) == (get.status_code, b"")
    assert head.headers.get("content-type") == get.headers.get("content-type")
