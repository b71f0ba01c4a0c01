"""The model's server asked within limits: retries, budgets, what it knows, and what it may not learn."""

from __future__ import annotations

import datetime as dt
import json
import logging
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from starlette.responses import JSONResponse, Response

from eval.trials.lying.script import Asked
from index.errors import ModeUnavailable
from rag.answer import AskRequest
from rag.engine import Engine
from rag.generate.client import FAILURES
from rag.generate.retrying import pause_before
from rag.generate.spending import Spending
from rag.generate.writing import NOTICES

if TYPE_CHECKING:
    from tests.rag.generate.conftest import Scripted, Written

HACKING = AskRequest(question="What is reward hacking?", topic="RL")
KEY = "sk-very-secret"


def error(status: int, **headers: str) -> Response:
    return JSONResponse({"error": {"message": f"no, {KEY}"}}, status, headers=headers)


def test_a_busy_server_is_asked_again_when_it_says(server: Scripted, written: Written) -> None:
    server.refusals = [error(429, **{"Retry-After": "1"}), error(503)]
    began = time.monotonic()
    answer = written().ask(HACKING)
    assert answer.provenance.answerer.startswith("generative/")
    assert time.monotonic() - began >= 1
    assert len(server.bodies) == 3


def test_a_server_that_is_busy_for_longer_than_a_reader_waits_is_not_asked_until_then(
    server: Scripted, written: Written
) -> None:
    server.refuses = lambda body: error(429, **{"Retry-After": "3600"})
    engine = written()
    began = time.monotonic()
    for _ in range(2):
        assert engine.ask(HACKING).notices[0] == NOTICES["rate_limited"]
    assert time.monotonic() - began < 2
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("status", "headers", "pause"),
    [
        (429, {"retry-after": "7"}, 7),
        (503, {"retry-after": "-3"}, 0),
        (503, {"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0),
        (500, {"retry-after": "soon"}, 2),
        (500, {"retry-after": "inf"}, 2),
        (None, {}, 2),
        (400, {"retry-after": "7"}, None),
        (401, {}, None),
    ],
)
def test_the_pause_is_what_the_server_names(
    status: int | None, headers: dict[str, str], pause: float | None
) -> None:
    assert pause_before(2, status, headers) == pause


@pytest.mark.parametrize(
    ("refusal", "trouble"),
    [
        (error(429, **{"Retry-After": "0"}), "rate_limited"),
        (error(500, **{"Retry-After": "0"}), "broken"),
        (error(401), "refused"),
        (error(404), "refused"),
    ],
)
def test_a_server_that_refuses_leaves_the_quotes_and_a_notice(
    server: Scripted, written: Written, engine: Engine, refusal: Response, trouble: str
) -> None:
    server.refuses = lambda body: refusal
    answer = written().ask(HACKING)
    assert answer.answer == engine.ask(HACKING).answer
    assert answer.notices[0] == NOTICES[trouble]


def test_a_server_that_is_not_there_leaves_the_quotes(written: Written, engine: Engine) -> None:
    answer = written(base_url="http://127.0.0.1:9/v1", max_retries=0).ask(HACKING)
    assert answer.answer == engine.ask(HACKING).answer
    assert answer.notices[0] == NOTICES["unreachable"]


def test_a_server_that_keeps_failing_is_left_alone_for_a_while(server: Scripted, written: Written) -> None:
    server.refuses = lambda body: error(401)
    engine = written()
    for _ in range(FAILURES):
        engine.ask(HACKING)
    asked = len(server.bodies)
    assert engine.ask(HACKING).notices[0] == NOTICES["resting"]
    assert len(server.bodies) == asked


def test_structured_output_is_asked_for_and_read(server: Scripted, written: Written) -> None:
    def write(asked: Asked) -> str:
        items = [{"text": each.text, "evidence": [each.id]} for each in asked.few]
        return json.dumps({"sentences": items})

    server.write = write
    answer = written().ask(HACKING)
    assert server.bodies[0]["response_format"]["type"] == "json_schema"
    assert answer.checked is not None
    assert answer.checked.supported == 3


@pytest.mark.parametrize("status", [400, 422, 500])
def test_a_server_that_knows_no_schema_is_asked_for_text_from_then_on(
    server: Scripted, written: Written, status: int
) -> None:
    server.refuses = lambda body: error(status) if "response_format" in body else None
    engine = written(max_retries=0)
    for _ in range(2):
        assert engine.ask(HACKING).provenance.answerer.startswith("generative/")
    assert ["response_format" in body for body in server.bodies] == [True, False, False]
    # Only the first prompt spoke of JSON.
    assert ['"sentences"' in body["messages"][0]["content"] for body in server.bodies] == [True, True, False]


def test_a_server_that_knows_no_usage_is_asked_without(server: Scripted, written: Written) -> None:
    server.refuses = lambda body: error(400) if "stream_options" in body else None
    answer = written(output="plain").ask(HACKING)
    assert answer.provenance.answerer.startswith("generative/")
    assert answer.usage.estimated


def test_what_the_server_counts_is_what_was_used(server: Scripted, written: Written) -> None:
    server.usage = {"prompt_tokens": 1234, "completion_tokens": 56, "total_tokens": 1290}
    usage = written().ask(HACKING).usage
    assert (usage.input_tokens, usage.output_tokens, usage.estimated) == (1234, 56, False)


def test_a_reply_without_end_is_cut_off_by_its_tokens(server: Scripted, written: Written) -> None:
    server.write = lambda asked: ["so and " * 200, "never"]
    answer = written(max_output_tokens=16).ask(HACKING)
    assert server.bodies[0]["max_tokens"] == 16
    assert server.left.wait(5)
    assert answer.notices[0] == NOTICES["nothing"]


def test_evidence_stays_within_its_tokens(server: Scripted, written: Written) -> None:
    written(evidence_tokens=100).ask(HACKING)
    few = server.bodies[-1]["messages"][1]["content"]
    written(evidence_tokens=2_000).ask(HACKING)
    assert len(few) < 800 < len(server.bodies[-1]["messages"][1]["content"])


def test_a_days_budget_holds_across_a_restart(server: Scripted, written: Written, own_data_dir: Path) -> None:
    priced: dict[str, Any] = {"input_price": 1.0, "output_price": 1.0, "budget_per_day": 1e-6}
    server.usage = {"prompt_tokens": 900, "completion_tokens": 100}
    first = written(data_dir=own_data_dir, **priced)
    assert first.ask(HACKING).provenance.answerer.startswith("generative/")
    first.close()
    answer = written(data_dir=own_data_dir, **priced).ask(HACKING)
    assert answer.notices[0] == NOTICES["budget"]
    assert len(server.bodies) == 1


def test_spending_is_counted_by_day_and_by_all(tmp_path: Path) -> None:
    days = [dt.date(2026, 1, 1)]
    one, other = (Spending(tmp_path / "spending.sqlite", lambda: days[-1]) for _ in range(2))
    one.add(0.25)
    other.add(0.5)
    assert one.today() == 0.75
    days.append(dt.date(2026, 1, 2))
    assert one.today() == 0


def test_what_cannot_be_counted_is_not_spent(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert Spending(tmp_path / "missing" / "spending.sqlite").today() == float("inf")
    assert "cannot be counted" in caplog.text


@pytest.mark.parametrize("status", [200, 401, 500])
def test_the_key_goes_to_the_server_and_nowhere_else(
    server: Scripted, written: Written, caplog: pytest.LogCaptureFixture, status: int
) -> None:
    caplog.set_level(logging.DEBUG)
    server.refuses = lambda body: error(status) if status != 200 else None
    engine = written(max_retries=0)
    answer = engine.ask(HACKING)
    assert server.headers[-1]["authorization"] == f"Bearer {KEY}"
    assert KEY not in answer.model_dump_json()
    assert KEY not in caplog.text
    assert KEY not in repr(vars(engine)) + repr(engine._model.settings if engine._model else "")


def test_without_settings_nothing_is_connected_to(
    server: Scripted, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    assert engine.ask(HACKING).checked is None
    with pytest.raises(ModeUnavailable, match="no model is configured"):
        engine.ask(HACKING.model_copy(update={"mode": "generative"}))
    assert server.bodies == []
