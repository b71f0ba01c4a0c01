"""The command line: arguments in, exit status and lines out."""

from __future__ import annotations

import dataclasses
import datetime as dt
import json
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from api.cli import app, output
from index.ingest.build import BuildReport
from rag.answer import TopicInfo

Run = Callable[..., Result]


@pytest.fixture
def asktopic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command in an empty working folder."""
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(app, arguments)


@pytest.mark.parametrize("command", [["topics"], ["ask", "What is PPO?"]])
def test_reading_from_a_folder_that_holds_nothing_creates_nothing(
    asktopic: Run, tmp_path: Path, command: list[str]
) -> None:
    result = asktopic(*command, "--data-dir", "mistyped")
    assert result.exit_code == 1
    assert result.stderr == "asktopic: nothing is indexed in mistyped; run `asktopic ingest PATH`\n"
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_creates_nothing_and_prints_json_whatever_is_wrong(
    asktopic: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = asktopic("doctor", "--json", "--data-dir", "mistyped")
    assert result.exit_code == 1
    assert [check["ok"] for check in json.loads(result.stdout)] == [True, True, False]
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setenv("ASKTOPIC_PROT", "1")
    result = asktopic("doctor", "--json")
    assert result.exit_code == 1
    assert "ASKTOPIC_PORT" in json.loads(result.stdout)[-1]["detail"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--from", "2025"], "--from: expected a date like 2025-01-31, got '2025'"),
        (["--to", "86400"], "--to: expected a date like 2025-01-31, got '86400'"),
        (["--kind", "paper", "--kind", "book"], "--kind: expected paper, explainer or topic, got 'book'"),
        (["--topic", ""], "--topic is empty; leave it out to ask over all topics"),
        (["--topic", " "], "--topic is empty; leave it out to ask over all topics"),
        (["--author", "\udcff"], "the question or a filter is no text in UTF-8"),
        (["--data-dir", ""], "--data-dir: expected a folder; leave it out to use .asktopic (got '')"),
    ],
)
def test_an_unusable_argument_is_named_in_one_line(asktopic: Run, arguments: list[str], said: str) -> None:
    result = asktopic("ask", "What is PPO?", *arguments)
    assert (result.exit_code, result.stderr) == (1, f"asktopic: {said}\n")


def test_a_port_in_use_is_one_line_and_an_error(asktopic: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        result = asktopic("serve", "--port", port)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"asktopic: port {port} of 127.0.0.1 is in use")
    assert result.stderr.count("\n") == 1


def test_an_interrupted_ingest_says_how_to_go_on(asktopic: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("index.ingest.build.build", interrupt)
    result = asktopic("ingest", "--starter")
    assert result.exit_code == 130
    assert result.stderr == (
        "asktopic: interrupted; what was encoded is kept, run the same command to go on\n"
    )


def test_a_title_that_introduces_a_quote_is_shown_without_its_stars(asktopic: Run, data_dir: Path) -> None:
    question = "Which papers study exploration with sparse rewards?"
    command = ("ask", question, "--topic", "RL", "--data-dir", str(data_dir))
    answer = json.loads(asktopic(*command, "--json").stdout)["answer"]
    shown = " ".join(asktopic(*command).stdout.split())
    assert re.search(r"\*[^*]+\* \(\d{4}\): ", answer)
    assert " ".join(answer.replace("*", "").split()) in shown


@pytest.mark.parametrize(
    ("form", "held"),
    [
        ("markdown", "## References"),
        ("bibtex", "title = {{Survival Dynamics of Neural and Programmatic Policies"),
        ("ris", "TI  - Survival Dynamics of Neural and Programmatic Policies"),
    ],
)
def test_an_answer_is_taken_away_in_the_form_asked_for(
    asktopic: Run, data_dir: Path, form: str, held: str
) -> None:
    question = "How much longer do PERL agents survive than NERL agents?"
    result = asktopic("ask", question, "--topic", "RL", "--format", form, "--data-dir", str(data_dir))
    assert result.exit_code == 0
    assert held in result.stdout


def test_a_question_follows_up_those_asked_before(asktopic: Run, data_dir: Path) -> None:
    command = ("ask", "and its limits?", "--topic", "RL", "--data-dir", str(data_dir), "--json")
    answer = json.loads(asktopic(*command, "--after", "What is model-based RL?").stdout)
    assert "model-based RL" in answer["understood"]["text"]


def test_no_model_writes_where_none_is_configured(asktopic: Run, data_dir: Path) -> None:
    result = asktopic("ask", "What is RL?", "--mode", "generative", "--data-dir", str(data_dir))
    assert (result.exit_code, "no model is configured" in result.stderr) == (1, True)


def test_topics_are_those_of_the_index(asktopic: Run, data_dir: Path) -> None:
    result = asktopic("topics", "--data-dir", str(data_dir))
    assert result.exit_code == 0
    assert "reinforcement-learning  Reinforcement Learning (RL)" in result.stdout


@pytest.mark.parametrize(("rebuilt", "is_shown"), [(3, True), (0, False)])
def test_an_ingest_counts_what_was_rebuilt_only_where_something_was(
    capsys: pytest.CaptureFixture[str], rebuilt: int, is_shown: bool
) -> None:
    counts: dict[str, Any] = dict.fromkeys([field.name for field in dataclasses.fields(BuildReport)], 0)
    result = BuildReport(**counts | {"quarantined": (), "rebuilt": rebuilt})
    output.report(result, as_json=False)
    assert ("rebuilt" in capsys.readouterr().out) == is_shown


def test_a_slug_is_whole_in_a_narrow_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    slug = "a-topic-with-a-slug-that-is-as-long-as-the-whole-terminal-is-wide"
    output.topics(
        [TopicInfo(slug=slug, name="Topic", papers=1_234, explainers=1, latest=dt.date(2026, 1, 20))],
        as_json=False,
    )
    shown = capsys.readouterr().out
    assert slug in shown
    assert "papers 1,234 · explainers 1 · latest 2026-01-20" in shown
