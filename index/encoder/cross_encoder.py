"""The cross-encoder: how well a passage answers a question, read together, by ONNX Runtime.

Where the encoder gives question and passage a vector each, a cross-encoder reads both in one pass, which
tells more and has to be done anew for every pair: some 24 ms each for 250 tokens and a model of the
encoder's own size. So it only ranks anew the best that a search has found. There is none by default; an
operator names a local folder.

Pairs are scored as the encoder encodes passages, each a batch of its own and one a thread: nothing is
padded, and a score depends on its pair alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from index.encoder.graph_cache import EXPORTER
from index.encoder.opening import open_graph, open_tokenizer
from index.encoder.pair_architecture import PairArchitecture, read_pair_architecture
from index.encoder.pair_graph import PairGraph
from index.encoder.weights import local_model
from index.inference import usable_processors

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer


def open_cross_encoder(path: Path, precision: Literal["int8", "fp32"], cache_dir: Path) -> CrossEncoder:
    """Open the sequence-classification model in `path`; the first time, export its graph into `cache_dir`.

    Raises:
        EncoderError: it is no such model, has more than one label, lacks its tokenizer or weights, is of an
            unsupported architecture, or `cache_dir` is not writable.
    """
    model = local_model(path, "sequence-classification")
    architecture = read_pair_architecture(model.path)
    tokenizer = open_tokenizer(model)
    return CrossEncoder(
        name=f"{model.name}/{precision}",
        fingerprint=model.fingerprint(precision, repr(architecture), f"exporter {EXPORTER}"),
        architecture=architecture,
        session=open_graph(model, precision, cache_dir, "score"),
        tokenizer=tokenizer,
        threads=usable_processors(),
    )


class CrossEncoder:
    """Scores pairs; made by `open_cross_encoder`. May be used from many threads at once.

    `fingerprint` changes whenever the scores of the same pair would; `max_tokens` counts special tokens.
    """

    def __init__(
        self,
        *,
        name: str,
        fingerprint: str,
        architecture: PairArchitecture,
        session: InferenceSession,
        tokenizer: Tokenizer,
        threads: int,
    ) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.max_tokens = architecture.max_tokens
        self._architecture = architecture
        self._pairs = PairGraph(architecture, session, tokenizer)
        self._threads = threads

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """Score passages for a question: float32 (n,), higher is better, comparable within one model only.

        A passage is cut at its end to what fits beside the question; of a question longer than half of what
        the model takes, that half is read.
        """
        if not passages:
            return np.empty(0, np.float32)
        asked = self._pairs.tokens(question)
        asked.truncate(self._pairs.room // 2)
        with ThreadPoolExecutor(min(self._threads, len(passages)), "score") as pool:
            logits = np.array(list(pool.map(partial(self._logit, asked), passages)), np.float32)
        return _sigmoid(logits) if self._architecture.activation == "sigmoid" else logits

    def _logit(self, question: Encoding, text: str) -> np.float32:
        passage = self._pairs.tokens(text)
        passage.truncate(self._pairs.room - len(question))
        return np.float32(self._pairs.logits(question, passage)[0])


def _sigmoid(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    # By the hyperbolic tangent, which does not overflow.
    scores: NDArray[np.float32] = np.float32(0.5) * (1 + np.tanh(np.float32(0.5) * logits))
    return scores
