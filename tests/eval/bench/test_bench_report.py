"""The table's arithmetic."""

from __future__ import annotations

import math

import pytest

from eval.bench.clients import ClientsReport
from eval.bench.corpus import BenchCorpus, Filled
from eval.bench.measure import Measured
from eval.bench.notes import Conditions, notes
from eval.bench.peers.known import LLAMAINDEX
from eval.bench.peers.protocol import Found
from eval.bench.questions import BenchQuestion
from eval.bench.report import NONE, Scale, Served, missing_row, p50, raw, row, served_row
from eval.machine import processors
from index.records import Topic
from index.settings import IndexSettings

ASKED = [BenchQuestion(f"question {n}?", f"paper-{n}", "title" if n % 2 else "words") for n in range(6)]
FOUND = [
    Found(ids=("paper-0",)),
    Found(ids=("x", "paper-1")),
    Found(ids=("x",), answered=False),
    Found(ids=("a", "b", "paper-3")),
    Found(ids=("paper-4",)),
    Found(ids=()),
]
SCALE = Scale(papers=300, threads=2, peer_p50=80.0)


def _measured(found: list[Found]) -> Measured:
    return Measured(
        starts_s=[9.0, 1.0, 2.0],
        rounds=[(1.0, 3.0), (2.0, 4.0), (50.0, 60.0)],
        cpu_ms=[5.0, 6.0, 7.0, 8.0, 9.0, 10.0],
        found=found,
        rates=[200.0, 150.0, 250.0],
        peak_mb=99.6,
        fill_s=4.0,
    )


def _served() -> Served:
    return Served(
        start_s=1.23456,
        rounds=(
            (ClientsReport(ms=(10.0, 30.0, 20.0, 40.0), failed=0, wall_s=2.0, cpu_s=0.1), 1.0),
            (ClientsReport(ms=(50.0, 50.0, 50.0, 90.0), failed=0, wall_s=4.0, cpu_s=0.5), 2.0),
        ),
        peak_mb=210.2,
    )


def test_a_row_gives_median_tail_spread_ratio_and_what_was_found() -> None:
    gain = (1 + 1 / math.log2(3) + 1 / 2 + 1) / 6
    assert row("ours", _measured(FOUND), ASKED, SCALE) == {
        "system": "ours",
        "n": 6,
        "p50 ms": 2.0,  # of the rounds' 1, 2 and 50: one bad round does not move it
        "p50 by round": "1.0–50.0",
        "p95 ms": 60.0,
        "ratio": 40.0,
        "hit@10": 0.667,
        "nDCG@10": round(gain, 3),
        "q/s ×2": 200,
        "q/s by round": "150–250",
        "peak MB": 100,
        "start s": 2.0,
        "fill papers/s": 75.0,
    }


def test_the_eleventh_result_is_no_hit_and_gains_nothing() -> None:
    found = [Found(ids=(*(f"x-{n}" for n in range(10)), question.paper_id)) for question in ASKED]
    line = row("ours", _measured(found), ASKED, SCALE)
    assert (line["hit@10"], line["nDCG@10"]) == (0.0, 0.0)


def test_what_is_not_known_is_no_number() -> None:
    measured = _measured(FOUND)
    measured.fill_s = None
    line = row("ours", measured, ASKED, Scale(papers=300, threads=2, peer_p50=None))
    assert (line["ratio"], line["fill papers/s"]) == (NONE, NONE)


def test_the_services_line_has_the_same_columns_and_its_clients_times() -> None:
    line = served_row("http", _served(), SCALE)
    assert list(line) == list(row("ours", _measured(FOUND), ASKED, SCALE))
    assert (line["n"], line["p50 ms"], line["p95 ms"]) == (8, 20.0, 90.0)
    assert (line["q/s ×2"], line["q/s by round"]) == (1.0, "1.0–2.0")
    assert (line["hit@10"], line["ratio"]) == (NONE, NONE)


def test_a_missing_peer_has_a_line_that_says_so() -> None:
    line = missing_row("txtai", SCALE)
    assert list(line) == list(row("ours", _measured(FOUND), ASKED, SCALE))
    assert line["system"] == "txtai: not installed"
    assert {value for name, value in line.items() if name != "system"} == {NONE}


def test_raw_figures_give_hits_by_form() -> None:
    figures = raw(_measured(FOUND), ASKED)
    assert figures["hit_by_form"] == {
        "title": pytest.approx(0.667),
        "words": pytest.approx(0.667),
        "sentence": 0,
    }
    assert figures["answered"] == 5
    assert p50(_measured(FOUND)) == 2.0


def _notes(load: float, measured: Measured | None = None, filled: Filled | None = None) -> str:
    corpus = BenchCorpus(
        topic=Topic(slug="rl", name="RL"),
        index=IndexSettings(),
        papers=(),
        chunks=(),
        members=frozenset(),
        quarantined=0,
        encoded=0,
        filled=filled or Filled(encoded=0, seconds=1.0),
    )
    conditions = Conditions(seed=1, warm_up=1, threads=2, encoder="e", loads=(load, 50.0), encoding_s=None)
    systems = {"ours": _measured(FOUND), LLAMAINDEX: measured or _measured(FOUND)}
    return "\n".join(notes(corpus, systems, _served(), conditions))


def test_a_machine_that_was_busy_is_called_so() -> None:
    assert "BUSY" in _notes(float(processors()))
    assert "BUSY" not in _notes(0.0)


def test_the_share_of_the_encoders_own_rate_is_told() -> None:
    told = _notes(0.0, filled=Filled(encoded=450, seconds=5.0, raw_rate=100.0))
    assert "90 passages/s for the whole build, 100 for the encoder alone: a share of 0.90" in told
    assert "share of" not in _notes(0.0)


def test_rounds_that_differ_by_more_than_twice_are_called_so_and_the_quietest_are_compared() -> None:
    steady = _measured(FOUND)
    steady.rounds = [(20.0, 21.0), (22.0, 23.0), (40.0, 41.0)]
    told = _notes(0.0, steady)
    assert "ratio of each one's quietest round: ours 20, LlamaIndex 1" in told
    assert "UNSTEADY: ours;" in told  # its rounds are 1 to 50 ms


def test_the_clients_own_share_of_the_processors_is_told() -> None:
    # 3 and 0.6 of 2 × 6 seconds.
    assert "p99 90 ms; processor time, of 2 processors: the service 25%, the clients 5%" in _notes(0.0)
