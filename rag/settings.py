"""What answering needs to be told."""

from __future__ import annotations

from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

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


class LlmSettings(BaseModel):
    """The model that words answers: any server of OpenAI's chat completions; off without `base_url`.

    Times are seconds a reader waits. Prices and budget are in one currency of the operator's choice.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str = Field(default="", description="such as http://127.0.0.1:8080/v1; none if empty")
    model: str = Field(default="", description="the model's name, as the server knows it")
    api_key: SecretStr = Field(default=SecretStr(""), description="empty where the server asks for none")
    # A reader who sees no word for longer has the extractive answer long since; one who reads along waits
    # for a whole answer about as long as for a slow page.
    first_token_timeout: float = Field(
        default=8.0, gt=0, le=600, description="seconds without a word, retries and queue included"
    )
    timeout: float = Field(default=30.0, gt=0, le=3_600, description="seconds for the whole answer")
    max_retries: int = Field(default=2, ge=0, le=10, description="after 429, 5xx or a lost connection")
    concurrency: int = Field(default=4, ge=1, le=256, description="answers written at once by a process")
    # Six cited sentences are some 300 tokens; twice that lets a model finish, and stops one that does not.
    max_output_tokens: int = Field(default=600, ge=16, le=32_768)
    # Some fifty sentences of abstracts; with the answer it fits into a context of 4,096 tokens.
    evidence_tokens: int = Field(default=2_000, ge=64, le=200_000, description="tokens of evidence at most")
    temperature: float = Field(default=0.0, ge=0, le=2)
    seed: int | None = Field(default=0, description="none for servers that know no seed")
    output: Literal["auto", "structured", "plain"] = Field(
        default="auto", description="JSON where the server takes a schema, else text; or one of them always"
    )
    input_price: float = Field(default=0.0, ge=0, description="for a million tokens of input")
    output_price: float = Field(default=0.0, ge=0, description="for a million tokens of output")
    budget_per_day: float = Field(
        default=0.0, ge=0, description="most that a day's answers may cost, by all processes; 0 for no limit"
    )

    @field_validator("base_url")
    @classmethod
    def _address(cls, value: str) -> str:
        value = value.strip()
        parts = urlsplit(value)
        if value and not (parts.scheme in ("http", "https") and parts.hostname):
            raise ValueError("expected an address such as http://127.0.0.1:8080/v1")
        if parts.username or parts.password:
            raise ValueError("expected an address without a password; the key is a setting of its own")
        return value

    @field_validator("model")
    @classmethod
    def _name(cls, value: str) -> str:
        return value.strip()

    @model_validator(mode="after")
    def _together(self) -> Self:
        if bool(self.base_url) != bool(self.model):
            given, lacking = ("base_url", "model") if self.base_url else ("model", "base_url")
            raise ValueError(f"{given} is set without {lacking}; set both for generated answers, or neither")
        if self.budget_per_day and not (self.input_price or self.output_price):
            raise ValueError("budget_per_day needs input_price and output_price to count with")
        return self

    @property
    def configured(self) -> bool:
        return bool(self.base_url)

    @property
    def host(self) -> str:
        """The server's host and port: all of its address that is shown anywhere."""
        return urlsplit(self.base_url).netloc

    def cost(self, input_tokens: float, output_tokens: float) -> float:
        """Return what so many tokens cost."""
        return (input_tokens * self.input_price + output_tokens * self.output_price) / 1e6
