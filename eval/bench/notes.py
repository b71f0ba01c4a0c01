"""What stands below a benchmark's table: what was measured, on what, and how."""

from __future__ import annotations

from dataclasses import dataclass

from eval import machine
from eval.bench.corpus import BenchCorpus
from eval.bench.measure import Measured
from eval.bench.peers.documents import RESULTS
from eval.bench.peers.known import LLAMAINDEX
from eval.bench.report import Served, quietest
from eval.bench.service import CLIENTS
from eval.percentile import median, percentile

DISTRIBUTIONS = (
    "asktopic",
    "onnxruntime",
    "tantivy",
    "uvicorn",
    "llama-index-core",
    "llama-index-vector-stores-chroma",
    "llama-index-embeddings-huggingface",
    "chromadb",
    "txtai",
    "faiss-cpu",
    "haystack-ai",
    "sentence-transformers-haystack",
    "sentence-transformers",
    "torch",
)


UNSTEADY = 2
"""Times that a round's median may be another's: more comes from other work, not from the questions."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """How a run was made. `loads` are load averages before and after, `encoding_s` the seconds that
    encoding the corpus took for the peers, None where there were none."""

    seed: int
    warm_up: int
    threads: int
    encoder: str
    loads: tuple[float, float]
    encoding_s: float | None


def notes(
    corpus: BenchCorpus, measured: dict[str, Measured], served: Served, conditions: Conditions
) -> list[str]:
    """Say what was measured, on what, and how."""
    systems = list(measured.values())
    rounds, starts = len(systems[0].rounds), len(systems[0].starts_s)
    asked = len(systems[0].found)
    answered = ", ".join(f"{label} {sum(one.answered for one in it.found)}" for label, it in measured.items())
    processor = ", ".join(f"{label} {median(it.cpu_ms):.3g}" for label, it in measured.items())
    return [
        f"machine: {machine.processor()}; {machine.system()}; load average "
        f"{conditions.loads[0]:.1f} before, {conditions.loads[1]:.1f} after{_busy(conditions.loads[0])}",
        f"versions: {machine.versions(DISTRIBUTIONS)}",
        f"corpus: {len(corpus.papers):,} papers ({len(corpus.chunks):,} chunks), of them "
        f"{len(corpus.members):,} of the topic asked inside; index in {corpus.index.data_dir}, "
        f"{_age(corpus)}",
        f"questions: made from the topic's papers, seed {conditions.seed}: a title quoted, a title's "
        "content words shuffled, an inner sentence of the text, in turn; each system is asked each once, in "
        f"{rounds} rounds in which the systems take turns, after {conditions.warm_up} others that are not "
        "timed",
        f"pinned: all processes to the same {conditions.threads} processors, one asked at a time; threads "
        "within a process are each library's default (ours: one for the encoder); seeds, but not that "
        "of Chroma's graph; no network",
        "ms: the call inside its own process, so without pipes; p50: median of the rounds' medians; p50 by "
        "round: lowest–highest; p95: nearest rank over all; ratio: LlamaIndex's p50 over the row's"
        f"{_steadiness(measured)}",
        f"processor ms a question, all threads, median of {asked:,}: {processor}",
        f"q/s ×{conditions.threads}: {conditions.threads} threads of one process taking the next question, "
        "median of the busy rounds; txtai is asked by one at a time, for its threads share a SQLite cursor",
        "start s: from starting the process to its first answer, files in the page cache, "
        f"median of {starts}; peak MB: highest resident memory (VmHWM) of that process, 10^6 bytes",
        "hit@10, nDCG@10: the paper that the question was made from among the 10 results (of an answer: its "
        "sources, then related papers); a check that nobody is fast by being wrong, no measure of quality",
        f"answered, of {asked:,}: {answered}",
        f"same weights for all: {conditions.encoder} in ONNX Runtime for ours, fp32 in PyTorch for the "
        f"peers, on the CPU; {_filling(corpus, conditions)}",
        f"peers, with their documentation's defaults, topic filter, top {RESULTS}: LlamaIndex: "
        "VectorStoreIndex, ChromaVectorStore, HuggingFaceEmbedding, dense only; txtai: "
        "Embeddings(hybrid=True, content=True) asked in SQL; Haystack: InMemoryDocumentStore, BM25 and "
        "embedding retrievers, DocumentJoiner by reciprocal rank; ours: hybrid search; an answer is "
        "extractive and cited",
        _service(served, conditions.threads),
    ]


def _steadiness(measured: dict[str, Measured]) -> str:
    """Give the ratios that other work can have touched least, and say where it has touched the others."""
    unsteady = [label for label, it in measured.items() if max(it.round_p50) > UNSTEADY * quietest(it)]
    told = ""
    if LLAMAINDEX in measured:
        peer = quietest(measured[LLAMAINDEX])
        ratios = ", ".join(f"{label} {peer / quietest(it):.3g}" for label, it in measured.items())
        told = f"; ratio of each one's quietest round: {ratios}"
    if unsteady:
        told += f" (UNSTEADY: {', '.join(unsteady)}; trust the quietest rounds, or measure again)"
    return told


def _service(served: Served, processors: int) -> str:
    wall = sum(report.wall_s for report, _ in served.rounds) * processors
    clients = sum(report.cpu_s for report, _ in served.rounds) / wall
    own = [cpu for _, cpu in served.rounds if cpu is not None]
    service = f"the service {sum(own) / wall:.0%}, " if len(own) == len(served.rounds) else ""
    return (
        f"HTTP: `asktopic serve` as it is, asked by {CLIENTS} clients on kept connections over loopback, "
        f"from one other process on the same processors: p99 {percentile(served.ms, 0.99):.0f} ms; processor "
        f"time, of {processors} processors: {service}the clients {clients:.0%}"
    )


def _filling(corpus: BenchCorpus, conditions: Conditions) -> str:
    if conditions.encoding_s is None:
        return "fill papers/s: reading, encoding and indexing"
    rate = len(corpus.chunks) / conditions.encoding_s if conditions.encoding_s else 0.0
    return (
        "fill papers/s: encoding and storing, for ours reading too; the peers' vectors are encoded once by "
        f"sentence-transformers ({conditions.encoding_s:.1f} s, {rate:.3g} chunks/s) and count for each"
    )


def _age(corpus: BenchCorpus) -> str:
    if corpus.encoded and corpus.filled is not None:
        return f"encoded {corpus.filled.encoded:,} passages in {corpus.filled.seconds:.0f} s{_share(corpus)}"
    return f"found ready from an earlier run, which the figures of filling are from{_share(corpus)}"


def _share(corpus: BenchCorpus) -> str:
    """Say how near a whole build came to the encoder's own rate."""
    filled = corpus.filled
    if filled is None or filled.raw_rate is None:
        return ""
    return (
        f" ({filled.rate:.3g} passages/s for the whole build, {filled.raw_rate:.3g} for the encoder alone: "
        f"a share of {filled.rate / filled.raw_rate:.2f})"
    )


def _busy(load: float) -> str:
    """Warn where other work kept half the processors busy: threads that wait for each other suffer most."""
    if load < machine.processors() / 2:
        return ""
    return " (BUSY before the run: times and ratios will differ on an idle machine)"
