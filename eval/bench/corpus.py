"""The corpus of a benchmark: one topic's papers, ingested once into a folder named after its inputs."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.encoder import Encoder
from index.errors import SourceError
from index.fingerprint import fingerprint_of
from index.ingest.build import build
from index.paths import DataPaths
from index.records import Chunk, Paper, Topic, slugify
from index.settings import IndexSettings
from index.snapshot import Snapshot
from index.sources.base import Quarantined, Read
from index.sources.detect import read
from index.stores.lexical import Scope
from index.stores.sentence_vectors import SentenceVectors
from index.topics import Membership


@dataclass(frozen=True, slots=True)
class BenchCorpus:
    """What is measured over. `papers` and `chunks` are as the index stores them.

    `vectors` are the chunks' unit vectors, float32 (n, d); `seconds` is what the build took, `encoded`
    how many passages it had to encode (0 where the index was there already).
    """

    topic: Topic
    index: IndexSettings
    papers: tuple[Paper, ...]
    chunks: tuple[Chunk, ...]
    vectors: NDArray[np.float32]
    quarantined: int
    encoded: int
    seconds: float


def topic_papers(found: Iterable[Read | Quarantined], topic: Topic, limit: int | None) -> Iterator[Paper]:
    """Yield the papers that belong to the topic, by tag or by a match of its name or an alias.

    In the order read, each id once, at most `limit`.
    """
    membership = Membership([topic])
    seen: set[str] = set()
    for item in found:
        if limit is not None and len(seen) >= limit:
            return
        if isinstance(item, Quarantined) or not isinstance(item.record, Paper):
            continue
        paper = item.record
        if paper.id not in seen and topic.slug in membership.of(paper):
            seen.add(paper.id)
            yield paper


def prepare_corpus(
    path: Path,
    topic: str,
    aliases: tuple[str, ...],
    limit: int | None,
    settings: IndexSettings,
    encoder: Encoder,
    say: Callable[[str], None],
) -> BenchCorpus:
    """Read `path`, keep the topic's papers, and ingest them under `<data_dir>/bench/`.

    The folder is named after the papers and everything that decides chunks and vectors, so a second
    run with the same inputs encodes nothing. Raises `SourceError` if no paper belongs to the topic.
    """
    wanted = Topic(slug=slugify(topic), name=topic, aliases=aliases)
    say(f"reading {path}")
    root = settings.data_dir / "bench"
    root.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(fingerprint_of(encoder, settings).encode())
    kept = 0
    with tempfile.NamedTemporaryFile(dir=root, prefix=".corpus-", suffix=".jsonl") as file:
        file.write(f"{wanted.model_dump_json()}\n".encode())
        digest.update(wanted.model_dump_json().encode())
        for paper in topic_papers(read(path), wanted, limit):
            line = f"{paper.model_dump_json()}\n".encode()
            file.write(line)
            digest.update(line)
            kept += 1
        file.flush()
        if not kept:
            raise SourceError(
                path, None, f"expected papers about {topic!r}; none is tagged with it or names it"
            )
        own = settings.model_copy(update={"data_dir": root / digest.hexdigest()[:16]})
        say(f"indexing {kept:,} papers in {own.data_dir}, unless they are there")
        report = build([Path(file.name)], own, encoder=encoder)
    return _stored(wanted, own, encoder, len(report.quarantined), report.encoded, report.seconds)


def _stored(
    topic: Topic, settings: IndexSettings, encoder: Encoder, quarantined: int, encoded: int, seconds: float
) -> BenchCorpus:
    """Read the corpus back from the index, since ingest repairs text and joins records."""
    snapshot = Snapshot(settings, fingerprint_of(encoder, settings))
    try:
        keys = snapshot.catalog.members(topic.slug, "paper")
        records = [snapshot.catalog.record(key) for key in keys]
        rows = snapshot.rows_of(Scope(topic=topic.slug))
        assert rows is not None  # a scope with a topic is never everything
        stored = SentenceVectors(
            DataPaths(settings.data_dir).sentence_vectors(snapshot.catalog.meta["vectors"]),
            encoder.dimension,
            int(snapshot.catalog.meta["vector_rows"]),
        )
        return BenchCorpus(
            topic=topic,
            index=settings,
            papers=tuple(record for record in records if isinstance(record, Paper)),
            chunks=tuple(snapshot.text_of(int(row)) for row in rows),
            vectors=stored.gather(np.array([snapshot.chunk(int(row)).vectors for row in rows], np.int64)),
            quarantined=quarantined,
            encoded=encoded,
            seconds=seconds,
        )
    finally:
        snapshot.close()
