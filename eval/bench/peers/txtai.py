"""txtai's hybrid search as a measured process: `python -m eval.bench.peers.txtai SPEC`.

`Embeddings(hybrid=True, content=True)` asked in SQL, `similar()` beside a condition on the topic: what
its documentation shows, with its defaults (BM25 in SQLite, Faiss; the condition is applied to ten times
as many candidates as results are asked for). `… SPEC fill` fills the index first.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from eval.bench.peers.documents import (
    RESULTS,
    PeerSpec,
    first_sources,
    read_documents,
    read_vectors,
    run_peer,
)
from eval.bench.peers.protocol import Ask, Found

# The number is part of the text, for the parser takes no parameter there.
QUERY = f"select source from txtai where similar(:question) and topic = :topic limit {RESULTS}"  # noqa: S608


def fill(spec: PeerSpec) -> float:
    """Index the documents, their vectors through txtai's external vectors; return the seconds it took."""
    from txtai import Embeddings

    started = time.perf_counter()
    documents = list(read_documents(spec.documents))
    vectors = dict(
        zip((document.content for document in documents), read_vectors(spec.documents), strict=True)
    )

    def stored(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([vectors[text] for text in texts], np.float32)

    embeddings = Embeddings(method="external", transform=stored, hybrid=True, content=True)
    embeddings.index(
        (document.id, {"text": document.content, "topic": document.topic, "source": document.source})
        for document in documents
    )
    # Questions are encoded by txtai itself: the saved index names the weights, as if it had made the vectors.
    del embeddings.config["method"], embeddings.config["transform"]
    embeddings.config["path"] = str(spec.weights)
    embeddings.save(str(spec.store))
    return time.perf_counter() - started


def open_stack(spec: PeerSpec) -> Ask:
    """Return a function that searches the filled index."""
    from txtai import Embeddings

    embeddings = Embeddings()
    # On the processor as ours, also where a GPU is present.
    embeddings.load(str(spec.store), config={"gpu": False})
    # All threads of a process share one SQLite cursor, which refuses to be used by two at a time.
    lock = threading.Lock()

    def search(question: str) -> Found:
        with lock:
            rows = embeddings.search(QUERY, parameters={"question": question, "topic": spec.topic})
        sources = [str(row["source"]) for row in rows]
        return Found(ids=first_sources(sources), answered=bool(sources))

    return search


if __name__ == "__main__":
    run_peer(fill, open_stack)
