"""The encoder: queries and passages to unit vectors, by ONNX Runtime.

Every text is a batch of its own, and passages run side by side, one a thread. Against padded batches
this is faster (72 abstracts a second against 52 in batches of 8 and 28 in batches of 32, on two cores),
and it makes a vector depend on its text alone: int8 activations are scaled by the largest value in the
batch, so in a batch a text's neighbours would shift its vector (cosine 0.993 with itself), and an index
would change with the order of its input.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from index.encoder.architecture import Architecture, read_architecture
from index.encoder.graph_cache import EXPORTER
from index.encoder.opening import open_graph, open_tokenizer
from index.encoder.weights import ModelFolder, OptionalFolder, find_model
from index.errors import EncoderError
from index.inference import usable_processors

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

Vector = NDArray[np.float32]

CONTEXT_TOKENS = 62
"""Most tokens a passage's context takes, its full stop included: with [CLS] and [SEP] an eighth of 512.
Longer titles are rare, and what they would take is the passage's."""


class EncoderSettings(BaseModel):
    """Which model, how precise, how parallel."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: OptionalFolder = Field(
        default=None, description="a local sentence-transformers folder; the packaged weights if absent"
    )
    precision: Literal["int8", "fp32"] = "int8"
    query_prompt: str | None = Field(
        default=None, description="put before every question; what the model's own files say if absent"
    )
    document_prompt: str | None = Field(
        default=None, description="put before every passage; what the model's own files say if absent"
    )
    threads: int = Field(
        default=0, ge=0, description="passages encoded at once; 0 for one a processor this process may use"
    )


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to encode, what it is read with (its title), and the spans that get vectors of their own.

    Spans are half-open, in code points of `text`.
    """

    context: str
    text: str
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class PassageVectors:
    """Unit vectors of a passage: `whole` (d,) and `spans` (n, d), in the order of `Passage.spans`."""

    whole: Vector
    spans: Vector


def open_encoder(settings: EncoderSettings, cache_dir: Path) -> Encoder:
    """Open the encoder; the first time, export its graph into `cache_dir` (some 8 s of processor time).

    Raises:
        EncoderError: weights missing, damaged or unsupported, or `cache_dir` not writable.
    """
    model = find_model(settings.path)
    # MiniLM's own configuration stops at 256 tokens, which would cut 28% of abstracts with their titles.
    # All its 512 positions were trained, and using them measures better (SciFact nDCG@10, fused with
    # BM25: 0.742 for 0.7315).
    architecture = read_architecture(model.path, use_all_positions=model.packaged)
    # Published folders often name their prompts in the README alone (bge, e5).
    if settings.query_prompt is not None:
        architecture = replace(architecture, query_prompt=settings.query_prompt)
    if settings.document_prompt is not None:
        architecture = replace(architecture, document_prompt=settings.document_prompt)
    tokenizer = open_tokenizer(model)
    return Encoder(
        name=f"{model.name}/{settings.precision}",
        fingerprint=_fingerprint(model, architecture, settings.precision),
        architecture=architecture,
        session=open_graph(model, settings.precision, cache_dir, "states"),
        tokenizer=tokenizer,
        threads=settings.threads or usable_processors(),
    )


class Encoder:
    """Encodes texts; made by `open_encoder`. Every method may be called from many threads at once.

    `fingerprint` changes whenever the vectors of the same text would, rounding in ONNX Runtime apart;
    `max_tokens` counts special tokens.
    """

    def __init__(
        self,
        *,
        name: str,
        fingerprint: str,
        architecture: Architecture,
        session: InferenceSession,
        tokenizer: Tokenizer,
        threads: int,
    ) -> None:
        self.name = name
        self.fingerprint = fingerprint
        self.dimension = architecture.dimension
        self.max_tokens = architecture.max_tokens
        self._architecture = architecture
        self._session = session
        self._tokenizer = tokenizer
        self._threads = threads
        self._special_tokens = tokenizer.num_special_tokens_to_add(False)

    @property
    def max_text_tokens(self) -> int:
        """Most tokens of `Passage.text`, as `token_offsets` counts them, that fit beside any context."""
        prompt = len(self.token_offsets(self._architecture.document_prompt))
        return self.max_tokens - self._special_tokens - CONTEXT_TOKENS - prompt

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Half-open spans of the text's tokens in code points: no special tokens, nothing cut."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).offsets)

    def encode_query(self, text: str) -> Vector:
        """Encode a question: float32 (d,), unit length. What exceeds `max_tokens` is left out."""
        encoding = self._tokenizer.encode(self._architecture.query_prompt + text, add_special_tokens=False)
        encoding.truncate(self.max_tokens - self._special_tokens)
        return self._pool(self._states(self._tokenizer.post_process(encoding)))

    def encode_passages(self, passages: Sequence[Passage]) -> list[PassageVectors]:
        """Encode passages in one pass each, over context and text together; results in input order.

        `whole` pools all tokens as the model was trained. A span's vector is the mean of the states of
        the tokens that overlap it (late pooling): they have seen context and neighbours, and cost no
        pass of their own. A span without a token gets the whole vector. A vector does not depend on the
        other passages, nor on the number of threads.

        Raises:
            EncoderError: a passage has more tokens than `max_tokens`; size it by `max_text_tokens`.
            ValueError: a span is empty or lies outside its text.
        """
        if not passages:
            return []
        with ThreadPoolExecutor(min(self._threads, len(passages)), "encode") as pool:
            return list(pool.map(self._encode_passage, passages))

    def _encode_passage(self, passage: Passage) -> PassageVectors:
        for start, end in passage.spans:
            if not 0 <= start < end <= len(passage.text):
                raise ValueError(
                    f"span ({start}, {end}) is not within a text of {len(passage.text)} characters"
                )
        before = self._architecture.document_prompt + self._lead(passage.context)
        encoding = self._tokenizer.encode(before + passage.text)
        if len(encoding) > self.max_tokens:
            raise EncoderError(
                f"A passage of {len(encoding)} tokens exceeds the encoder's {self.max_tokens}: "
                f"{passage.text[:60]!r}…. Its text may have {self.max_text_tokens}."
            )
        states = self._states(encoding)
        whole = self._pool(states)
        return PassageVectors(whole, _span_vectors(states, encoding, passage.spans, len(before), whole))

    def _lead(self, context: str) -> str:
        """The context as it stands before a text: at most `CONTEXT_TOKENS` tokens, ending a sentence."""
        context = context.strip()
        if not context:
            return ""
        encoding = self._tokenizer.encode(context, add_special_tokens=False)
        limit = CONTEXT_TOKENS - 1
        if len(encoding) > limit:
            context = context[: encoding.offsets[_whole_words(encoding, limit) - 1][1]]
        return context + (" " if context.endswith((".", "?", "!")) else ". ")

    def _states(self, encoding: Encoding) -> Vector:
        """Last hidden states, float32 (tokens, d)."""
        ids = np.array([encoding.ids], dtype=np.int64)
        return cast("Vector", self._session.run(None, {"input_ids": ids})[0])

    def _pool(self, states: Vector) -> Vector:
        return _unit(states.mean(axis=0) if self._architecture.pooling == "mean" else states[0])


def _span_vectors(
    states: Vector, encoding: Encoding, spans: Sequence[tuple[int, int]], shift: int, whole: Vector
) -> Vector:
    """Mean state of the tokens overlapping each span, (n, d); spans lie `shift` characters further in."""
    offsets = np.array(encoding.offsets, dtype=np.int64)
    special = np.array(encoding.special_tokens_mask, dtype=bool)
    vectors = np.empty((len(spans), len(whole)), dtype=np.float32)
    for row, (start, end) in enumerate(spans):
        inside = (offsets[:, 0] < end + shift) & (offsets[:, 1] > start + shift) & ~special
        vectors[row] = _unit(states[inside].mean(axis=0)) if inside.any() else whole
    return vectors


def _unit(vector: Vector) -> Vector:
    # The smallest normal number in place of zero: a zero vector stays zero instead of becoming NaN.
    return vector / max(np.float32(np.linalg.norm(vector)), np.finfo(np.float32).tiny)


def _whole_words(encoding: Encoding, limit: int) -> int:
    """How many of the first `limit` tokens to keep so that no word is cut; `limit` if one word fills it."""
    words = encoding.word_ids
    kept = limit
    while kept and words[kept] == words[kept - 1]:
        kept -= 1
    return kept or limit


def _fingerprint(model: ModelFolder, architecture: Architecture, precision: str) -> str:
    return model.fingerprint(
        precision, repr(architecture), f"context {CONTEXT_TOKENS}", f"exporter {EXPORTER}"
    )
