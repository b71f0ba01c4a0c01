"""What a model of entailment says of a claim and its evidence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from index.encoder import EntailmentModel, open_entailment_model
from rag.settings import VerifierSettings

Reading = Literal["entailed", "open", "contradicted"]


def open_entailment(settings: VerifierSettings, cache_dir: Path) -> ModelOfEntailment | None:
    """Open the operator's model; None where there is none. Raises `EncoderError`, naming what is wrong."""
    if settings.nli_path is None:
        return None
    model = open_entailment_model(settings.nli_path, settings.nli_precision, cache_dir)
    return ModelOfEntailment(model, settings.nli_bar)


@dataclass(frozen=True, slots=True)
class ModelOfEntailment:
    """Judges claims by a model; its word counts where it gives a label at least the probability `bar`."""

    model: EntailmentModel
    bar: float

    @property
    def name(self) -> str:
        """What `provenance` says: model, precision and fingerprint."""
        return f"{self.model.name}@{self.model.fingerprint}"

    def judge(self, premise: str, claim: str) -> Reading:
        """Judge whether a premise entails a claim, contradicts it, or leaves it open."""
        found = self.model.judge(premise, claim)
        if found.contradiction >= self.bar:
            return "contradicted"
        return "entailed" if found.entailment >= self.bar else "open"
