"""The plain LlamaIndex stack as a measured process: `python -m eval.bench.peers.llamaindex SPEC`.

`VectorStoreIndex` over `ChromaVectorStore`, the encoder by `HuggingFaceEmbedding`, a metadata filter
on the topic: what its documentation shows, with its defaults. `… SPEC fill` fills the store first,
in another process, so that filling it does not count as memory of the one that is measured.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from eval.bench.peers.documents import (
    RESULTS,
    PeerSpec,
    first_sources,
    read_documents,
    read_vectors,
    run_peer,
)
from eval.bench.peers.protocol import Ask, Found

COLLECTION = "papers"


def fill(spec: PeerSpec) -> float:
    """Fill the store with the documents, their vectors as node embeddings; return the seconds it took."""
    from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
    from llama_index.vector_stores.chroma import ChromaVectorStore

    started = time.perf_counter()
    nodes = [
        TextNode(
            id_=document.id,
            text=document.text,
            embedding=vector.tolist(),
            metadata={"topic": document.topic, "title": document.title, "source": document.source},
            relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document.source)},
        )
        for document, vector in zip(read_documents(spec.documents), read_vectors(spec.documents), strict=True)
    ]
    client, collection = _open(spec.store)
    store = ChromaVectorStore(chroma_collection=collection)
    step = client.get_max_batch_size()  # the adapter's own batches are larger than Chroma takes
    for start in range(0, len(nodes), step):
        store.add(nodes[start : start + step])
    return time.perf_counter() - started


def open_stack(spec: PeerSpec) -> Ask:
    """Return a function that retrieves from the filled store."""
    from llama_index.core import VectorStoreIndex
    from llama_index.core.vector_stores import ExactMatchFilter, MetadataFilters
    from llama_index.embeddings.huggingface import HuggingFaceEmbedding
    from llama_index.vector_stores.chroma import ChromaVectorStore

    store = ChromaVectorStore(chroma_collection=_open(spec.store)[1])
    # On the processor as ours, also where a GPU is present.
    embedding = HuggingFaceEmbedding(model_name=str(spec.weights), device="cpu")
    index = VectorStoreIndex.from_vector_store(store, embed_model=embedding)
    retriever = index.as_retriever(
        similarity_top_k=RESULTS,
        filters=MetadataFilters(filters=[ExactMatchFilter(key="topic", value=spec.topic)]),
    )

    def retrieve(question: str) -> Found:
        sources = [str(node.metadata["source"]) for node in retriever.retrieve(question)]
        return Found(ids=first_sources(sources), answered=bool(sources))

    return retrieve


def _open(folder: Path) -> tuple[Any, Any]:
    """Return the client of a store and its collection."""
    import chromadb
    from chromadb.config import Settings

    client = chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))
    return client, client.get_or_create_collection(COLLECTION)


if __name__ == "__main__":
    run_peer(fill, open_stack)
