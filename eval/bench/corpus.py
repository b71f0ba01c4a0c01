"""The corpus of a benchmark, ingested once into a folder named after its inputs."""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel

from index.encoder import Encoder
from index.errors import SourceError
from index.fingerprint import fingerprint_of
from index.ingest.build import build
from index.ingest.embed import passage_of
from index.records import Chunk, Paper, Topic, slugify
from index.settings import IndexSettings
from index.snapshot import Snapshot
from index.sources.base import Quarantined, Read
from index.sources.detect import read
from index.topics import Membership

FILLED = "bench.json"
"""In the index's folder: what the build that filled it took."""


RAW_SAMPLE = 512
"""Passages that the encoder alone is timed on: some six seconds, and its rate to a few percent."""


class Filled(BaseModel):
    """What filling the index took: passages encoded, and seconds.

    `raw_rate` is how many of them a second the encoder alone encodes, with the same threads right
    after; None where that was not measured.
    """

    encoded: int
    seconds: float
    raw_rate: float | None = None

    @property
    def rate(self) -> float:
        """Passages a second of the whole build."""
        return self.encoded / self.seconds


@dataclass(frozen=True, slots=True)
class BenchCorpus:
    """What is measured over. `papers` and `chunks` are as the index stores them.

    `members` are the ids of the papers that belong to the topic asked inside; `encoded` is how many
    passages this run had to encode (0 where the index was there already), `filled` what the run that
    built it took, None where that is not known.
    """

    topic: Topic
    index: IndexSettings
    papers: tuple[Paper, ...]
    chunks: tuple[Chunk, ...]
    members: frozenset[str]
    quarantined: int
    encoded: int
    filled: Filled | None

    @property
    def topic_papers(self) -> list[Paper]:
        return [paper for paper in self.papers if paper.id in self.members]


def corpus_papers(
    found: Iterable[Read | Quarantined], topic: Topic, limit: int | None, *, whole: bool
) -> Iterator[Paper]:
    """Yield the papers that belong to the topic, by tag or by a match of its name or an alias.

    With `whole`, all papers. In the order read, each id once, at most `limit`.
    """
    membership = Membership([topic])
    seen: set[str] = set()
    for item in found:
        if limit is not None and len(seen) >= limit:
            return
        if isinstance(item, Quarantined) or not isinstance(item.record, Paper):
            continue
        paper = item.record
        if paper.id not in seen and (whole or topic.slug in membership.of(paper)):
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
    *,
    whole: bool = False,
) -> BenchCorpus:
    """Read `path`, keep the topic's papers (or all), and ingest them under `<data_dir>/bench/`.

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
        for paper in corpus_papers(read(path), wanted, limit, whole=whole):
            line = f"{paper.model_dump_json()}\n".encode()
            file.write(line)
            digest.update(line)
            kept += 1
        file.flush()
        own = settings.model_copy(update={"data_dir": root / digest.hexdigest()[:16]})
        if kept:
            say(f"indexing {kept:,} papers in {own.data_dir}, unless they are there")
            report = build([Path(file.name)], own, encoder=encoder)
            corpus = _stored(wanted, own, encoder, len(report.quarantined), report.encoded)
            if report.encoded:
                filled = Filled(
                    encoded=report.encoded, seconds=report.seconds, raw_rate=_raw_rate(corpus, encoder)
                )
                (own.data_dir / FILLED).write_text(filled.model_dump_json(), encoding="utf-8")
                corpus = replace(corpus, filled=filled)
            if corpus.members:
                return corpus
    raise SourceError(path, None, f"expected papers about {topic!r}; none is tagged with it or names it")


def _raw_rate(corpus: BenchCorpus, encoder: Encoder) -> float | None:
    """Passages a second of the encoder alone, over a sample of those it encoded for the build."""
    papers = {paper.id: paper for paper in corpus.papers}
    sample = corpus.chunks[:: max(1, len(corpus.chunks) // RAW_SAMPLE)]
    passages = [passage_of(papers[chunk.source_id], chunk) for chunk in sample]
    if not passages:
        return None
    started = time.perf_counter()
    encoder.encode_passages(passages)
    return len(passages) / (time.perf_counter() - started)


def _stored(
    topic: Topic, settings: IndexSettings, encoder: Encoder, quarantined: int, encoded: int
) -> BenchCorpus:
    """Read the corpus back from the index, since ingest repairs text and joins records."""
    snapshot = Snapshot(settings, fingerprint_of(encoder, settings))
    filled = settings.data_dir / FILLED
    try:
        rows = range(snapshot.chunks)
        # A topic's description is a chunk too, and no paper.
        papers = {key: snapshot.record(key) for key in map(snapshot.record_key_of, rows)}
        of_papers = [row for row in rows if isinstance(papers[snapshot.record_key_of(row)], Paper)]
        members = (snapshot.record(key) for key in snapshot.catalog.members(topic.slug, "paper"))
        return BenchCorpus(
            topic=topic,
            index=settings,
            papers=tuple(record for record in papers.values() if isinstance(record, Paper)),
            chunks=tuple(snapshot.text_of(row) for row in of_papers),
            members=frozenset(record.id for record in members),
            quarantined=quarantined,
            encoded=encoded,
            filled=Filled.model_validate_json(filled.read_text("utf-8")) if filled.exists() else None,
        )
    finally:
        snapshot.close()
