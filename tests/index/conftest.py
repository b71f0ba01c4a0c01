"""A data folder of its own for each test, and the check that all its stores tell the same story."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from index.encoder import Encoder
from index.fingerprint import fingerprint_of, vectors_fingerprint_of
from index.ingest.build import BuildReport, build
from index.paths import DataPaths
from index.records import Record
from index.settings import IndexSettings
from index.snapshot import Snapshot
from index.stores.lexical import Scope


class DataFolder:
    """An index in a temporary folder, built from records given as values or from files."""

    def __init__(self, root: Path, encoder: Encoder) -> None:
        self.settings = IndexSettings(data_dir=root / "data")
        self.encoder = encoder
        self.source = root / "records.jsonl"

    @property
    def paths(self) -> DataPaths:
        return DataPaths(self.settings.data_dir)

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.encoder, self.settings)

    @property
    def vectors_file(self) -> Path:
        return self.paths.sentence_vectors(vectors_fingerprint_of(self.encoder))

    def write(self, *records: Record) -> Path:
        """Write the records to the source file, in place of what it held."""
        self.source.write_text("".join(record.model_dump_json() + "\n" for record in records), "utf-8")
        return self.source

    def ingest(
        self, *records: Record, topic: str | None = None, prune: bool = False, rebuild: bool = False
    ) -> BuildReport:
        """Build from a file with just these records."""
        return self.ingest_files(self.write(*records), topic=topic, prune=prune, rebuild=rebuild)

    def ingest_files(
        self, *paths: Path, topic: str | None = None, prune: bool = False, rebuild: bool = False
    ) -> BuildReport:
        return build(paths, self.settings, topic=topic, prune=prune, rebuild=rebuild, encoder=self.encoder)

    @contextmanager
    def snapshot(self, settings: IndexSettings | None = None) -> Iterator[Snapshot]:
        snapshot = Snapshot(settings or self.settings, self.fingerprint)
        try:
            yield snapshot
        finally:
            snapshot.close()

    def check(self) -> dict[str, Record]:
        """Assert that every store holds the same chunks, right to the character; return the records by id."""
        with self.snapshot() as snapshot:
            found = [snapshot.text_of(row) for row in range(snapshot.chunks)]
            whole = snapshot.dense.cosines  # checked against what Chroma holds, below
            keys = [int(key) for (key,) in snapshot.catalog.rows("SELECT key FROM chunks ORDER BY key")]
            assert snapshot.lexical.matching(Scope()).tolist() == keys
            assert snapshot.lexical.documents == len(keys)

            stored = read_chroma(self.paths.chroma(snapshot.generation))
            assert stored.keys() == {chunk.id for chunk in found}
            for row, (key, chunk) in enumerate(zip(keys, found, strict=True)):
                stored_key, source_id, vector = stored[chunk.id]
                assert (stored_key, source_id) == (key, chunk.source_id)
                assert whole(vector, np.array([row]))[0] == pytest.approx(1.0, abs=1e-3)

            bodies = snapshot.catalog.rows("SELECT key FROM records ORDER BY key")
            records = [snapshot.record(key) for (key,) in bodies]
            with_chunks = {chunk.source_id for chunk in found}
            assert with_chunks == {record.id for record in records if any(record.fields())}
            return {record.id: record for record in records}


def read_chroma(folder: Path) -> dict[str, tuple[int, str, np.ndarray[tuple[int], np.dtype[np.float32]]]]:
    """Map each chunk id in a Chroma folder to its key, source id and vector, through Chroma's own client."""
    import chromadb
    from chromadb.config import Settings

    client = chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))
    try:
        found = client.get_collection("chunks").get(include=["metadatas", "embeddings"])
    finally:
        client.close()
    ids, metadatas, vectors = (found[name] for name in ("ids", "metadatas", "embeddings"))
    return {
        chunk_id: (int(metadata["key"]), str(metadata["source_id"]), np.asarray(vector, np.float32))
        for chunk_id, metadata, vector in zip(ids, metadatas, vectors, strict=True)
    }


@pytest.fixture
def folder(tmp_path: Path, encoder: Encoder) -> DataFolder:
    """An empty data folder."""
    return DataFolder(tmp_path, encoder)


@pytest.fixture(scope="session")
def data_folder() -> type[DataFolder]:
    """The class itself, for tests that need several folders or a shared one."""
    return DataFolder
