"""Runs over the real engine: whole, interrupted, failing, in parallel, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from api.app import create_app
from eval.outcome import Outcome
from eval.questions.question import EvalQuestion
from eval.runs.execute import execute
from eval.runs.folder import BadRun, RunFolder
from eval.runs.system import InProcess, Server, SystemFailed
from rag.answer import Answer, AskRequest, Turn
from rag.engine import Engine

Serve = Callable[[ASGIApp], AbstractContextManager[str]]

TEXTS = (
    "What is reinforcement learning?",
    "What is a Markov decision process?",
    "Who won the football world cup in 1990?",
    "How does PPO limit the size of an update?",
    "What is the discount factor for?",
    "Why is exploration hard when rewards are rare?",
    "What is off-policy learning?",
)
QUESTIONS = tuple(
    EvalQuestion(id=f"q{n}", question=text, topic="RL", relevant={"explainer-reinforcement-learning": 1})
    for n, text in enumerate(TEXTS)
)


class Watched(InProcess):
    """The engine, with every question counted and something done before it."""

    def __init__(self, engine: Engine, before: Callable[[int], None] = lambda count: None) -> None:
        super().__init__(engine)
        self.asked: list[str] = []

        def ask(request: AskRequest) -> Answer:
            self.asked.append(request.question)
            before(len(self.asked))
            return engine.ask(request)

        self.ask = ask


def answers_of(folder: RunFolder) -> dict[str, str]:
    """Outcomes without the times, which differ between runs."""
    found = {}
    for name, outcome in folder.outcomes.items():
        answer = outcome.answer.model_copy(update={"timing_ms": {}}) if outcome.answer else None
        bare = outcome.model_copy(update={"ask_ms": None, "search_ms": None, "answer": answer})
        found[name] = bare.model_dump_json()
    return found


def test_every_question_has_its_outcome_in_the_order_of_the_set(engine: Engine, tmp_path: Path) -> None:
    folder = execute(InProcess(engine), QUESTIONS, tmp_path / "run", set_name="some", seed=3)
    assert list(folder.outcomes) == [question.id for question in QUESTIONS]
    assert folder.questions == QUESTIONS
    assert not any(outcome.error for outcome in folder.outcomes.values())
    cited = {
        citation.source_id
        for outcome in folder.outcomes.values()
        if outcome.answer
        for citation in outcome.answer.citations
    }
    assert cited == set(folder.sources)


def test_the_manifest_names_what_produced_the_run(engine: Engine, tmp_path: Path) -> None:
    folder = execute(InProcess(engine), QUESTIONS, tmp_path, set_name="some", settings={"depth": 7}, seed=3)
    manifest = folder.manifest
    assert (manifest.set.name, manifest.set.questions, manifest.seed) == ("some", len(QUESTIONS), 3)
    assert manifest.settings == {"depth": 7}
    answer = next(iter(folder.outcomes.values())).answer
    assert answer is not None
    assert manifest.index == answer.provenance.index
    assert manifest.encoder == answer.provenance.encoder
    assert manifest.finished is not None
    assert len(manifest.code.fingerprint) == 16


def test_an_interrupted_run_goes_on_and_ends_as_an_uninterrupted_one(engine: Engine, tmp_path: Path) -> None:
    def interrupt(count: int) -> None:
        if count == 4:
            raise KeyboardInterrupt

    interrupted = Watched(engine, interrupt)
    with pytest.raises(KeyboardInterrupt):
        execute(interrupted, QUESTIONS, tmp_path / "run", set_name="some")
    # The kill came while a line was written.
    with (tmp_path / "run" / "outcomes.jsonl").open("a") as file:
        file.write('{"question_id": "q9", "ran')

    resumed = Watched(engine)
    folder = execute(resumed, QUESTIONS, tmp_path / "run", set_name="some")
    assert len(resumed.asked) == len(QUESTIONS) - 3
    assert not set(resumed.asked) & set(interrupted.asked[:3])
    whole = execute(InProcess(engine), QUESTIONS, tmp_path / "whole", set_name="some")
    assert answers_of(folder) == answers_of(whole)


def test_a_finished_run_is_not_asked_again(engine: Engine, tmp_path: Path) -> None:
    execute(InProcess(engine), QUESTIONS, tmp_path, set_name="some")
    again = Watched(engine)
    execute(again, QUESTIONS, tmp_path, set_name="some")
    assert again.asked == []


def test_a_folder_of_another_run_is_refused_and_left_alone(engine: Engine, tmp_path: Path) -> None:
    execute(InProcess(engine), QUESTIONS, tmp_path, set_name="some", seed=1)
    before = (tmp_path / "outcomes.jsonl").read_bytes()
    with pytest.raises(BadRun, match="another run: seed differ"):
        execute(InProcess(engine), QUESTIONS, tmp_path, set_name="some", seed=2)
    with pytest.raises(BadRun, match="another run: set differ"):
        execute(InProcess(engine), QUESTIONS[1:], tmp_path, set_name="some", seed=1)
    assert (tmp_path / "outcomes.jsonl").read_bytes() == before


def test_a_folder_of_something_else_is_refused(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(BadRun, match="holds something that is no run"):
        execute(InProcess(engine), QUESTIONS, tmp_path, set_name="some")
    assert [file.name for file in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_question_that_fails_is_kept_with_its_error(engine: Engine, tmp_path: Path) -> None:
    def fail(count: int) -> None:
        if count == 2:
            raise RuntimeError("out of cheese")

    folder = execute(Watched(engine, fail), QUESTIONS, tmp_path, set_name="some")
    failed = [outcome for outcome in folder.outcomes.values() if outcome.answer is None]
    assert len(folder.outcomes) == len(QUESTIONS)
    assert [outcome.error for outcome in failed] == ["RuntimeError: out of cheese"]


def test_what_failed_is_asked_again_by_the_same_command(engine: Engine, tmp_path: Path) -> None:
    def fail(count: int) -> None:
        if count == 2:
            raise RuntimeError("out of cheese")

    execute(Watched(engine, fail), QUESTIONS, tmp_path, set_name="some")
    again = Watched(engine)
    folder = execute(again, QUESTIONS, tmp_path, set_name="some")
    assert len(again.asked) == 1
    assert not any(outcome.error for outcome in folder.outcomes.values())


def test_two_runs_do_not_write_into_one_folder(engine: Engine, tmp_path: Path) -> None:
    def intrude(count: int) -> None:
        if count == 1:
            with pytest.raises(BadRun, match="another run writes into"):
                execute(InProcess(engine), QUESTIONS, tmp_path, set_name="some")

    folder = execute(Watched(engine, intrude), QUESTIONS, tmp_path, set_name="some")
    assert not any(outcome.error for outcome in folder.outcomes.values())


def test_workers_give_the_same_answers(engine: Engine, tmp_path: Path) -> None:
    one = execute(InProcess(engine), QUESTIONS, tmp_path / "one", set_name="some")
    four = execute(InProcess(engine), QUESTIONS, tmp_path / "four", set_name="some", workers=4)
    assert answers_of(one) == answers_of(four)


def test_a_follow_up_is_ranked_as_it_was_understood(engine: Engine, tmp_path: Path) -> None:
    follow_up = EvalQuestion(
        id="f",
        question="And how does it limit the size of an update?",
        topic="RL",
        history=(Turn(question="What is proximal policy optimization?"),),
    )
    folder = execute(InProcess(engine), [follow_up], tmp_path, set_name="some")
    assert folder.outcomes["f"].ranked[0].id == "explainer-reinforcement-learning"


def test_a_server_gives_the_same_answers_as_the_process(engine: Engine, tmp_path: Path, serve: Serve) -> None:
    here = execute(InProcess(engine), QUESTIONS, tmp_path / "here", set_name="some")
    with serve(create_app(engine)) as url, Server(url) as server:
        there = execute(server, QUESTIONS, tmp_path / "there", set_name="some", workers=2)
    assert answers_of(here) == answers_of(there)
    assert there.manifest.system == url
    assert there.sources == here.sources


def test_a_server_that_is_not_there_is_an_error_and_no_run_of_zeros(tmp_path: Path) -> None:
    with Server("http://127.0.0.1:9") as server, pytest.raises(SystemFailed, match="cannot be reached"):
        execute(server, QUESTIONS, tmp_path / "run", set_name="some")
    assert not (tmp_path / "run").exists()


def test_a_server_that_speaks_another_language_is_named(tmp_path: Path, serve: Serve) -> None:
    other = Starlette(routes=[Route("/readyz", lambda request: JSONResponse({"status": "fine"}))])
    with serve(other) as url, Server(url) as server, pytest.raises(SystemFailed, match="as asktopic does"):
        execute(server, QUESTIONS, tmp_path / "run", set_name="some")


def test_an_address_without_a_scheme_is_refused() -> None:
    with pytest.raises(SystemFailed, match="expected one like http"):
        Server("localhost:8000")


def test_a_damaged_line_in_the_middle_is_named(engine: Engine, tmp_path: Path) -> None:
    folder = execute(InProcess(engine), QUESTIONS, tmp_path, set_name="some")
    file = folder.path / "outcomes.jsonl"
    lines = file.read_text("utf-8").splitlines()
    file.write_text("\n".join([lines[0], "{", *lines[1:]]) + "\n", "utf-8")
    with pytest.raises(BadRun, match=r"outcomes\.jsonl:2"):
        _ = RunFolder(tmp_path).outcomes


def test_outcomes_round_trip(engine: Engine, tmp_path: Path) -> None:
    folder = execute(InProcess(engine), QUESTIONS[:1], tmp_path, set_name="some")
    outcome = folder.outcomes["q0"]
    assert Outcome.model_validate(json.loads(outcome.model_dump_json(by_alias=True))) == outcome


def test_an_index_that_holds_what_is_to_be_left_out_is_not_asked(engine: Engine, tmp_path: Path) -> None:
    gone = EvalQuestion(
        id="gone", question="Why?", answerable=False, why_not="gone", without=("no-such-source",)
    )
    assert execute(InProcess(engine), [gone], tmp_path / "gone", set_name="some").outcomes["gone"].answer
    there = gone.model_copy(update={"without": ("explainer-reinforcement-learning",)})
    with pytest.raises(BadRun, match="holds 'explainer-reinforcement-learning', which answers"):
        execute(InProcess(engine), [there], tmp_path / "there", set_name="some")
    assert not (tmp_path / "there").exists()
