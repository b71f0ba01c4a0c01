"""What answering needs to be told."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class AnswerSettings(BaseModel):
    """Depths and bars of the answering pipeline. The defaults are what the evaluation was run with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    depth: int = Field(default=100, ge=10, le=1_000, description="candidates taken from each index")
    evidence_chunks: int = Field(default=8, ge=1, le=50, description="chunks whose sentences are weighed")
    max_sentences: int = Field(default=6, ge=1, le=10)
    evidence_bar: float = Field(
        default=0.5, ge=0, le=1, description="confidence below which the question is not answered"
    )
