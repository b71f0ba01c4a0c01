"""A link to an answer opens it as it was given, with what produced it; and readers say what it was worth."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import ASGIApp

from api.app import create_app
from api.kept import KeptAnswers, UnknownAnswer
from eval.questions.make.feedback import Feedback
from rag.answer import Answer, AskRequest
from rag.engine import Engine

QUESTION = {"question": "What is reward hacking?", "topic": "RL"}
Serve = Callable[[ASGIApp], AbstractContextManager[str]]


@pytest.fixture
def answer(engine: Engine) -> Answer:
    return engine.ask(AskRequest(**QUESTION))


def ask(client: httpx.Client, **changes: Any) -> dict[str, Any]:
    given: dict[str, Any] = client.post("/v1/ask", json=QUESTION | changes).json()
    return given


def test_an_answer_opens_again_as_it_was_given(client: httpx.Client) -> None:
    given = ask(client)
    again = client.get(f"/v1/answers/{given['id']}")
    assert again.json() == given
    unchanged = client.get(f"/v1/answers/{given['id']}", headers={"If-None-Match": again.headers["etag"]})
    assert unchanged.status_code == 304


def test_a_streamed_answer_is_kept_before_its_id_is_known(client: httpx.Client) -> None:
    question = QUESTION | {"question": "What is exploration?", "stream": True}
    done = client.post("/v1/ask", json=question).text.split("event: done\ndata: ")[1]
    given = json.loads(done.split("\n")[0])
    assert client.get(f"/v1/answers/{given['id']}").json() == given


def test_its_page_needs_no_script_and_leads_to_the_passages(client: httpx.Client) -> None:
    given = ask(client)
    page = client.get(f"/answers/{given['id']}").text
    assert given["provenance"]["index"] in page
    assert "has moved on" not in page
    for citation in given["citations"]:
        assert f"start={citation['quote_start']}&amp;end={citation['quote_end']}#cited" in page
    for ending in ("md", "bib", "ris"):
        assert client.get(f"/v1/answers/{given['id']}.{ending}").status_code == 200


def test_a_form_without_a_script_is_answered_with_a_page(client: httpx.Client) -> None:
    page = client.post(
        "/ask", data={"question": "What is reward hacking?", "topic": "reinforcement-learning"}
    )
    assert page.status_code == 200
    assert ask(client, topic="reinforcement-learning")["citations"][0]["quote"] in page.text.replace(
        "&#x27;", "'"
    )
    refused = client.post("/ask", data={"question": "Which recipe makes the best bread?", "topic": ""})
    assert "Not answered by the sources" in refused.text
    assert client.post("/ask", data={"question": "  "}).status_code == 422
    assert client.post("/ask", json=QUESTION).status_code == 422
    assert client.get("/ask", params=QUESTION).status_code == 200


def test_an_unknown_answer_says_what_may_have_become_of_it(client: httpx.Client) -> None:
    for path in ("/v1/answers/ans-none", "/v1/answers/ans-none.bib", "/answers/ans-none"):
        response = client.get(path)
        assert (response.status_code, response.json()["code"]) == (404, "unknown_answer")
        assert "Ask the question again" in response.json()["detail"]


def test_sources_can_be_taken_away_whatever_their_id_looks_like(client: httpx.Client, engine: Engine) -> None:
    paper = engine.papers("RL").papers[0]
    assert client.get(f"/v1/sources/{paper.id}.bib").text.startswith("@")
    assert client.get(f"/v1/sources/{paper.id}.ris").text.startswith("TY  - ")
    assert client.get(f"/v1/sources/{paper.id}.md").text.startswith("# ")
    assert client.get("/v1/sources/v1.5").json()["code"] == "unknown_source"


def test_only_the_last_answers_are_kept(tmp_path: Path, answer: Answer) -> None:
    kept = KeptAnswers(tmp_path / "answers.sqlite", most=120)
    for n in range(500):
        kept.keep(answer.model_copy(update={"id": f"ans-{n}"}))
    kept.close()
    with closing(sqlite3.connect(tmp_path / "answers.sqlite")) as db:
        count = db.execute("SELECT count(*) FROM answers").fetchone()[0]
    assert 120 <= count < 120 + 100
    assert kept.read("ans-499").answer == answer.answer
    with pytest.raises(UnknownAnswer):
        kept.read("ans-0")


def test_an_answer_given_again_is_as_new(tmp_path: Path, answer: Answer) -> None:
    kept = KeptAnswers(tmp_path / "answers.sqlite", most=100)
    for n in range(300):
        kept.keep(answer.model_copy(update={"id": f"ans-{n}"}))
        kept.keep(answer)
    kept.close()
    assert kept.read(answer.id) == answer


def test_several_writers_share_a_file(tmp_path: Path, answer: Answer) -> None:
    both = [KeptAnswers(tmp_path / "answers.sqlite", most=1_000) for _ in range(2)]
    for n in range(200):
        both[n % 2].keep(answer.model_copy(update={"id": f"ans-{n}"}))
    for kept in both:
        kept.close()
    assert {both[0].read(f"ans-{n}").id for n in range(200)} == {f"ans-{n}" for n in range(200)}


def test_none_are_kept_where_the_operator_wants_none(engine: Engine, serve: Serve) -> None:
    with serve(create_app(engine, keep=0)) as url, httpx.Client(base_url=url) as client:
        given = ask(client, question="What is a rare question that nobody else asks about policies?")
        assert client.get(f"/v1/answers/{given['id']}").status_code == 404


def test_a_folder_that_cannot_be_written_costs_only_the_link(
    tmp_path: Path, answer: Answer, caplog: pytest.LogCaptureFixture
) -> None:
    kept = KeptAnswers(tmp_path / "missing" / "answers.sqlite", most=10)
    kept.keep(answer)
    kept.keep(answer)
    with pytest.raises(UnknownAnswer):
        kept.read(answer.id)
    kept.close()
    assert "answers are not kept" in caplog.text


def test_a_readers_word_is_written_as_the_evaluation_reads_it(client: httpx.Client, engine: Engine) -> None:
    given = ask(client)
    word = {"answer_id": given["id"], "helpful": False, "reasons": ["incomplete"], "comment": "Which year?"}
    assert client.post("/v1/feedback", json=word).status_code == 204
    line = (engine.data_dir / "feedback.jsonl").read_text("utf-8").splitlines()[-1]
    read = Feedback.model_validate_json(line)
    assert (read.question, read.comment, read.is_down) == (QUESTION["question"], "Which year?", True)
    assert json.loads(line)["answer"]["sources"] == [source["id"] for source in given["sources"]]


@pytest.mark.parametrize(
    "word",
    [
        {"answer_id": "ans-none", "helpful": True},
        {"answer_id": "", "helpful": True},
        {"answer_id": "x", "helpful": True, "reasons": ["ugly"]},
        {"answer_id": "x", "helpful": True, "comment": "x" * 1_001},
        {"answer_id": "x", "helpful": True, "email": "me@example.org"},
    ],
)
def test_a_word_on_nothing_is_refused(client: httpx.Client, word: dict[str, Any]) -> None:
    assert client.post("/v1/feedback", json=word).status_code in (404, 422)
