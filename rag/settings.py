"""What answering needs to be told."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from index.encoder.weights import OptionalFolder


class AnswerSettings(BaseModel):
    """Depths and bars of the answering pipeline. The defaults are what the evaluation was run with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    depth: int = Field(default=100, ge=10, le=1_000, description="candidates taken from each index")
    evidence_chunks: int = Field(default=6, ge=1, le=50, description="chunks whose sentences are weighed")
    max_sentences: int = Field(default=6, ge=1, le=10)
    evidence_bar: float = Field(
        default=0.5,
        ge=0,
        le=1,
        description="probability of being right below which a question is not answered",
    )


class RerankerSettings(BaseModel):
    """A cross-encoder of the operator's that ranks anew what a search has found; off without a path."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: OptionalFolder = Field(
        default=None, description="a local sequence-classification model with one label; none if absent"
    )

    precision: Literal["int8", "fp32"] = "int8"
    # A pair of 250 tokens takes a model of MiniLM-L6's size 24 ms of a processor: 20 of them, 0.3 s on two,
    # are about what a reader does not yet mind, and more than twice the passages that an answer weighs.
    depth: int = Field(default=20, ge=2, le=1_000, description="candidates that are ranked anew")


class VerifierSettings(BaseModel):
    """A model of entailment of the operator's that the verifier asks as well; off without a path."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    nli_path: OptionalFolder = Field(
        default=None,
        description="a local sequence-classification model with the labels entailment, neutral and "
        "contradiction; none if absent",
    )
    nli_precision: Literal["int8", "fp32"] = "int8"
    # The likeliest of three labels need not be likelier than not; from one half on it is.
    nli_bar: float = Field(
        default=0.5, gt=0, lt=1, description="probability from which the model's word counts"
    )
