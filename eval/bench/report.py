"""From a benchmark's raw figures to the lines of its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from eval.bench.clients import ClientsReport
from eval.bench.measure import Measured
from eval.bench.peers.protocol import Found
from eval.bench.questions import FORMS, BenchQuestion
from eval.metrics.ndcg import ndcg
from eval.percentile import median, percentile

DEPTH = 10
"""Results that count for a hit."""
COLUMNS = (
    "n",
    "p50 ms",
    "p50 by round",
    "p95 ms",
    "ratio",
    "hit@10",
    "nDCG@10",
    "q/s",
    "q/s by round",
    "peak MB",
    "start s",
    "fill papers/s",
)
NONE = "–"
"""Stands where a figure does not apply or is not known."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What figures are relative to: papers in the corpus, threads of busy rounds, the median of a peer."""

    papers: int
    threads: int
    peer_p50: float | None


@dataclass(frozen=True, slots=True)
class Served:
    """The service's raw figures: each round's report and the service's processor time in it, in seconds."""

    start_s: float
    rounds: tuple[tuple[ClientsReport, float | None], ...]
    peak_mb: float

    @property
    def ms(self) -> list[float]:
        return [value for report, _ in self.rounds for value in report.ms]

    @property
    def rates(self) -> list[float]:
        return [len(report.ms) / report.wall_s for report, _ in self.rounds]


def p50(measured: Measured) -> float:
    """Return the median of the rounds' medians: a round that met other work counts as one."""
    return median(measured.round_p50)


def quietest(measured: Measured) -> float:
    """Return the lowest of the rounds' medians: other work on the machine only ever adds to it."""
    return min(measured.round_p50)


def hits(found: Sequence[Found], asked: Sequence[BenchQuestion]) -> list[bool]:
    """Say of each question whether its paper is among the first results."""
    return [question.paper_id in one.ids[:DEPTH] for question, one in zip(asked, found, strict=True)]


def gains(found: Sequence[Found], asked: Sequence[BenchQuestion]) -> list[float]:
    """Return each question's nDCG; its paper is the only one that is relevant."""
    return [ndcg(one.ids, {question.paper_id: 1}, DEPTH) for question, one in zip(asked, found, strict=True)]


def row(system: str, measured: Measured, asked: Sequence[BenchQuestion], scale: Scale) -> dict[str, Any]:
    """Return one line of the table; its ratio is the peer's median over the system's own."""
    own = p50(measured)
    return _row(
        system,
        scale.threads,
        {
            "n": len(measured.ms),
            "p50 ms": _rounded(own),
            "p50 by round": _range(measured.round_p50),
            "p95 ms": _rounded(percentile(measured.ms, 0.95)),
            "ratio": NONE if scale.peer_p50 is None else _rounded(scale.peer_p50 / own),
            "hit@10": round(_mean(hits(measured.found, asked)), 3),
            "nDCG@10": round(_mean(gains(measured.found, asked)), 3),
            "q/s": _rounded(median(measured.rates)),
            "q/s by round": _range(measured.rates),
            "peak MB": round(measured.peak_mb),
            "start s": _rounded(median(measured.starts_s)),
            "fill papers/s": NONE if measured.fill_s is None else _rounded(scale.papers / measured.fill_s),
        },
    )


def served_row(system: str, served: Served, scale: Scale) -> dict[str, Any]:
    """Return the service's line: times as its clients saw them, all asking at once."""
    by_round = [median(report.ms) for report, _ in served.rounds]
    return _row(
        system,
        scale.threads,
        {
            "n": len(served.ms),
            "p50 ms": _rounded(median(by_round)),
            "p50 by round": _range(by_round),
            "p95 ms": _rounded(percentile(served.ms, 0.95)),
            "q/s": _rounded(median(served.rates)),
            "q/s by round": _range(served.rates),
            "peak MB": round(served.peak_mb) or NONE,
            "start s": _rounded(served.start_s),
        },
    )


def missing_row(system: str, scale: Scale) -> dict[str, Any]:
    """Return the line of a peer that is not installed."""
    return _row(f"{system}: not installed", scale.threads, {})


def raw(measured: Measured, asked: Sequence[BenchQuestion]) -> dict[str, Any]:
    """Return everything that a row was made from. Questions are left out: the seed makes them again."""
    found = hits(measured.found, asked)
    return {
        "ms": [[round(value, 4) for value in turn] for turn in measured.rounds],
        "round_p50_ms": [round(value, 4) for value in measured.round_p50],
        "cpu_p50_ms": round(median(measured.cpu_ms), 4),
        "questions_a_second": [round(value, 2) for value in measured.rates],
        "starts_s": [round(value, 3) for value in measured.starts_s],
        "fill_s": measured.fill_s,
        "answered": sum(one.answered for one in measured.found),
        "hit_by_form": {
            form: round(
                _mean([hit for hit, question in zip(found, asked, strict=True) if question.form == form]), 3
            )
            for form in FORMS
        },
        "peak_mb": round(measured.peak_mb, 1),
    }


def served_raw(served: Served) -> dict[str, Any]:
    return {
        "ms": [[round(value, 3) for value in report.ms] for report, _ in served.rounds],
        "answers_a_second": [round(value, 2) for value in served.rates],
        "p99_ms": percentile(served.ms, 0.99),
        "clients_cpu_s": [round(report.cpu_s, 3) for report, _ in served.rounds],
        "service_cpu_s": [cpu for _, cpu in served.rounds],
        "wall_s": [round(report.wall_s, 3) for report, _ in served.rounds],
        "start_s": round(served.start_s, 3),
        "peak_mb": round(served.peak_mb, 1),
    }


def _row(system: str, threads: int, figures: dict[str, Any]) -> dict[str, Any]:
    named = {"q/s": f"q/s ×{threads}"}
    return {"system": system} | {named.get(name, name): figures.get(name, NONE) for name in COLUMNS}


def _range(values: Sequence[float]) -> str:
    return f"{_rounded(min(values))}–{_rounded(max(values))}"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _rounded(value: float) -> float:
    """Three significant digits below 100, whole numbers above: what a run repeats."""
    return round(value) if value >= 100 else float(f"{value:.3g}")
