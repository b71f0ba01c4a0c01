"""The peers there are, and whether they are installed."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution

LLAMAINDEX = "LlamaIndex"
"""The label of the peer that ratios are taken to."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A system beside ours: the module that runs it, and the distributions that module needs."""

    label: str
    module: str
    distributions: tuple[str, ...]

    @property
    def installed(self) -> bool:
        try:
            for name in self.distributions:
                distribution(name)
        except PackageNotFoundError:
            return False
        return True


# Modules by name, so that none is imported here as well as run as a program.
PEERS = (
    Peer(
        LLAMAINDEX,
        "eval.bench.peers.llamaindex",
        (
            "llama-index-core",
            "llama-index-vector-stores-chroma",
            "llama-index-embeddings-huggingface",
        ),
    ),
    Peer("txtai hybrid", "eval.bench.peers.txtai", ("txtai",)),
    Peer("Haystack hybrid", "eval.bench.peers.haystack", ("haystack-ai", "sentence-transformers-haystack")),
)
