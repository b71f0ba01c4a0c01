"""Third part of a build: the folder with the lexical index and the vector store of one generation."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from index.errors import IndexDamaged
from index.ingest.progress import Progress
from index.paths import DataPaths
from index.records import Record
from index.stores.catalog import StoredChunk
from index.stores.lexical import LexicalDocument, LexicalWriter
from index.stores.sentence_vectors import SentenceVectors
from index.stores.vectors import VectorDocument, VectorStore, undisturbed

VECTOR_BATCH = 1_000
"""Chunks handed to Chroma at once; its own limit is above 5,000."""


@dataclass(frozen=True, slots=True)
class Addition:
    """A chunk that the new generation holds and the old one did not, or held otherwise."""

    chunk: StoredChunk
    record: Record
    topics: tuple[str, ...]


def copy_generation(paths: DataPaths, old: int, new: int) -> None:
    """Start the new folder as a copy of the old one. What a dead build left there goes.

    Raises `IndexDamaged` where a part of the old one is gone.
    """
    shutil.rmtree(paths.generation(new), ignore_errors=True)
    paths.generation(new).mkdir(parents=True)
    if old == 0:
        return
    for part in (paths.chroma(old), paths.lexical(old)):
        if not part.is_dir():
            raise IndexDamaged(f"{part} is gone; run `asktopic ingest --rebuild`")
    with undisturbed(paths.chroma(old)):
        shutil.copytree(paths.chroma(old), paths.chroma(new))
    paths.lexical(new).mkdir()
    for file in sorted(paths.lexical(old).iterdir()):
        target = paths.lexical(new) / file.name
        if file.name.endswith(".lock"):
            continue
        if file.suffix == ".json":
            shutil.copyfile(file, target)
        else:
            # tantivy never changes a segment file once written, so both folders can share it.
            try:
                os.link(file, target)
            except OSError:  # a file system without hard links
                shutil.copyfile(file, target)


def fill_generation(
    paths: DataPaths,
    number: int,
    removed: list[StoredChunk],
    added: Iterable[Addition],
    added_count: int,
    vectors: SentenceVectors,
    progress: Progress,
) -> None:
    """Apply removals and additions to the copied folder."""
    progress.stage("Indexing", added_count, "chunks")
    lexical = LexicalWriter(paths.lexical(number))
    store = VectorStore(paths.chroma(number), create=True)
    try:
        lexical.delete(chunk.key for chunk in removed)
        store.delete(chunk.id for chunk in removed)
        for batch in _batches(added, VECTOR_BATCH):
            for item in batch:
                lexical.add(_lexical_document(item))
            store.add([_vector_document(item, vectors) for item in batch])
            progress.advance(len(batch))
        lexical.commit()
    finally:
        store.close()


def check_generation(paths: DataPaths, number: int, chunks: int) -> None:
    """Count what both indexes hold. Raises `IndexDamaged` if either differs from the catalog's `chunks`."""
    from index.stores.lexical import LexicalIndex

    store = VectorStore(paths.chroma(number))
    try:
        found = {"lexical index": LexicalIndex(paths.lexical(number)).documents, "vector store": len(store)}
    finally:
        store.close()
    for name, count in found.items():
        if count != chunks:
            raise IndexDamaged(
                f"the {name} holds {count} chunks where {chunks} were expected; nothing was published. "
                "Run `asktopic ingest --rebuild`"
            )


def drop_generations(paths: DataPaths, keep: set[int]) -> None:
    """Delete the folders of other generations."""
    if paths.generations.exists():
        kept = {paths.generation(number).name for number in keep}
        for folder in paths.generations.iterdir():
            if folder.name not in kept:
                shutil.rmtree(folder, ignore_errors=True)


def _lexical_document(item: Addition) -> LexicalDocument:
    record, chunk = item.record, item.chunk
    paper = record if record.kind == "paper" else None
    return LexicalDocument(
        key=chunk.key,
        source_id=record.id,
        kind=record.kind,
        title=record.title,
        heading=chunk.heading,
        text=record.field(chunk.field)[chunk.start : chunk.end],
        topics=item.topics,
        authors=paper.authors if paper else (),
        venue=paper.venue if paper else "",
        date=record.date if record.kind != "topic" else None,
    )


def _vector_document(item: Addition, vectors: SentenceVectors) -> VectorDocument:
    chunk = item.chunk
    return VectorDocument(
        key=chunk.key,
        chunk_id=chunk.id,
        source_id=item.record.id,
        kind=item.record.kind,
        vector=vectors.block(chunk.vectors, 1)[0],
    )


def _batches(items: Iterable[Addition], size: int) -> Iterator[list[Addition]]:
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
