"""Second part of a build: cut staged records into chunks and give every chunk its vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from index.chunking import ChunkSettings, chunk_record, context_of
from index.encoder import Encoder, Passage, PassageVectors
from index.ingest.progress import Progress
from index.ingest.staging import Staging
from index.records import Chunk, Record
from index.stores.catalog import CatalogWriter, StoredChunk
from index.stores.sentence_vectors import SentenceVectorWriter

BATCH = 256
"""Passages encoded between two commits: about three seconds of work. A killed build repeats at most two such
batches, since one is encoded while the one before is stored."""


@dataclass(frozen=True, slots=True)
class Work:
    """A chunk to be encoded. `passage_id` names its text and context, whatever record they stand in."""

    chunk: Chunk
    record: int
    passage: Passage
    passage_id: bytes


@dataclass(frozen=True, slots=True)
class Batch:
    """Chunks stored together, the passages among them that nobody has encoded, and their vectors to be."""

    works: list[Work]
    missing: Mapping[bytes, Passage]
    found: Future[list[PassageVectors]]


def embed_staged(
    staging: Staging,
    catalog: CatalogWriter,
    vectors: SentenceVectorWriter,
    encoder: Encoder,
    settings: ChunkSettings,
    fingerprint: str,
    first_key: int,
    progress: Progress,
) -> int:
    """Chunk and encode all staged records; return how many passages had to be encoded.

    Vectors go to disk first, then the catalog remembers them: whatever it remembers is never
    encoded again, also after a build that died before it became visible. While a batch is encoded,
    the next is chunked and the one before stored.
    """
    progress.stage("Encoding", len(staging), "records")
    key, encoded = first_key, 0

    def store(batch: Batch) -> None:
        nonlocal key, encoded
        encoded += _remember(batch, catalog, vectors, fingerprint)
        for work in batch.works:
            start = catalog.embedded(fingerprint, work.passage_id)
            assert start is not None  # just encoded, or remembered
            staging.put_chunk(StoredChunk.of_chunk(work.chunk, key, work.record, start))
            key += 1

    current: Batch | None = None
    with ThreadPoolExecutor(1, "ahead") as ahead:
        for works in _batches(staging, encoder, settings.within(encoder.max_text_tokens), progress):
            coming: Mapping[bytes, Passage] = current.missing if current else {}
            missing = {
                work.passage_id: work.passage
                for work in works
                if work.passage_id not in coming and catalog.embedded(fingerprint, work.passage_id) is None
            }
            found = ahead.submit(encoder.encode_passages, list(missing.values()))
            if current:
                store(current)
            current = Batch(works, missing, found)
        if current:
            store(current)
    return encoded


def passage_of(record: Record, chunk: Chunk) -> Passage:
    """The chunk as it is encoded, with its sentences for spans."""
    spans = tuple((start - chunk.start, end - chunk.start) for start, end in chunk.sentences)
    return Passage(context_of(record, chunk), chunk.text, spans)


def _work(record: Record, chunk: Chunk, seq: int) -> Work:
    passage = passage_of(record, chunk)
    hashed = hashlib.blake2b(digest_size=16)
    for part in (passage.context, passage.text, repr(passage.spans)):
        hashed.update(part.encode() + b"\0")
    return Work(chunk, seq, passage, hashed.digest())


def _batches(
    staging: Staging, encoder: Encoder, settings: ChunkSettings, progress: Progress
) -> Iterator[list[Work]]:
    """Chunk the staged records; yield at least `BATCH` chunks at a time, those of a record together."""
    works: list[Work] = []
    for seq, record in staging.records():
        works += [
            _work(record, chunk, seq) for chunk in chunk_record(record, encoder.token_offsets, settings)
        ]
        progress.advance()
        if len(works) >= BATCH:
            yield works
            works = []
    if works:
        yield works


def _remember(batch: Batch, catalog: CatalogWriter, vectors: SentenceVectorWriter, fingerprint: str) -> int:
    """Store a batch's vectors once they are there; return how many passages they are of."""
    done = []
    for passage_id, found in zip(batch.missing, batch.found.result(), strict=True):
        block = np.vstack([found.whole[np.newaxis], found.spans])
        done.append((passage_id, vectors.append(block), len(block)))
    if done:
        vectors.sync()
        catalog.remember_embedded(fingerprint, done)
    return len(done)
