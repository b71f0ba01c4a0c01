"""Second part of a build: cut staged records into chunks and give every chunk its vectors."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from index.chunking import ChunkSettings, chunk_record, context_of
from index.encoder import Encoder, Passage
from index.ingest.progress import Progress
from index.ingest.staging import Staging
from index.records import Chunk, Record
from index.stores.catalog import CatalogWriter, StoredChunk
from index.stores.sentence_vectors import SentenceVectorWriter

BATCH = 256
"""Passages encoded between two commits: about three seconds of work, the most a killed build repeats."""


@dataclass(frozen=True, slots=True)
class Work:
    """A chunk to be encoded. `passage_id` names its text and context, whatever record they stand in."""

    chunk: Chunk
    record: int
    passage: Passage
    passage_id: bytes


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
    encoded again, also after a build that died before it became visible.
    """
    progress.stage("Encoding", len(staging), "records")
    key, encoded, waiting = first_key, 0, list[Work]()

    def finish() -> None:
        nonlocal key, encoded
        encoded += _encode(waiting, catalog, vectors, encoder, fingerprint)
        for work in waiting:
            start = catalog.embedded(fingerprint, work.passage_id)
            assert start is not None  # just encoded, or remembered
            staging.put_chunk(StoredChunk.of_chunk(work.chunk, key, work.record, start))
            key += 1
        waiting.clear()

    for seq, record in staging.records():
        for chunk in chunk_record(record, encoder.token_offsets, settings):
            waiting.append(_work(record, chunk, seq))
        progress.advance()
        if len(waiting) >= BATCH:
            finish()
    finish()
    return encoded


def _work(record: Record, chunk: Chunk, seq: int) -> Work:
    spans = tuple((start - chunk.start, end - chunk.start) for start, end in chunk.sentences)
    passage = Passage(context_of(record, chunk), chunk.text, spans)
    hashed = hashlib.blake2b(digest_size=16)
    for part in (passage.context, passage.text, repr(passage.spans)):
        hashed.update(part.encode() + b"\0")
    return Work(chunk, seq, passage, hashed.digest())


def _encode(
    batch: list[Work],
    catalog: CatalogWriter,
    vectors: SentenceVectorWriter,
    encoder: Encoder,
    fingerprint: str,
) -> int:
    missing = {
        work.passage_id: work.passage
        for work in batch
        if catalog.embedded(fingerprint, work.passage_id) is None
    }
    if not missing:
        return 0
    done = []
    for passage_id, found in zip(missing, encoder.encode_passages(list(missing.values())), strict=True):
        block = np.vstack([found.whole[np.newaxis], found.spans])
        done.append((passage_id, vectors.append(block), len(block)))
    vectors.sync()
    catalog.remember_embedded(fingerprint, done)
    return len(done)
