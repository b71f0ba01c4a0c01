"""Haystack's hybrid search in memory as a measured process: `python -m eval.bench.peers.haystack SPEC`.

`InMemoryBM25Retriever` and `InMemoryEmbeddingRetriever`, each with a filter on the topic, joined by
`DocumentJoiner`: the pipeline of its documentation on hybrid retrieval, with its defaults. The ranker
that follows there is another model, so the lists are joined by reciprocal rank: joined as they are,
BM25 scores would always stand before cosines. `… SPEC fill` writes the store first.
"""

from __future__ import annotations

import time

from eval.bench.peers.documents import (
    RESULTS,
    PeerSpec,
    first_sources,
    read_documents,
    read_vectors,
    run_peer,
)
from eval.bench.peers.protocol import Ask, Found

FILE = "documents.json"


def fill(spec: PeerSpec) -> float:
    """Write the documents with their vectors to a store on disk; return the seconds it took."""
    from haystack import Document
    from haystack.document_stores.in_memory import InMemoryDocumentStore

    started = time.perf_counter()
    store = InMemoryDocumentStore()
    store.write_documents(
        [
            Document(
                id=document.id,
                content=document.content,
                meta={"topic": document.topic, "source": document.source},
                embedding=vector.tolist(),
            )
            for document, vector in zip(
                read_documents(spec.documents), read_vectors(spec.documents), strict=True
            )
        ]
    )
    store.save_to_disk(str(spec.store / FILE))
    return time.perf_counter() - started


def open_stack(spec: PeerSpec) -> Ask:
    """Return a function that runs the pipeline over the store."""
    from haystack import Pipeline
    from haystack.components.joiners import DocumentJoiner
    from haystack.components.retrievers import InMemoryBM25Retriever, InMemoryEmbeddingRetriever
    from haystack.document_stores.in_memory import InMemoryDocumentStore
    from haystack.utils import ComponentDevice
    from haystack_integrations.components.embedders.sentence_transformers import (
        SentenceTransformersTextEmbedder,
    )

    store = InMemoryDocumentStore.load_from_disk(str(spec.store / FILE))
    of_topic = {"field": "meta.topic", "operator": "==", "value": spec.topic}
    # On the processor as ours, also where a GPU is present.
    embedder = SentenceTransformersTextEmbedder(
        model=str(spec.weights), device=ComponentDevice.from_str("cpu"), progress_bar=False
    )
    pipeline = Pipeline()
    pipeline.add_component("embedder", embedder)
    pipeline.add_component("dense", InMemoryEmbeddingRetriever(store, filters=of_topic, top_k=RESULTS))
    pipeline.add_component("lexical", InMemoryBM25Retriever(store, filters=of_topic, top_k=RESULTS))
    pipeline.add_component("joiner", DocumentJoiner(join_mode="reciprocal_rank_fusion", top_k=RESULTS))
    pipeline.connect("embedder.embedding", "dense.query_embedding")
    pipeline.connect("lexical", "joiner")
    pipeline.connect("dense", "joiner")

    def retrieve(question: str) -> Found:
        result = pipeline.run({"embedder": {"text": question}, "lexical": {"query": question}})
        sources = [str(document.meta["source"]) for document in result["joiner"]["documents"]]
        return Found(ids=first_sources(sources), answered=bool(sources))

    return retrieve


if __name__ == "__main__":
    run_peer(fill, open_stack)
