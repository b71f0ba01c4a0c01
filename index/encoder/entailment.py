"""Entailment: whether a premise says what a hypothesis claims, read together, by ONNX Runtime.

A natural-language-inference model of the operator's (cross-encoder/nli-deberta-v3-small,
MoritzLaurer/DeBERTa-v3-base-mnli-fever-anli or any other with the three labels); there is none by default.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from index.encoder.graph_cache import EXPORTER
from index.encoder.opening import open_graph, open_tokenizer
from index.encoder.pair_architecture import EntailmentLabel, read_entailment_architecture
from index.encoder.pair_graph import PairGraph
from index.encoder.weights import local_model


class Entailment(NamedTuple):
    """Probabilities, which sum to 1."""

    entailment: float
    neutral: float
    contradiction: float


def open_entailment_model(path: Path, precision: Literal["int8", "fp32"], cache_dir: Path) -> EntailmentModel:
    """Open the inference model in `path`; the first time, export its graph into `cache_dir`.

    Raises:
        EncoderError: it is no such model, does not name its labels, lacks its tokenizer or weights, is of an
            unsupported architecture, or `cache_dir` is not writable.
    """
    model = local_model(path, "sequence-classification")
    architecture, places = read_entailment_architecture(model.path)
    tokenizer = open_tokenizer(model)
    return EntailmentModel(
        name=f"{model.name}/{precision}",
        fingerprint=model.fingerprint(precision, repr(architecture), repr(places), f"exporter {EXPORTER}"),
        pairs=PairGraph(architecture, open_graph(model, precision, cache_dir, "score"), tokenizer),
        places=places,
    )


class EntailmentModel:
    """Judges pairs; made by `open_entailment_model`. May be used from many threads at once.

    `fingerprint` changes whenever the probabilities of the same pair would.
    """

    def __init__(
        self, *, name: str, fingerprint: str, pairs: PairGraph, places: dict[EntailmentLabel, int]
    ) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self._pairs = pairs
        self._places = places

    def judge(self, premise: str, hypothesis: str) -> Entailment:
        """Judge a pair.

        A premise is cut at its end to what fits beside the hypothesis; of a hypothesis longer than half of
        what the model takes, that half is read.
        """
        claimed = self._pairs.tokens(hypothesis)
        claimed.truncate(self._pairs.room // 2)
        told = self._pairs.tokens(premise)
        told.truncate(self._pairs.room - len(claimed))
        logits = self._pairs.logits(told, claimed)
        powers = np.exp(logits - logits.max())
        shares = powers / powers.sum()
        return Entailment(**{label: float(shares[place]) for label, place in self._places.items()})
