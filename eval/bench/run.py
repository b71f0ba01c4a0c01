"""`asktopic bench`: our engine and the plain LlamaIndex stack, side by side in one run.

Same corpus, same encoder weights, same questions; each system in a process of its own, asked in
turns, so that a machine that drifts drifts for all of them. Read the ratios: the milliseconds belong
to the machine.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from eval import machine
from eval.bench.corpus import BenchCorpus, prepare_corpus
from eval.bench.peers import llamaindex, ours
from eval.bench.peers.process import BenchError, System, run_once
from eval.bench.peers.protocol import Batch
from eval.bench.questions import BenchQuestion, make_questions
from eval.bench.report import Measured, notes, raw, row
from index.encoder import open_encoder
from index.encoder.weights import find_model
from index.paths import DataPaths, starter_folder
from index.settings import IndexSettings
from rag.settings import AnswerSettings

SEED = 20_250
ROUNDS = 5
"""Turns that each system gets: enough for a spread, and at 200 questions 40 a turn for its median."""
STARTS = 3
"""Times that each system is started; the median counts."""
WARM_UP = 10
"""Questions asked before any is timed."""
PEER = "LlamaIndex"
CALLS: dict[str, Literal["search", "ask"]] = {"our search": "search", "our answer": "ask"}

Turns = Sequence[Sequence[BenchQuestion]]
Specs = dict[str, tuple[str, BaseModel]]
"""For each system the module that runs it and what that module is told."""


def run_bench(
    papers: Path | None,
    topic: str,
    questions: int,
    limit: int | None,
    *,
    index: IndexSettings,
    answering: AnswerSettings,
    say: Callable[[str], None],
    aliases: tuple[str, ...] = (),
    starts: int = STARTS,
) -> dict[str, Any]:
    """Measure over a topic's papers and return `title`, `rows`, `notes` and `raw`, fit for JSON.

    `papers` is any source that `ingest` takes; None stands for the starter set. `limit` takes the
    first papers of the topic. Everything lies under `<data_dir>/bench/`. Raises `SourceError` if no
    paper belongs to the topic, `BenchError` if a system cannot be measured.
    """
    _require_peer()
    load_before = machine.load()
    # Absolute, since the measured processes may be told other folders than they are started in.
    index = index.model_copy(update={"data_dir": index.data_dir.resolve()})
    encoder = open_encoder(index.encoder, DataPaths(index.data_dir).encoder)
    corpus = prepare_corpus(papers or starter_folder(), topic, aliases, limit, index, encoder, say)
    made = make_questions(corpus.papers, questions + WARM_UP, SEED)
    # A tiny corpus gives fewer: those to be timed come first, but one must warm up.
    warm = max(len(made) - questions, 1)
    if len(made) <= warm:
        raise BenchError("the papers give fewer than two questions; measure over more papers")
    turns = [made[warm + start :: ROUNDS] for start in range(min(ROUNDS, len(made) - warm))]
    with tempfile.TemporaryDirectory(dir=index.data_dir / "bench", prefix=".peer-") as name:
        specs = _specs(corpus, index, answering, Path(name), say)
        measured = _measure(
            specs, Path(name), [question.text for question in made[:warm]], turns, starts, say
        )
    asked = [question for turn in turns for question in turn]
    peer, loads = measured[PEER], (load_before, machine.load())
    return {
        "title": f"{corpus.topic.name}: {len(corpus.papers):,} papers, n = {len(asked):,} questions",
        "rows": [row(label, found, peer, asked) for label, found in measured.items()],
        "notes": notes(corpus, measured, asked, seed=SEED, warm_up=warm, encoder=encoder.name, loads=loads),
        "raw": {
            "papers": len(corpus.papers),
            "chunks": len(corpus.chunks),
            "quarantined": corpus.quarantined,
            "seed": SEED,
            "load": loads,
            "systems": {label: raw(found, peer, asked) for label, found in measured.items()},
        },
    }


def _require_peer() -> None:
    try:
        version("llama-index-embeddings-huggingface")
    except PackageNotFoundError:
        raise BenchError(
            "the stack to compare with is not installed; pip install 'asktopic[bench]'"
        ) from None


def _specs(
    corpus: BenchCorpus,
    index: IndexSettings,
    answering: AnswerSettings,
    folder: Path,
    say: Callable[[str], None],
) -> Specs:
    """Say what each process is to open; the peer's store is filled."""
    say(f"filling the store of {PEER} with the same chunks and vectors")
    weights = find_model(index.encoder.path).path.resolve()
    peer = llamaindex.PeerSpec(topic=corpus.topic.slug, weights=weights, folder=folder)
    titles = {paper.id: paper.title for paper in corpus.papers}
    llamaindex.hand_over(folder, corpus.chunks, titles, corpus.vectors)
    run_once(llamaindex.__name__, peer, folder, "build")
    specs: Specs = {
        label: (
            ours.__name__,
            ours.OurSpec(
                call=call,
                topic=corpus.topic.slug,
                index=corpus.index,
                answering=answering,
                encoder_cache=DataPaths(index.data_dir).encoder,
            ),
        )
        for label, call in CALLS.items()
    }
    return specs | {PEER: (llamaindex.__name__, peer)}


def _measure(
    specs: Specs, folder: Path, warm_up: Sequence[str], turns: Turns, starts: int, say: Callable[[str], None]
) -> dict[str, Measured]:
    measured = {label: Measured() for label in specs}
    with ExitStack() as running:
        systems: dict[str, System] = {}
        for attempt in range(starts):
            for label, (module, spec) in specs.items():
                say(f"starting {label} ({attempt + 1} of {starts})")
                if label in systems:
                    systems[label].close()  # only one of a system lives at a time
                systems[label] = running.enter_context(System(module, spec, folder, warm_up[0]))
                measured[label].starts_s.append(systems[label].start_s)
        for system in systems.values():
            system.ask(Batch(warm_up=tuple(warm_up)))
        labels = list(specs)
        for number, turn in enumerate(turns):
            say(f"round {number + 1} of {len(turns)}: {len(turn)} questions")
            shift = number % len(labels)  # nobody always comes after the same one
            for label in (*labels[shift:], *labels[:shift]):
                # One untimed question first: another system has just had the processor's caches.
                batch = Batch(warm_up=tuple(warm_up[:1]), questions=tuple(question.text for question in turn))
                timed = systems[label].ask(batch)
                measured[label].rounds.append(timed.ms)
                measured[label].cpu_ms.extend(timed.cpu_ms)
                measured[label].found.extend(timed.found)
                measured[label].peak_mb = timed.peak_mb
    return measured
