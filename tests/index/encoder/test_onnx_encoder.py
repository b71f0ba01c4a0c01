"""How texts become vectors, on a tiny model whose vectors can be worked out from its token states."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from index.encoder import CONTEXT_TOKENS, Encoder, EncoderSettings, Passage, open_encoder
from index.errors import EncoderError

Variant = Callable[[dict[str, Any]], Path]

TEXT = (
    "the agent learns a policy. the reward is a value of the state. off-policy methods sample from a buffer."
)
SPANS = ((0, 26), (27, 62), (63, 103))


@pytest.fixture(scope="module")
def tiny(tiny_model: Path, tiny_cache: Path) -> Encoder:
    return open_encoder(EncoderSettings(path=tiny_model, precision="fp32"), tiny_cache)


@pytest.fixture(scope="module")
def tiny_int8(tiny_model: Path, tiny_cache: Path) -> Encoder:
    return open_encoder(EncoderSettings(path=tiny_model, threads=3), tiny_cache)


def cosine(a: Any, b: Any) -> float:
    return float(np.dot(a, b) / (np.linalg.norm(a) * np.linalg.norm(b)))


def test_vectors_are_float32_of_unit_length(tiny: Encoder) -> None:
    query = tiny.encode_query("what is a policy?")
    (vectors,) = tiny.encode_passages([Passage("a policy", TEXT, SPANS)])
    assert query.shape == vectors.whole.shape == (tiny.dimension,)
    assert vectors.spans.shape == (3, tiny.dimension)
    for rows in (query, vectors.whole, vectors.spans):
        assert rows.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(rows, axis=-1), 1, rtol=1e-5)


def test_a_passage_without_spans_has_an_empty_matrix_of_them(tiny: Encoder) -> None:
    (vectors,) = tiny.encode_passages([Passage("", TEXT)])
    assert vectors.spans.shape == (0, tiny.dimension)


def test_no_passages_give_no_vectors(tiny: Encoder) -> None:
    assert tiny.encode_passages([]) == []


def test_whole_and_spans_are_means_of_the_same_token_states(tiny_model: Path, tiny: Encoder) -> None:
    import torch
    from transformers import AutoModel

    context = "off-policy methods"
    encoding = tiny._tokenizer.encode(f"{context}. {TEXT}")
    model = AutoModel.from_pretrained(tiny_model).eval()
    with torch.no_grad():
        states = model(input_ids=torch.tensor([encoding.ids])).last_hidden_state[0].numpy()

    (vectors,) = tiny.encode_passages([Passage(context, TEXT, SPANS)])

    assert cosine(vectors.whole, states.mean(axis=0)) > 0.9999
    shift = len(context) + 2
    for vector, (start, end) in zip(vectors.spans, SPANS, strict=True):
        rows = [
            row
            for row, (a, b) in enumerate(encoding.offsets)
            if a < end + shift and b > start + shift and b > a
        ]
        assert cosine(vector, states[rows].mean(axis=0)) > 0.9999


def test_a_span_inside_a_word_takes_the_tokens_it_touches(tiny: Encoder) -> None:
    (vectors,) = tiny.encode_passages([Passage("", "learns", ((0, 1), (0, 5), (5, 6), (0, 6)))])
    first, stem, ending, both = vectors.spans
    assert cosine(first, stem) > 0.9999
    assert cosine(stem, ending) < 0.99
    assert cosine(both, stem) < 0.9999


def test_a_span_without_a_token_gets_the_whole_vector(tiny: Encoder) -> None:
    (vectors,) = tiny.encode_passages([Passage("", "the   agent", ((3, 6), (0, 3)))])
    assert np.array_equal(vectors.spans[0], vectors.whole)
    assert not np.array_equal(vectors.spans[1], vectors.whole)


@pytest.mark.parametrize("span", [(0, 0), (-1, 2), (2, 1), (0, 10)])
def test_a_span_outside_its_text_is_an_error(tiny: Encoder, span: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="not within a text of 9 characters"):
        tiny.encode_passages([Passage("", "the agent", (span,))])


def test_offsets_count_code_points_of_the_text_as_given(tiny: Encoder) -> None:
    text = "𝒜 Éclair CAFÉ x\u0301y 🤖 learnS"
    pieces = [text[start:end] for start, end in tiny.token_offsets(text)]
    assert pieces == ["𝒜", "Éclair", "CAF", "É", "x\u0301y", "🤖", "learn", "S"]


def test_offsets_of_a_long_text_are_not_cut(tiny: Encoder) -> None:
    assert len(tiny.token_offsets("agent " * 300)) == 300


@pytest.mark.parametrize(
    ("context", "joined"),
    [
        ("a policy", "a policy. the agent"),
        ("a policy?", "a policy? the agent"),
        (" a policy. ", "a policy. the agent"),
        ("", "the agent"),
        ("  ", "the agent"),
    ],
)
def test_context_and_text_are_joined_as_sentences(tiny: Encoder, context: str, joined: str) -> None:
    with_context, by_hand = tiny.encode_passages([Passage(context, "the agent"), Passage("", joined)])
    assert np.array_equal(with_context.whole, by_hand.whole)


def test_a_long_context_is_cut_at_a_word(tiny: Encoder) -> None:
    # "learns" is two tokens: the 61 that stay beside the full stop end inside the thirty-first.
    long, cut = tiny.encode_passages(
        [Passage("learns " * 60, "the agent"), Passage("", "learns " * 29 + "learns. the agent")]
    )
    assert np.array_equal(long.whole, cut.whole)


def test_the_longest_text_fits_beside_the_longest_context(tiny: Encoder) -> None:
    assert tiny.max_text_tokens == tiny.max_tokens - 2 - CONTEXT_TOKENS
    context = "agent " * 200
    tiny.encode_passages([Passage(context, "policy " * tiny.max_text_tokens)])
    with pytest.raises(EncoderError, match=f"exceeds the encoder's {tiny.max_tokens}"):
        tiny.encode_passages([Passage(context, "policy " * (tiny.max_text_tokens + 1))])


def test_a_long_query_is_cut_to_what_the_model_reads(tiny: Encoder) -> None:
    fits = "agent " * (tiny.max_tokens - 2)
    assert np.array_equal(tiny.encode_query(fits + "policy " * 500), tiny.encode_query(fits))
    assert not np.allclose(tiny.encode_query("agent " * 20), tiny.encode_query("agent " * 20 + "policy"))


def test_an_empty_query_has_a_vector(tiny: Encoder) -> None:
    assert np.linalg.norm(tiny.encode_query("")) == pytest.approx(1)


def test_results_come_in_input_order_and_do_not_depend_on_neighbours(tiny_int8: Encoder) -> None:
    passages = [Passage("", "policy " * n + "agent", ((0, 6),)) for n in (9, 1, 30, 4, 17, 2, 60)]
    together = tiny_int8.encode_passages(passages)
    for passage, vectors in zip(passages, together, strict=True):
        (alone,) = tiny_int8.encode_passages([passage])
        assert np.array_equal(vectors.whole, alone.whole)
        assert np.array_equal(vectors.spans, alone.spans)


def test_queries_asked_at_once_get_their_own_vectors(tiny_int8: Encoder) -> None:
    queries = [f"policy {'agent ' * (n % 7)}{n % 5}" for n in range(200)]
    expected = [tiny_int8.encode_query(query) for query in queries]
    with ThreadPoolExecutor(8) as pool:
        assert all(map(np.array_equal, pool.map(tiny_int8.encode_query, queries), expected))


@pytest.mark.parametrize(
    "files",
    [
        {"1_Pooling/config.json": {"word_embedding_dimension": 32, "pooling_mode_cls_token": True}},
        {"config_sentence_transformers.json": {"prompts": {"query": "query: ", "document": "passage: "}}},
    ],
    ids=["cls", "prompts"],
)
def test_a_local_model_is_used_as_sentence_transformers_would(
    tiny_variant: Variant, tiny_cache: Path, tiny: Encoder, files: dict[str, Any]
) -> None:
    from sentence_transformers import SentenceTransformer

    folder = tiny_variant(files)
    ours = open_encoder(EncoderSettings(path=folder, precision="fp32"), tiny_cache)
    reference = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    assert cosine(ours.encode_query(TEXT), reference.encode_query(TEXT)) > 0.9999
    (vectors,) = ours.encode_passages([Passage("", TEXT, SPANS)])
    assert cosine(vectors.whole, reference.encode_document(TEXT)) > 0.9999
    assert cosine(ours.encode_query(TEXT), tiny.encode_query(TEXT)) < 0.9999


def test_spans_lie_behind_the_document_prompt(tiny_variant: Variant, tiny_cache: Path) -> None:
    folder = tiny_variant({"config_sentence_transformers.json": {"prompts": {"document": "passage: "}}})
    prompted = open_encoder(EncoderSettings(path=folder, precision="fp32"), tiny_cache)
    (vectors,) = prompted.encode_passages([Passage("", "agent", ((0, 5),))])
    encoding = prompted._tokenizer.encode("passage: agent")
    states = prompted._states(encoding)
    assert cosine(vectors.spans[0], states[encoding.tokens.index("agent")]) > 0.9999
    assert prompted.max_text_tokens == prompted.max_tokens - 2 - CONTEXT_TOKENS - len(("passage", ":"))


def test_the_fingerprint_changes_with_whatever_changes_vectors(
    tiny_variant: Variant, tiny_model: Path, tiny_cache: Path, tiny: Encoder, tiny_int8: Encoder
) -> None:
    folder = tiny_variant({"sentence_bert_config.json": {"max_seq_length": 80}})
    shorter = open_encoder(EncoderSettings(path=folder, precision="fp32"), tiny_cache)
    again = open_encoder(EncoderSettings(path=tiny_model, precision="fp32", threads=2), tiny_cache)
    assert len({tiny.fingerprint, tiny_int8.fingerprint, shorter.fingerprint}) == 3
    assert again.fingerprint == tiny.fingerprint
    assert (tiny.name, tiny_int8.name) == ("tiny/fp32", "tiny/int8")


@pytest.mark.parametrize("values", [{"precision": "int4"}, {"threads": -1}, {"model": "x"}])
def test_unusable_settings_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        EncoderSettings(**values)
