"""The table's arithmetic."""

from __future__ import annotations

import numpy as np

from eval.bench.corpus import BenchCorpus
from eval.bench.peers.protocol import Found
from eval.bench.questions import BenchQuestion
from eval.bench.report import Measured, notes, raw, row
from eval.machine import processors
from index.records import Topic
from index.settings import IndexSettings

ASKED = [BenchQuestion(f"question {n}?", f"paper-{n}", "title" if n % 2 else "words") for n in range(4)]


def _found(*ids: str, answered: bool = True) -> Found:
    return Found(ids=ids, answered=answered)


def _measured(scale: float, found: list[Found]) -> Measured:
    return Measured(
        starts_s=[9.0, 1.0, 2.0],
        rounds=[(scale, 3 * scale), (2 * scale, 4 * scale)],
        cpu_ms=[5.0, 6.0, 7.0, 8.0],
        found=found,
        peak_mb=99.6,
    )


def test_a_row_gives_median_tail_spread_ratio_and_hits() -> None:
    found = [_found("paper-0"), _found("x", "paper-1"), _found("x", answered=False), _found("paper-3")]
    ours, peer = _measured(1.0, found), _measured(40.0, found)
    assert row("ours", ours, peer, ASKED) == {
        "system": "ours",
        "n": 4,
        "p50 ms": 2.0,
        "p95 ms": 4.0,
        "p50 by round": "1.0–2.0",
        "ratio": 40.0,
        "hit@10": 0.75,
        "start s": 2.0,
        "peak MB": 100,
    }
    assert row("peer", peer, peer, ASKED)["ratio"] == 1.0


def test_the_eleventh_result_is_no_hit() -> None:
    found = [_found(*(f"x-{n}" for n in range(10)), question.paper_id) for question in ASKED]
    measured = _measured(1.0, found)
    assert row("ours", measured, measured, ASKED)["hit@10"] == 0.0


def test_raw_figures_give_hits_by_form_and_ratios_by_round() -> None:
    found = [_found(), _found("paper-1"), _found(answered=False), _found("paper-3")]
    figures = raw(_measured(1.0, found), _measured(40.0, found), ASKED)
    assert figures["hit_by_form"] == {"title": 1.0, "words": 0.0, "sentence": 0.0}
    assert figures["round_ratio"] == [40.0, 40.0]
    assert figures["answered"] == 3


def test_a_machine_that_was_busy_is_called_so() -> None:
    corpus = BenchCorpus(
        topic=Topic(slug="rl", name="RL"),
        index=IndexSettings(),
        papers=(),
        chunks=(),
        vectors=np.empty((0, 384), np.float32),
        quarantined=0,
        encoded=0,
        seconds=0.0,
    )
    systems = {"ours": _measured(1.0, [_found("paper-0")] * 4)}

    def told(load: float) -> str:
        return notes(corpus, systems, ASKED, seed=1, warm_up=1, encoder="e", loads=(load, 50.0))[0]

    assert "BUSY" in told(float(processors()))
    assert "BUSY" not in told(0.0)
