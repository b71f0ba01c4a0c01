"""What every peer is filled with: the same chunks, and their fp32 vectors by the same weights.

The vectors are made once, in a process of its own, as sentence-transformers makes them; every peer
takes them through its own interface. Encoding them anew in each peer would only repeat the same work.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eval.bench.peers.protocol import Ask, Message, serve

RESULTS = 10
"""Results that each system is asked for."""
DOCUMENTS, VECTORS, ENCODED = "documents.jsonl", "vectors.npy", "encoded.json"


@dataclass(frozen=True, slots=True)
class Document:
    """A chunk. `source` is its paper's id; `topic` the slug asked inside, or empty outside of it."""

    id: str
    source: str
    title: str
    text: str
    topic: str

    @property
    def content(self) -> str:
        """What is encoded and searched: our own chunks are read with their title too."""
        return f"{self.title}\n{self.text}"


class PeerSpec(Message):
    """What a peer is told: `weights` is a sentence-transformers folder, `documents` the folder of
    what it is filled with, `store` a folder of its own."""

    topic: str
    weights: Path
    documents: Path
    store: Path


class Encoded(Message):
    """How long encoding took, and of which documents the vectors are (SHA-256 of the file)."""

    documents: str
    seconds: float


def write_documents(folder: Path, documents: Sequence[Document]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / DOCUMENTS).open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(asdict(document)) + "\n" for document in documents)


def read_documents(folder: Path) -> Iterator[Document]:
    with (folder / DOCUMENTS).open(encoding="utf-8") as file:
        for line in file:
            yield Document(**json.loads(line))


def read_vectors(folder: Path) -> NDArray[np.float32]:
    """Return the documents' unit vectors, (n, d), in the order of the documents."""
    vectors: NDArray[np.float32] = np.load(folder / VECTORS)
    return vectors


def encoded(folder: Path) -> Encoded | None:
    """Say how the vectors in a folder were made; None where they are not those of its documents."""
    if not (folder / ENCODED).exists():
        return None
    found = Encoded.model_validate_json((folder / ENCODED).read_text(encoding="utf-8"))
    return found if found.documents == _digest(folder) else None


def encode(spec: PeerSpec) -> None:
    """Encode the documents in PyTorch with the library's defaults; loading the weights does not count."""
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(spec.weights), device="cpu")
    texts = [document.content for document in read_documents(spec.documents)]
    started = time.perf_counter()
    vectors = model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    done = Encoded(documents=_digest(spec.documents), seconds=time.perf_counter() - started)
    np.save(spec.documents / VECTORS, vectors)
    # Last, for it says that the vectors are whole.
    (spec.documents / ENCODED).write_text(done.model_dump_json(), encoding="utf-8")


def run_peer(fill: Callable[[PeerSpec], float], open_stack: Callable[[PeerSpec], Ask]) -> None:
    """The program of a peer: `SPEC fill` fills its store and says in what time, `SPEC` answers batches."""
    spec = PeerSpec.model_validate_json(Path(sys.argv[1]).read_text(encoding="utf-8"))
    if sys.argv[2:] == ["fill"]:
        print(f"\n{fill(spec)}")  # noqa: T201 - its last line, whatever a library printed before
    else:
        serve(lambda: open_stack(spec))


def first_sources(sources: Sequence[str]) -> tuple[str, ...]:
    """Return each paper once, where its best chunk stands."""
    return tuple(dict.fromkeys(sources))


def _digest(folder: Path) -> str:
    return hashlib.sha256((folder / DOCUMENTS).read_bytes()).hexdigest()


if __name__ == "__main__":
    encode(PeerSpec.model_validate_json(Path(sys.argv[1]).read_text(encoding="utf-8")))
