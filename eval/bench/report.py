"""From a benchmark's raw figures to its table and its notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from eval import machine
from eval.bench.corpus import BenchCorpus
from eval.bench.peers.protocol import Found
from eval.bench.questions import FORMS, BenchQuestion
from eval.percentile import median, percentile

DEPTH = 10
"""Results that count for a hit."""
DISTRIBUTIONS = (
    "asktopic",
    "onnxruntime",
    "tantivy",
    "llama-index-core",
    "llama-index-vector-stores-chroma",
    "llama-index-embeddings-huggingface",
    "chromadb",
    "sentence-transformers",
    "torch",
)


@dataclass(slots=True)
class Measured:
    """One system's raw figures.

    `rounds` holds each turn's milliseconds, `cpu_ms` the processor time of all questions and `found`
    their results, all in the order asked.
    """

    starts_s: list[float] = field(default_factory=list)
    rounds: list[tuple[float, ...]] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    peak_mb: float = 0.0

    @property
    def ms(self) -> list[float]:
        return [value for turn in self.rounds for value in turn]

    @property
    def round_p50(self) -> list[float]:
        return [median(turn) for turn in self.rounds]

    def hits(self, asked: Sequence[BenchQuestion]) -> list[bool]:
        """Say of each question whether its paper is among the first results."""
        return [
            question.paper_id in found.ids[:DEPTH] for question, found in zip(asked, self.found, strict=True)
        ]


def row(system: str, measured: Measured, peer: Measured, asked: Sequence[BenchQuestion]) -> dict[str, Any]:
    """Return one line of the table; its ratio is the peer's median over the system's own."""
    p50 = median(measured.ms)
    rounds = measured.round_p50
    return {
        "system": system,
        "n": len(measured.ms),
        "p50 ms": _rounded(p50),
        "p95 ms": _rounded(percentile(measured.ms, 0.95)),
        "p50 by round": f"{_rounded(min(rounds))}–{_rounded(max(rounds))}",
        "ratio": _rounded(median(peer.ms) / p50),
        "hit@10": round(_share(measured.hits(asked)), 3),
        "start s": _rounded(median(measured.starts_s)),
        "peak MB": round(measured.peak_mb),
    }


def raw(measured: Measured, peer: Measured, asked: Sequence[BenchQuestion]) -> dict[str, Any]:
    """Return everything that a row was made from. Questions are left out: the seed makes them again."""
    hits = measured.hits(asked)
    return {
        "ms": [[round(value, 4) for value in turn] for turn in measured.rounds],
        "round_p50_ms": [round(value, 4) for value in measured.round_p50],
        "round_ratio": [
            round(theirs / own, 2) for theirs, own in zip(peer.round_p50, measured.round_p50, strict=True)
        ],
        "cpu_p50_ms": round(median(measured.cpu_ms), 4),
        "starts_s": [round(value, 3) for value in measured.starts_s],
        "answered": sum(found.answered for found in measured.found),
        "hit_by_form": {
            form: round(
                _share([hit for hit, question in zip(hits, asked, strict=True) if question.form == form]), 3
            )
            for form in FORMS
        },
        "peak_mb": round(measured.peak_mb, 1),
    }


def notes(
    corpus: BenchCorpus,
    measured: dict[str, Measured],
    asked: Sequence[BenchQuestion],
    *,
    seed: int,
    warm_up: int,
    encoder: str,
    loads: tuple[float, float],
) -> list[str]:
    """Say what was measured, on what, and how."""
    rounds = max(len(found.rounds) for found in measured.values())
    starts = max(len(found.starts_s) for found in measured.values())
    answered = ", ".join(
        f"{label} {sum(found.answered for found in system.found)}" for label, system in measured.items()
    )
    processor_time = ", ".join(
        f"{label} {_rounded(median(system.cpu_ms))}" for label, system in measured.items()
    )
    ages = (
        f"encoded {corpus.encoded:,} passages in {corpus.seconds:.0f} s"
        if corpus.encoded
        else "found ready from an earlier run"
    )
    return [
        f"machine: {machine.processor()}; {machine.system()}; "
        f"load average {loads[0]:.1f} before, {loads[1]:.1f} after{_busy(loads[0])}",
        f"versions: {machine.versions(DISTRIBUTIONS)}",
        f"corpus: {len(corpus.papers):,} papers ({len(corpus.chunks):,} chunks), all of them of the topic; "
        f"index in {corpus.index.data_dir}, {ages}",
        f"questions: made from the papers, seed {seed}: a title quoted, a title's content words shuffled, "
        f"an inner sentence of the text, in turn; each system is asked each once, in {rounds} rounds in "
        f"which the systems take turns, after {warm_up} others that are not timed",
        "ms: the call inside its own process, so without pipes; percentiles are nearest-rank; "
        "p50 by round: lowest–highest; ratio: the peer's p50 over the row's",
        f"processor ms a question, all threads, median of {len(asked):,}: {processor_time}",
        "start s: from starting the process to its first answer, files in the page cache, "
        f"median of {starts}; peak MB: highest resident memory (VmHWM) of that process, 10^6 bytes",
        "hit@10: the paper that the question was made from is among the 10 results (of an answer: among its "
        "sources and related papers); a check that nobody is fast by being wrong, no measure of quality",
        f"answered, of {len(asked):,}: {answered}",
        f"same weights for all: {encoder} in ONNX Runtime on one thread for ours, fp32 in PyTorch with its "
        "default threads for the peer, on the CPU; the peer's store holds our chunk vectors, so the query "
        "path is compared, not the encoding of the corpus",
        "peer: VectorStoreIndex, ChromaVectorStore (persistent, defaults), HuggingFaceEmbedding, metadata "
        f"filter on the topic, top {DEPTH} chunks, dense only; ours: hybrid search, {DEPTH} papers; "
        "an answer is extractive and cited",
    ]


def _busy(load: float) -> str:
    """Warn where other work kept half the processors busy: threads that wait for each other suffer most."""
    if load < machine.processors() / 2:
        return ""
    return " (BUSY before the run: times and ratios will differ on an idle machine)"


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


def _rounded(value: float) -> float:
    """Three significant digits below 100, whole numbers above: what a run repeats."""
    return round(value) if value >= 100 else float(f"{value:.3g}")
