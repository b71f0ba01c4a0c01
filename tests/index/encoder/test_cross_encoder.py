"""Pairs are scored as sentence-transformers scores them, without padding or neighbours that matter."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from index.encoder import CrossEncoder, open_cross_encoder
from index.errors import EncoderError

Variant = Callable[[dict[str, Any]], Path]
QUESTION = "where is the keeper ?"
TRANSFORMER = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.base.modules.transformer.Transformer"}
]


def passages(count: int = 24) -> list[str]:
    """Passages of 1 to 150 words, a third of them relevant; the longest do not fit."""
    draw = random.Random(4)
    words = "the a of keeper near cliff harbour unheard learns policy agent reward storm".split()
    texts = []
    for number in range(count):
        text = draw.choices(words, k=draw.choice([1, 5, 20, 60, 150]))
        if number % 3 == 0:
            text[draw.randrange(min(len(text), 60))] = "lighthouse"
        texts.append(" ".join(text))
    return texts


def predict(folder: Path, question: str, texts: list[str]) -> Any:
    from sentence_transformers import CrossEncoder as Reference

    reference = Reference(str(folder), device="cpu", local_files_only=True)
    return reference.predict([(question, text) for text in texts])


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("toy-cache")


@pytest.fixture(scope="module")
def toy(toy_reranker: Path, cache: Path) -> CrossEncoder:
    return open_cross_encoder(toy_reranker, "fp32", cache)


@pytest.fixture
def variant(toy_reranker: Path, tmp_path: Path) -> Variant:
    """Make a copy of the toy with keys of its JSON files changed; None removes a file."""

    def make(files: dict[str, Any]) -> Path:
        folder = tmp_path / "variant"
        shutil.copytree(toy_reranker, folder)
        for name, changes in files.items():
            file = folder / name
            if changes is None:
                file.unlink()
            elif isinstance(changes, list):
                file.write_text(json.dumps(changes))
            else:
                old = json.loads(file.read_text()) if file.exists() else {}
                file.write_text(json.dumps(old | changes))
        return folder

    return make


def other_family(toy_reranker: Path, folder: Path, family: str) -> Path:
    """A random model that knows no token types, with a tokenizer that joins a pair in its own way."""
    import torch
    from tokenizers import Tokenizer, processors
    from transformers import (
        DebertaV2Config,
        DebertaV2ForSequenceClassification,
        XLMRobertaConfig,
        XLMRobertaForSequenceClassification,
    )

    tokenizer = Tokenizer.from_file(str(toy_reranker / "tokenizer.json"))
    sizes = {
        "vocab_size": tokenizer.get_vocab_size(),
        "hidden_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 64,
        "max_position_embeddings": 98,
        "num_labels": 1,
        "pad_token_id": 0,
        "initializer_range": 0.2,
    }
    with torch.random.fork_rng():
        torch.manual_seed(3)
        if family == "xlm-roberta":
            model = XLMRobertaForSequenceClassification(XLMRobertaConfig(**sizes, type_vocab_size=1))
        else:
            attention = {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "position_buckets": 16}
            model = DebertaV2ForSequenceClassification(
                DebertaV2Config(**sizes, **attention, type_vocab_size=0)
            )
    model.eval().save_pretrained(folder)
    between = "[SEP] [SEP]" if family == "xlm-roberta" else "[SEP]"
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair=f"[CLS] $A {between} $B [SEP]",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = json.loads((toy_reranker / "tokenizer_config.json").read_text())
    settings["model_input_names"] = ["input_ids", "attention_mask"]
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    return folder


def test_scores_are_those_of_sentence_transformers(toy: CrossEncoder, toy_reranker: Path) -> None:
    found = toy.score(QUESTION, passages())
    assert found.dtype == np.float32
    assert np.ptp(found) > 0.9
    np.testing.assert_allclose(found, predict(toy_reranker, QUESTION, passages()), atol=1e-4)


@pytest.mark.parametrize("family", ["xlm-roberta", "deberta-v2"])
def test_models_without_token_types_are_scored_alike(
    toy_reranker: Path, cache: Path, tmp_path: Path, family: str
) -> None:
    folder = other_family(toy_reranker, tmp_path / family, family)
    found = open_cross_encoder(folder, "fp32", cache).score(QUESTION, passages())
    assert np.ptp(found) > 0.1, "a random model tells passages apart"
    np.testing.assert_allclose(found, predict(folder, QUESTION, passages()), atol=1e-4)


def test_a_tokenizer_that_gives_no_token_types_is_believed(variant: Variant, cache: Path) -> None:
    folder = variant({"tokenizer_config.json": {"model_input_names": ["input_ids", "attention_mask"]}})
    found = open_cross_encoder(folder, "fp32", cache).score(QUESTION, passages())
    np.testing.assert_allclose(found, predict(folder, QUESTION, passages()), atol=1e-4)


def test_int8_puts_the_same_passages_first(toy: CrossEncoder, toy_reranker: Path, cache: Path) -> None:
    rough = open_cross_encoder(toy_reranker, "int8", cache)
    assert rough.name == "toy/int8"
    relevant = {n for n, text in enumerate(passages()) if "lighthouse" in text}
    for model in (toy, rough):
        best = np.argsort(-model.score(QUESTION, passages()))[: len(relevant)]
        assert set(best.tolist()) == relevant


def test_only_the_passage_makes_a_passage_relevant(toy: CrossEncoder) -> None:
    asked_for, told_of = "where is the lighthouse ?", "the lighthouse near the cliff"
    assert toy.score(asked_for, ["the keeper near the cliff"])[0] < 0.1
    assert toy.score(asked_for, [told_of])[0] > 0.9
    assert toy.score(QUESTION, [told_of])[0] > 0.9


@pytest.mark.parametrize(
    ("files", "identity"),
    [
        (
            {"config.json": {"sentence_transformers": {"activation_fn": "torch.nn.modules.linear.Identity"}}},
            True,
        ),
        ({"config.json": {"sbert_ce_default_activation_function": "torch.nn.modules.linear.Identity"}}, True),
        (
            {
                "config.json": {
                    "sentence_transformers": {"activation_fn": "torch.nn.modules.activation.Sigmoid"}
                }
            },
            False,
        ),
    ],
    ids=["version 4", "version 3", "sigmoid"],
)
def test_the_activation_is_the_one_the_files_name(
    variant: Variant, cache: Path, files: dict[str, Any], identity: bool
) -> None:
    folder = variant(files)
    found = open_cross_encoder(folder, "fp32", cache).score(QUESTION, passages(6))
    assert (found.min() < 0) == identity
    np.testing.assert_allclose(found, predict(folder, QUESTION, passages(6)), atol=1e-3 if identity else 1e-4)


def test_a_folder_saved_by_sentence_transformers_is_opened(
    toy_reranker: Path, cache: Path, tmp_path: Path
) -> None:
    import torch
    from sentence_transformers import CrossEncoder as Reference

    identity = torch.nn.Identity()
    reference = Reference(str(toy_reranker), device="cpu", local_files_only=True, activation_fn=identity)
    reference.save_pretrained(str(tmp_path / "saved"))
    assert (tmp_path / "saved" / "modules.json").is_file(), "as version 6 writes it"
    found = open_cross_encoder(tmp_path / "saved", "fp32", cache).score(QUESTION, passages())
    assert found.min() < 0, "no sigmoid"
    expected = reference.predict([(QUESTION, text) for text in passages()])
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_what_does_not_fit_is_cut_from_the_end_of_the_passage(toy: CrossEncoder) -> None:
    assert toy.max_tokens == 96
    fits = "the " * (96 - 3 - 5)
    whole, cut, sooner = toy.score(QUESTION, [fits, fits + "lighthouse " * 40, "lighthouse " + fits])
    assert whole == cut
    assert sooner > cut + 0.5


def test_a_very_long_question_leaves_half_of_the_room_to_the_passage(toy: CrossEncoder) -> None:
    room = (96 - 3) // 2
    asked = "where " * room
    found = [toy.score(question, ["the lighthouse"])[0] for question in (asked, asked + "storm " * 500)]
    assert found[0] == found[1]
    assert found[0] != toy.score("where " * (room - 1), ["the lighthouse"])[0]


def test_scores_come_in_order_whatever_is_scored_beside_them(toy_reranker: Path, cache: Path) -> None:
    rough = open_cross_encoder(toy_reranker, "int8", cache)
    texts = passages()
    together = rough.score(QUESTION, texts)
    assert [rough.score(QUESTION, [text])[0] for text in texts] == together.tolist()
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: rough.score(QUESTION, texts), range(8)):
            assert np.array_equal(found, together)


def test_no_passages_have_no_scores(toy: CrossEncoder) -> None:
    assert toy.score(QUESTION, []).shape == (0,)


def test_an_empty_passage_has_a_score(toy: CrossEncoder) -> None:
    assert np.isfinite(toy.score("", [""])).all()


def test_the_fingerprint_changes_with_whatever_changes_scores(
    variant: Variant, toy_reranker: Path, cache: Path, toy: CrossEncoder
) -> None:
    shorter = variant({"tokenizer_config.json": {"model_max_length": 64}})
    fingerprints = {
        toy.fingerprint,
        open_cross_encoder(toy_reranker, "int8", cache).fingerprint,
        open_cross_encoder(shorter, "fp32", cache).fingerprint,
    }
    assert len(fingerprints) == 3
    assert open_cross_encoder(toy_reranker, "fp32", cache).fingerprint == toy.fingerprint


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"tokenizer.json": None}, "lacks tokenizer.json"),
        ({"model.safetensors": None}, "lacks model.safetensors"),
        ({"config.json": {"id2label": {"0": "no", "1": "yes"}}}, "a model with 2 labels is no reranker"),
        ({"config.json": {"id2label": None}}, "a model with 2 labels is no reranker"),
        ({"config.json": {"architectures": ["BertModel"]}}, "BertModel is not supported"),
        ({"config.json": {"architectures": None}}, "nothing is not supported"),
        (
            {"config.json": {"sentence_transformers": {"activation_fn": "torch.nn.Tanh"}}},
            "the activation torch.nn.Tanh is not supported",
        ),
        (
            {"modules.json": [{"type": "x.Transformer", "path": ""}, {"type": "x.LogitScore"}]},
            "found Transformer, ",
        ),
        ({"modules.json": [{"type": "x.Transformer", "path": "0"}]}, "found Transformer in '0'"),
        (
            {
                "modules.json": TRANSFORMER,
                "config_sentence_transformers.json": {
                    "prompts": {"a": "Judge: "},
                    "default_prompt_name": "a",
                },
            },
            "with a prompt is not supported",
        ),
        ({"config.json": {"model_type": "no-such-model"}}, "no-such-model"),
    ],
)
def test_what_cannot_be_a_reranker_is_named(
    variant: Variant, tmp_path: Path, files: Any, message: str
) -> None:
    with pytest.raises(EncoderError) as refused:
        open_cross_encoder(variant(files), "fp32", tmp_path / "cache")
    assert message in refused.value.message
    assert "variant" in refused.value.message


def test_a_path_that_is_no_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match=r"nowhere is not a folder\. Name a local sequence-class"):
        open_cross_encoder(tmp_path / "nowhere", "int8", tmp_path)


def test_weights_without_a_classifier_are_refused_and_not_made_up(toy_reranker: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    folder = tmp_path / "headless"
    shutil.copytree(toy_reranker, folder)
    weights = load_file(folder / "model.safetensors")
    kept = {name: array for name, array in weights.items() if not name.startswith("classifier")}
    save_file(kept, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(
        EncoderError, match=r"cannot be exported to ONNX: .*lack classifier\.bias, classifier\.weight"
    ):
        open_cross_encoder(folder, "fp32", tmp_path / "cache")


def test_a_graph_that_gives_other_numbers_than_its_model_is_refused(
    toy: CrossEncoder, toy_reranker: Path, cache: Path
) -> None:
    """What an architecture comes to that leaves the traced length in its graph."""
    import torch

    from index.encoder.export import CHECKED, _check, _example, _load

    (graph,) = (file for file in cache.glob("toy.fp32.*.onnx"))
    model = _load(toy_reranker, "score")
    names = ("input_ids", "token_type_ids")
    inputs = dict(zip(names, _example(model.config, names, CHECKED), strict=True))
    with torch.no_grad():
        expected = model(**inputs).logits[0].numpy()
    _check(graph, inputs, expected)
    with pytest.raises(ValueError, match="architecture is not supported"):
        _check(graph, inputs, expected + 0.1)


def test_a_folder_may_serve_as_both_without_a_mix_up(toy_reranker: Path, tmp_path: Path) -> None:
    """The same weights, once up to their token states and once up to their score: two graphs."""
    from index.encoder.graph_cache import load_graph
    from index.encoder.weights import local_model

    model = local_model(toy_reranker, "sequence-classification")
    states, score = (load_graph(model, "fp32", tmp_path, output) for output in ("states", "score"))
    assert states != score
    assert load_graph(model, "fp32", tmp_path, "states") == states
