"""What could be wrong with an installation, checked one by one."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from api.settings import Settings
from index.encoder import Encoder, open_encoder
from index.errors import AsktopicError
from index.fingerprint import fingerprint_of
from index.paths import DataPaths
from index.snapshot import Snapshot
from index.stores.catalog import Catalog
from index.stores.lexical import LexicalIndex
from rag.generate.reaching import reach
from rag.rerank import open_reranker
from rag.verify.entailment import open_entailment

LOW_DISK_BYTES = 1_000_000_000
PROBE_SECONDS = 120
REBUILD = "run `asktopic ingest --rebuild`"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `detail` says what was found and, where it is wrong, what to do."""

    name: str
    ok: bool
    detail: str


def examine(load: Callable[[], Settings]) -> list[Check]:
    """Run every check; one that cannot run because of an earlier failure is left out. Never raises."""
    return list(_checks(load))


def _checks(load: Callable[[], Settings]) -> Iterator[Check]:
    yield Check("python", sys.version_info >= (3, 11), sys.version.split()[0])
    loaded: list[Settings] = []

    def read_settings() -> str:
        loaded.append(load())
        return "understood"

    yield _check("settings", read_settings)
    if not loaded:
        return
    settings = loaded[0]
    paths = DataPaths(settings.data_dir)
    yield _check("data folder", lambda: _data_folder(paths))
    if not paths.root.is_dir():
        return  # the checks below would create it
    encoders: list[Encoder] = []

    def encoder() -> str:
        encoders.append(open_encoder(settings.encoder, paths.encoder))
        likeness = float(
            encoders[0].encode_query("a cat sat") @ encoders[0].encode_query("a cat was sitting")
        )
        if likeness < 0.5:
            raise AsktopicError(f"paraphrases have a cosine of {likeness:.2f}; delete {paths.encoder}")
        return f"{encoders[0].name}, {encoders[0].dimension} dimensions"

    yield _check("encoder", encoder)
    if settings.reranker.path is not None:
        yield _check("reranker", lambda: _reranker(settings, paths))
    if settings.verifier.nli_path is not None:
        yield _check("model of entailment", lambda: _entailment(settings, paths))
    if settings.llm.configured:
        yield _check("language model", lambda: reach(settings.llm))
    if not encoders:
        return
    snapshots: list[Snapshot] = []

    def index() -> str:
        snapshots.append(Snapshot(settings.index, fingerprint_of(encoders[0], settings.index)))
        return f"generation {snapshots[0].generation}, {snapshots[0].chunks:,} chunks"

    yield _check("index", index, advice=REBUILD)
    if not snapshots:
        return
    snapshots[0].close()
    yield _check("stores agree", lambda: _stores_agree(paths), advice=REBUILD)
    yield _check("vector store", lambda: _probe_vector_store(paths), advice=REBUILD)


def _check(name: str, look: Callable[[], str], *, advice: str = "") -> Check:
    try:
        return Check(name, True, look())
    except AsktopicError as error:
        return Check(name, False, error.message)
    except Exception as error:  # noqa: BLE001 - whatever a broken installation raises is a finding
        found = f"{type(error).__name__}: {error}"
        return Check(name, False, f"{found}; {advice}" if advice else found)


def _data_folder(paths: DataPaths) -> str:
    if not paths.root.exists():
        raise AsktopicError(f"{paths.root} does not exist; run `asktopic ingest PATH`, which creates it")
    if not paths.root.is_dir():
        raise AsktopicError(f"{paths.root} is no folder; name another with --data-dir")
    if not os.access(paths.root, os.W_OK):
        raise AsktopicError(f"{paths.root} cannot be written; change its owner, or set ASKTOPIC_DATA_DIR")
    free = shutil.disk_usage(paths.root).free
    if free < LOW_DISK_BYTES:
        raise AsktopicError(f"only {free / 1e6:,.0f} MB are free at {paths.root}")
    return f"{paths.root}, {free / 1e9:,.0f} GB free"


def _reranker(settings: Settings, paths: DataPaths) -> str:
    reranker = open_reranker(settings.reranker, paths.encoder)
    assert reranker is not None  # has a path
    started = time.perf_counter()
    (score,) = reranker.cross_encoder.score("Where did the cat sit?", ["The cat sat on the mat."])
    if not math.isfinite(score):
        raise AsktopicError(f"{settings.reranker.path} gives the score {score}; its weights are damaged")
    elapsed = 1e3 * (time.perf_counter() - started)
    return (
        f"{reranker.name}, up to {reranker.cross_encoder.max_tokens} tokens, a short pair in {elapsed:.0f} ms"
    )


def _entailment(settings: Settings, paths: DataPaths) -> str:
    entailment = open_entailment(settings.verifier, paths.encoder)
    assert entailment is not None  # has a path
    judged = entailment.judge("The cat sat on the mat.", "The cat sat on the mat.")
    if judged != "entailed":
        raise AsktopicError(f"{settings.verifier.nli_path} does not find that a sentence entails itself")
    return entailment.name


def _stores_agree(paths: DataPaths) -> str:
    catalog = Catalog(paths.catalog)
    try:
        expected = int(catalog.rows("SELECT count(*) FROM chunks")[0][0])
        found = LexicalIndex(paths.lexical(catalog.generation)).documents
    finally:
        catalog.close()
    if found != expected:
        raise AsktopicError(
            f"the catalog lists {expected:,} chunks, the lexical index {found:,}; "
            "run `asktopic ingest --rebuild`"
        )
    return f"{expected:,} chunks in both"


def _probe_vector_store(paths: DataPaths) -> str:
    """Open the store in a child process: a damaged graph file can crash the process that loads it."""
    catalog = Catalog(paths.catalog)
    try:
        folder = paths.chroma(catalog.generation)
        expected = int(catalog.rows("SELECT count(*) FROM chunks")[0][0])
        dimension = int(catalog.meta["dimension"])
    finally:
        catalog.close()
    code = (
        "import sys, numpy, pathlib; from index.stores.vectors import VectorStore; "
        "store = VectorStore(pathlib.Path(sys.argv[1])); "
        "store.nearest(numpy.ones(int(sys.argv[2]), 'f4'), 1); print(len(store)); store.close()"
    )
    probe = subprocess.run(  # noqa: S603 - our own interpreter and code
        [sys.executable, "-c", code, str(folder), str(dimension)],
        capture_output=True,
        text=True,
        timeout=PROBE_SECONDS,
        check=False,
    )
    if probe.returncode != 0:
        raise AsktopicError(
            f"{folder} cannot be opened (status {probe.returncode}); run `asktopic ingest --rebuild`"
        )
    if int(probe.stdout.split()[-1]) != expected:
        raise AsktopicError(
            f"the catalog lists {expected:,} chunks, the vector store {probe.stdout.strip()}; "
            "run `asktopic ingest --rebuild`"
        )
    return f"{expected:,} vectors"
