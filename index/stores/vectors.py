"""The vector store of chunks: Chroma, reached through LlamaIndex's vector-store interface.

Chroma and LlamaIndex take seconds to import, so both are imported where they are used: a question
inside a topic never needs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from index.errors import AsktopicError, IndexDamaged
from index.ingest.lock import waiting

if TYPE_CHECKING:
    from llama_index.vector_stores.chroma import ChromaVectorStore

COLLECTION = "chunks"
CANDIDATES = 200
"""HNSW search breadth: recall@20 of 0.97 at Chroma's default of 100; twice that costs under 1 ms."""


@dataclass(frozen=True, slots=True)
class VectorDocument:
    """A chunk as the vector store sees it. `vector` is a unit vector of d floats.

    Without its text, which the catalog holds: Chroma would index it for a search of its own, which takes
    three times as long as all the rest, and most of its room on disk.
    """

    key: int
    chunk_id: str
    source_id: str
    kind: str
    vector: NDArray[np.float32]


def undisturbed(folder: Path) -> AbstractContextManager[None]:
    """Keep every other process from opening or copying the store for a block.

    Chroma writes where it only reads: it opens with a transaction, and its first question may write
    the graph out again. A copy, or another reader, must not see that half done.
    """
    return waiting(folder.with_suffix(".lock"))


@contextmanager
def _whole(folder: Path) -> Iterator[None]:
    """Turn whatever Chroma raises on a damaged folder into `IndexDamaged`."""
    try:
        yield
    except AsktopicError:
        raise
    except Exception as error:  # its Rust core raises errors of many kinds, some of no public class
        reason = " ".join(str(error).split())[:200]
        raise IndexDamaged(
            f"the vector store in {folder} is damaged ({reason}); run `asktopic ingest --rebuild`"
        ) from error


class VectorStore:
    """The store in one folder, which must exist unless `create` is set.

    Cosine distance; ids are chunk ids; metadata carries `key`. Raises `IndexDamaged` where the folder
    cannot be opened.
    """

    def __init__(self, folder: Path, *, create: bool = False) -> None:
        if create:
            folder.mkdir(parents=True, exist_ok=True)
            with _whole(folder):
                self._open(folder)
        elif folder.is_dir():
            with _whole(folder), undisturbed(folder):
                self._open(folder)
                self._settle()
        else:
            raise IndexDamaged(f"{folder} is gone; run `asktopic ingest --rebuild`")

    def _open(self, folder: Path) -> None:
        import chromadb
        from chromadb.config import Settings
        from llama_index.vector_stores.chroma import ChromaVectorStore

        self._client = chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))
        self._collection: Any = self._client.get_or_create_collection(
            COLLECTION,
            embedding_function=None,
            configuration={"hnsw": {"space": "cosine", "ef_search": CANDIDATES}},
        )
        self.store: ChromaVectorStore = ChromaVectorStore(chroma_collection=self._collection)

    def _settle(self) -> None:
        """Ask a first question, in which Chroma reads its graph and may write it out again."""
        found = self._collection.get(limit=1, include=["embeddings"])
        if found["ids"]:
            self._collection.query(query_embeddings=found["embeddings"], n_results=1, include=[])

    def __len__(self) -> int:
        count: int = self._collection.count()
        return count

    def add(self, documents: Sequence[VectorDocument]) -> None:
        """Add chunks; one already there is left as it is, since its id is its content."""
        from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode

        self.store.add(
            [
                TextNode(
                    id_=document.chunk_id,
                    text="",
                    embedding=document.vector.tolist(),
                    metadata={"key": document.key, "source_id": document.source_id, "kind": document.kind},
                    relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document.source_id)},
                )
                for document in documents
            ]
        )

    def delete(self, chunk_ids: Iterable[str]) -> None:
        ids = list(chunk_ids)
        batch = self._client.get_max_batch_size()
        for start in range(0, len(ids), batch):
            self._collection.delete(ids=ids[start : start + batch])

    def nearest(self, vector: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
        """Return the keys of the `limit` nearest chunks, nearest first.

        Only the order is used: LlamaIndex turns a distance into `exp(-distance)`, so callers score
        the found chunks against the stored vectors instead.
        """
        from llama_index.core.vector_stores.types import VectorStoreQuery

        result = self.store.query(VectorStoreQuery(query_embedding=vector.tolist(), similarity_top_k=limit))
        return np.array([node.metadata["key"] for node in result.nodes or ()], np.int64)

    def close(self) -> None:
        self._client.close()
