"""A whole benchmark, small: real index, real service, real peers, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from eval.bench.peers import ours
from eval.bench.peers.known import LLAMAINDEX, PEERS, Peer
from eval.bench.peers.process import BenchError, System
from eval.bench.peers.protocol import Batch, Found, Timed
from eval.bench.pinning import pinned
from eval.bench.report import NONE
from eval.bench.run import CALLS, OVER_HTTP, run_bench
from eval.machine import processors
from index.encoder import Encoder
from index.settings import IndexSettings
from rag.settings import AnswerSettings, RerankerSettings


@pytest.fixture(scope="module")
def data_dir(encoder: Encoder, encoder_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty data folder that finds the suite's exported encoder."""
    folder = tmp_path_factory.mktemp("bench-data")
    (folder / "encoder").symlink_to(encoder_cache)
    return folder


MISSING = Peer("Missing", "eval.bench.peers.missing", ("no-such-distribution",))


def _run(paper_list: Path, data_dir: Path, peers: tuple[Peer, ...]) -> dict[str, Any]:
    return run_bench(
        paper_list,
        "Reinforcement Learning",
        5,
        None,
        index=IndexSettings(data_dir=data_dir),
        answering=AnswerSettings(),
        reranker=RerankerSettings(),
        say=lambda _: None,
        starts=1,
        peers=peers,
    )


@pytest.fixture(scope="module")
def result(paper_list: Path, data_dir: Path) -> dict[str, Any]:
    # One peer stands for all here: each starts in some ten seconds, and has tests of its own.
    return _run(paper_list, data_dir, (PEERS[0], MISSING))


def _asked_alone(result: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of systems asked in a process of their own: all but the service and what is not installed."""
    return [row for row in result["rows"] if row["hit@10"] != NONE]


def test_every_system_is_asked_every_question_and_has_a_row(result: dict[str, Any]) -> None:
    assert [row["system"] for row in result["rows"]] == [
        *CALLS,
        OVER_HTTP,
        LLAMAINDEX,
        "Missing: not installed",
    ]
    assert [row["n"] for row in _asked_alone(result)] == [5, 5, 5]
    assert all(list(row) == list(result["rows"][0]) for row in result["rows"])
    assert all(0 < row["p50 ms"] <= row["p95 ms"] for row in _asked_alone(result))


def test_every_system_finds_the_papers_that_the_questions_were_made_from(result: dict[str, Any]) -> None:
    assert {row["hit@10"] for row in _asked_alone(result)} == {1.0}


def test_the_ratio_is_taken_from_the_peer(result: dict[str, Any]) -> None:
    rows = {row["system"]: row for row in result["rows"]}
    assert rows[LLAMAINDEX]["ratio"] == 1.0
    # No bar here: a busy machine must not fail the suite.
    assert all(row["ratio"] > 0 for row in _asked_alone(result))


def test_memory_and_start_are_those_of_each_process(result: dict[str, Any]) -> None:
    rows = {row["system"]: row for row in result["rows"]}
    # The peer loads PyTorch and ours does not: some 600 MB against some 150.
    assert rows[LLAMAINDEX]["peak MB"] > 1.5 * rows["our search"]["peak MB"]
    assert all(row["start s"] > 0 for row in (*_asked_alone(result), rows[OVER_HTTP]))


def test_throughput_and_filling_are_told_of_every_system(result: dict[str, Any]) -> None:
    for row in _asked_alone(result):
        assert next(value for name, value in row.items() if name.startswith("q/s ×")) > 0
        assert row["fill papers/s"] > 0


def test_without_peers_ours_is_measured_alone(
    paper_list: Path, data_dir: Path, result: dict[str, Any]
) -> None:
    alone = _run(paper_list, data_dir, ())
    assert [row["system"] for row in alone["rows"]] == [*CALLS, OVER_HTTP]
    assert alone["rows"][0]["ratio"] == NONE


def test_the_processors_are_given_back(result: dict[str, Any]) -> None:
    before = processors()
    with pinned(1) as used:
        assert used == processors() <= before
    assert processors() == before


def test_notes_tell_size_seed_versions_and_what_was_pinned(result: dict[str, Any]) -> None:
    notes = "\n".join(result["notes"])
    for told in (
        "12 papers",
        "seed",
        "chromadb",
        "llama-index-core",
        "same weights",
        "nearest rank",
        "load average",
    ):
        assert told in notes


def test_the_result_is_json(result: dict[str, Any]) -> None:
    assert json.loads(json.dumps(result))["raw"]["papers"] == 12


def test_nothing_but_the_index_stays_behind(result: dict[str, Any], data_dir: Path) -> None:
    kept = list((data_dir / "bench").iterdir())
    assert [entry.name for entry in kept if entry.name.startswith(".")] == []
    assert len(kept) == 1


def test_a_system_that_cannot_open_its_index_is_reported_with_the_reason(
    encoder: Encoder, encoder_cache: Path, tmp_path: Path
) -> None:
    spec = ours.OurSpec(
        call="search",
        topic="reinforcement-learning",
        index=IndexSettings(data_dir=tmp_path / "empty"),
        answering=AnswerSettings(),
        reranker=RerankerSettings(),
        encoder_cache=encoder_cache,
    )
    with pytest.raises(BenchError, match="nothing is indexed in"):
        System(ours.__name__, spec, tmp_path, "What is RL?")


def test_replies_are_read_whatever_the_system_prints(tmp_path: Path) -> None:
    program = tmp_path / "noisy.py"
    program.write_text(
        "from eval.bench.peers.protocol import Found, serve\n"
        "import os\n"
        "def ask(question):\n"
        "    print('chatter')\n"
        "    os.write(1, b'from native code')\n"
        "    return Found(ids=(question,))\n"
        "serve(lambda: ask)\n",
        encoding="utf-8",
    )
    batch = Batch(warm_up=("w",), questions=("a", "b"))
    done = subprocess.run(
        [sys.executable, str(program)],
        input=batch.model_dump_json() + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    timed = Timed.model_validate_json(done.stdout)
    assert timed.found == (Found(ids=("a",)), Found(ids=("b",)))
    assert len(timed.ms) == len(timed.cpu_ms) == 2
    assert timed.peak_mb > 1
