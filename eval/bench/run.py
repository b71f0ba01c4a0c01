"""`asktopic bench`: our engine and its peers, side by side in one run.

Same corpus, same encoder weights, same questions; each system in a process of its own, asked in
turns, so that a machine that drifts drifts for all of them. Read the ratios: the milliseconds belong
to the machine.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from eval import machine
from eval.bench.corpus import BenchCorpus, prepare_corpus
from eval.bench.measure import BUSY_ROUNDS, Specs, Turns, measure
from eval.bench.notes import Conditions, notes
from eval.bench.peers import documents, ours
from eval.bench.peers.documents import Document, PeerSpec
from eval.bench.peers.known import LLAMAINDEX, PEERS, Peer
from eval.bench.peers.process import BenchError, last_line, run_once
from eval.bench.pinning import pinned
from eval.bench.questions import make_questions
from eval.bench.report import Scale, Served, missing_row, p50, raw, row, served_raw, served_row
from eval.bench.service import CLIENTS, Service, rounds
from index.encoder import open_encoder
from index.encoder.weights import find_model
from index.paths import DataPaths, starter_folder
from index.settings import IndexSettings
from rag.settings import AnswerSettings, RerankerSettings

SEED = 20_250
ROUNDS = 5
"""Turns that each system gets: enough for a spread, and at 200 questions 40 a turn for its median."""
STARTS = 3
"""Times that each system is started; the median counts. Once over the starter set, for a quick look."""
WARM_UP = 10
"""Questions asked before any is timed."""
CALLS: dict[str, Literal["search", "ask"]] = {"our search": "search", "our answer": "ask"}
OVER_HTTP = f"our answer, HTTP ×{CLIENTS}"


def run_bench(
    papers: Path | None,
    topic: str,
    questions: int,
    limit: int | None,
    *,
    index: IndexSettings,
    answering: AnswerSettings,
    reranker: RerankerSettings,
    say: Callable[[str], None],
    aliases: tuple[str, ...] = (),
    starts: int | None = None,
    whole: bool = False,
    peers: Sequence[Peer] = PEERS,
) -> dict[str, Any]:
    """Measure over a topic's papers and return `title`, `rows`, `notes` and `raw`, fit for JSON.

    `papers` is any source that `ingest` takes; None stands for the starter set. `limit` takes the
    first papers of the topic. With `whole` all papers are there, and asked inside the topic. A peer
    that is not installed has a line that says so. Everything lies under `<data_dir>/bench/`. Raises
    `SourceError` if no paper belongs to the topic, `BenchError` if a system cannot be measured.
    """
    if starts is None:
        starts = STARTS if papers else 1
    load_before = machine.load()
    # Absolute, since the measured processes may be told other folders than they are started in.
    index = index.model_copy(update={"data_dir": index.data_dir.resolve()})
    with pinned() as processors:
        encoder = open_encoder(index.encoder, DataPaths(index.data_dir).encoder)
        corpus = prepare_corpus(
            papers or starter_folder(), topic, aliases, limit, index, encoder, say, whole=whole
        )
        made = make_questions(corpus.topic_papers, questions + WARM_UP, SEED)
        # A tiny corpus gives fewer: those to be timed come first, but one must warm up.
        warm = max(len(made) - questions, 1)
        if len(made) <= warm:
            raise BenchError("the papers give fewer than two questions; measure over more papers")
        turns = [made[warm + start :: ROUNDS] for start in range(min(ROUNDS, len(made) - warm))]
        with tempfile.TemporaryDirectory(dir=index.data_dir / "bench", prefix=".peer-") as name:
            folder = Path(name)
            beside = [peer for peer in peers if peer.installed]
            filled, encoding_s = _fill(beside, corpus, index, folder, say)
            specs = _our_specs(corpus, index, answering, reranker) | {
                peer.label: (peer.module, filled[peer.label][0]) for peer in beside
            }
            measured = measure(
                specs,
                folder,
                [question.text for question in made[:warm]],
                turns,
                starts=starts,
                threads=processors,
                say=say,
            )
            for label, (_, seconds) in filled.items():
                measured[label].fill_s = seconds
            for label in CALLS:
                measured[label].fill_s = corpus.filled.seconds if corpus.filled else None
            served = _serve(corpus, index, folder, made[0].text, turns, say)
        conditions = Conditions(
            seed=SEED,
            warm_up=warm,
            threads=processors,
            encoder=encoder.name,
            loads=(load_before, machine.load()),
            encoding_s=encoding_s,
        )
        told = notes(corpus, measured, served, conditions)
    asked = [question for turn in turns for question in turn]
    scale = Scale(
        papers=len(corpus.papers),
        threads=processors,
        peer_p50=p50(measured[LLAMAINDEX]) if LLAMAINDEX in measured else None,
    )
    lines = {label: row(label, found, asked, scale) for label, found in measured.items()}
    return {
        "title": f"{corpus.topic.name}: {len(corpus.members):,} of {len(corpus.papers):,} papers, "
        f"n = {len(asked):,} questions",
        "rows": [
            *(lines[label] for label in CALLS),
            served_row(OVER_HTTP, served, scale),
            *(lines.get(peer.label) or missing_row(peer.label, scale) for peer in peers),
        ],
        "notes": told,
        "raw": {
            "papers": len(corpus.papers),
            "chunks": len(corpus.chunks),
            "quarantined": corpus.quarantined,
            "seed": SEED,
            "load": conditions.loads,
            "peers_encoding_s": encoding_s,
            "systems": {label: raw(found, asked) for label, found in measured.items()},
            "service": served_raw(served),
        },
    }


def _our_specs(
    corpus: BenchCorpus, index: IndexSettings, answering: AnswerSettings, reranker: RerankerSettings
) -> Specs:
    return {
        label: (
            ours.__name__,
            ours.OurSpec(
                call=call,
                topic=corpus.topic.slug,
                index=corpus.index,
                answering=answering,
                reranker=reranker,
                encoder_cache=DataPaths(index.data_dir).encoder,
            ),
        )
        for label, call in CALLS.items()
    }


def _fill(
    peers: list[Peer], corpus: BenchCorpus, index: IndexSettings, folder: Path, say: Callable[[str], None]
) -> tuple[dict[str, tuple[PeerSpec, float]], float | None]:
    """Fill the peers' stores, each in a process of its own.

    Returns what each is told and the seconds it took, encoding with it; and those of encoding alone.
    """
    if not peers:
        return {}, None
    handed_over = corpus.index.data_dir / "peers"
    base = PeerSpec(
        topic=corpus.topic.slug,
        weights=find_model(index.encoder.path).path.resolve(),
        documents=handed_over,
        store=folder,
    )
    documents.write_documents(handed_over, _documents(corpus))
    if documents.encoded(handed_over) is None:
        say(f"encoding {len(corpus.chunks):,} chunks for the peers, as they would")
        run_once(documents.__name__, base, folder)
    encoded = documents.encoded(handed_over)
    assert encoded is not None  # it has just been made
    filled = {}
    for number, peer in enumerate(peers):
        say(f"filling the store of {peer.label}")
        spec = base.model_copy(update={"store": folder / f"store-{number}"})
        spec.store.mkdir()
        storing_s = float(last_line(run_once(peer.module, spec, folder, "fill")))
        filled[peer.label] = (spec, encoded.seconds + storing_s)
    return filled, encoded.seconds


def _documents(corpus: BenchCorpus) -> list[Document]:
    titles = {paper.id: paper.title for paper in corpus.papers}
    return [
        Document(
            id=chunk.id,
            source=chunk.source_id,
            title=titles[chunk.source_id],
            text=chunk.text,
            topic=corpus.topic.slug if chunk.source_id in corpus.members else "",
        )
        for chunk in corpus.chunks
    ]


def _serve(
    corpus: BenchCorpus,
    index: IndexSettings,
    folder: Path,
    first_question: str,
    turns: Turns,
    say: Callable[[str], None],
) -> Served:
    """Start the service over the corpus and let its clients ask."""
    say(f"asking the service, {CLIENTS} clients at once")
    data_dir = corpus.index.data_dir
    cache = DataPaths(data_dir).encoder
    if not cache.exists():  # the service looks for the encoder's graph beside its index
        cache.symlink_to(DataPaths(index.data_dir).encoder, target_is_directory=True)
    questions = [question.text for turn in turns for question in turn]
    with Service(data_dir, folder, corpus.topic.slug, first_question) as service:
        return Served(
            start_s=service.start_s,
            rounds=tuple(rounds(service, questions, BUSY_ROUNDS)),
            peak_mb=service.peak_mb(),
        )
