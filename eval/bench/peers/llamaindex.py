"""The plain LlamaIndex stack as a measured process: `python -m eval.bench.peers.llamaindex SPEC`.

`VectorStoreIndex` over `ChromaVectorStore`, the encoder by `HuggingFaceEmbedding`, a metadata filter
on the topic: what its documentation shows, with its defaults. `… SPEC build` fills the store first,
in another process, so that filling it does not count as memory of the one that is measured.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eval.bench.peers.protocol import Found, Message, serve
from index.records import Chunk

RESULTS = 10
COLLECTION = "papers"


class PeerSpec(Message):
    """`weights` is a sentence-transformers folder; `folder` holds the chunks and the store."""

    topic: str
    weights: Path
    folder: Path


def hand_over(
    folder: Path, chunks: Sequence[Chunk], titles: dict[str, str], vectors: NDArray[np.float32]
) -> None:
    """Write chunks and their (n, d) vectors where `build` finds them."""
    with (folder / "nodes.jsonl").open("w", encoding="utf-8") as file:
        for chunk in chunks:
            node = {
                "id": chunk.id,
                "source": chunk.source_id,
                "title": titles.get(chunk.source_id, ""),
                "text": chunk.text,
            }
            file.write(json.dumps(node) + "\n")
    np.save(folder / "vectors.npy", vectors)


def build(spec: PeerSpec) -> None:
    """Fill the store with the chunks handed over, their vectors as node embeddings."""
    import chromadb
    from chromadb.config import Settings
    from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
    from llama_index.vector_stores.chroma import ChromaVectorStore

    vectors = np.load(spec.folder / "vectors.npy")
    nodes = []
    with (spec.folder / "nodes.jsonl").open(encoding="utf-8") as file:
        for line, vector in zip(file, vectors, strict=True):
            node = json.loads(line)
            nodes.append(
                TextNode(
                    id_=node["id"],
                    text=node["text"],
                    embedding=vector.tolist(),
                    metadata={"topic": spec.topic, "title": node["title"], "source": node["source"]},
                    relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=node["source"])},
                )
            )
    client = chromadb.PersistentClient(str(spec.folder / "chroma"), Settings(anonymized_telemetry=False))
    store = ChromaVectorStore(chroma_collection=client.get_or_create_collection(COLLECTION))
    step = client.get_max_batch_size()  # the adapter's own batches are larger than Chroma takes
    for start in range(0, len(nodes), step):
        store.add(nodes[start : start + step])


def open_stack(spec: PeerSpec) -> Callable[[str], Found]:
    """Return a function that retrieves from the filled store."""
    import chromadb
    from chromadb.config import Settings
    from llama_index.core import VectorStoreIndex
    from llama_index.core.vector_stores import ExactMatchFilter, MetadataFilters
    from llama_index.embeddings.huggingface import HuggingFaceEmbedding
    from llama_index.vector_stores.chroma import ChromaVectorStore

    client = chromadb.PersistentClient(str(spec.folder / "chroma"), Settings(anonymized_telemetry=False))
    store = ChromaVectorStore(chroma_collection=client.get_or_create_collection(COLLECTION))
    # On the processor as ours, also where a GPU is present.
    embedding = HuggingFaceEmbedding(model_name=str(spec.weights), device="cpu")
    index = VectorStoreIndex.from_vector_store(store, embed_model=embedding)
    retriever = index.as_retriever(
        similarity_top_k=RESULTS,
        filters=MetadataFilters(filters=[ExactMatchFilter(key="topic", value=spec.topic)]),
    )

    def retrieve(question: str) -> Found:
        sources = [str(node.metadata["source"]) for node in retriever.retrieve(question)]
        return Found(ids=tuple(dict.fromkeys(sources)), answered=bool(sources))

    return retrieve


def main() -> None:
    spec = PeerSpec.model_validate_json(Path(sys.argv[1]).read_text(encoding="utf-8"))
    if sys.argv[2:] == ["build"]:
        build(spec)
    else:
        serve(lambda: open_stack(spec))


if __name__ == "__main__":
    main()
