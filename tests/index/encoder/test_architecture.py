from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from index.encoder.architecture import Architecture, read_architecture
from index.errors import EncoderError

MODULES = [
    {"path": "", "type": "sentence_transformers.models.Transformer"},
    {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
]
DENSE = {"path": "2_Dense", "type": "sentence_transformers.models.Dense"}
BERT = {"model_type": "bert", "hidden_size": 32, "max_position_embeddings": 128}
MEAN = {"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True, "include_prompt": True}


def folder_of(root: Path, files: dict[str, Any]) -> Path:
    given = {"config.json": BERT, "modules.json": MODULES, "1_Pooling/config.json": MEAN} | files
    for name, value in given.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return root


def read(root: Path, files: dict[str, Any], *, use_all_positions: bool = False) -> Architecture:
    return read_architecture(folder_of(root, files), use_all_positions=use_all_positions)


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        (MEAN, "mean"),
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls"),
        ({"pooling_mode": "mean", "embedding_dimension": 32}, "mean"),
        ({"pooling_mode": ["cls"]}, "cls"),
    ],
)
def test_pooling_is_read_in_the_words_of_every_release(
    tmp_path: Path, pooling: dict[str, Any], expected: str
) -> None:
    assert read(tmp_path, {"1_Pooling/config.json": pooling}).pooling == expected


def test_pooling_is_read_where_the_modules_say_it_lies(tmp_path: Path) -> None:
    modules = [MODULES[0], MODULES[1] | {"path": "elsewhere"}]
    files = {"modules.json": modules, "elsewhere/config.json": {"pooling_mode": "cls"}}
    assert read(tmp_path, files).pooling == "cls"


@pytest.mark.parametrize(
    ("config", "files", "expected"),
    [
        ({}, {}, 128),
        ({}, {"sentence_bert_config.json": {"max_seq_length": 64}}, 64),
        ({}, {"tokenizer_config.json": {"model_max_length": 100}}, 100),
        ({}, {"tokenizer_config.json": {"model_max_length": 10**30}}, 128),
        ({}, {"sentence_bert_config.json": {"max_seq_length": 8192}}, 128),
        ({"model_type": "roberta", "pad_token_id": 1, "max_position_embeddings": 130}, {}, 128),
    ],
)
def test_the_input_limit_is_the_smallest_that_the_folder_names(
    tmp_path: Path, config: dict[str, Any], files: dict[str, Any], expected: int
) -> None:
    assert read(tmp_path, files | {"config.json": BERT | config}).max_tokens == expected


def test_all_positions_are_used_when_asked_for(tmp_path: Path) -> None:
    files = {"sentence_bert_config.json": {"max_seq_length": 64}}
    assert read(tmp_path, files, use_all_positions=True).max_tokens == 128


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({}, ("", "")),
        ({"prompts": {"query": "query: ", "document": "text: "}}, ("query: ", "text: ")),
        ({"prompts": {"query": "query: ", "passage": "passage: "}}, ("query: ", "passage: ")),
        ({"prompts": {"query": "q: "}, "default_prompt_name": "query"}, ("q: ", "q: ")),
        ({"prompts": {"query": "q: ", "document": ""}, "default_prompt_name": "query"}, ("q: ", "")),
        ({"prompts": None, "default_prompt_name": None}, ("", "")),
    ],
)
def test_prompts_are_those_sentence_transformers_would_use(
    tmp_path: Path, config: dict[str, Any], expected: tuple[str, str]
) -> None:
    architecture = read(tmp_path, {"config_sentence_transformers.json": config})
    assert (architecture.query_prompt, architecture.document_prompt) == expected


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"modules.json": [*MODULES, DENSE]}, "modules.json: the modules Transformer, Pooling, Dense"),
        ({"modules.json": MODULES[:1]}, "modules.json"),
        ({"modules.json": [MODULES[0] | {"path": "0_Transformer"}, MODULES[1]]}, "model folder itself"),
        ({"modules.json": {}}, "expected a list"),
        ({"1_Pooling/config.json": {"pooling_mode": "lasttoken"}}, "pooling by lasttoken"),
        ({"1_Pooling/config.json": {"pooling_mode": ["mean", "max"]}}, "pooling by mean and max"),
        (
            {"1_Pooling/config.json": MEAN | {"pooling_mode_max_tokens": True}},
            "pooling by mean and max_tokens",
        ),
        ({"1_Pooling/config.json": {"pooling_mode_mean_tokens": False}}, "pooling by nothing"),
        ({"1_Pooling/config.json": MEAN | {"include_prompt": False}}, "include_prompt"),
        ({"sentence_bert_config.json": {"do_lower_case": True}}, "do_lower_case"),
        ({"config.json": {"hidden_size": 32}}, "max_position_embeddings"),
        ({"config.json": BERT | {"hidden_size": "32"}}, "hidden_size"),
        ({"config.json": "{"}, "config.json cannot be read"),
        ({"config_sentence_transformers.json": []}, "expected a JSON object"),
    ],
)
def test_what_is_not_supported_is_refused_by_name(tmp_path: Path, files: dict[str, Any], said: str) -> None:
    with pytest.raises(EncoderError) as refused:
        read(tmp_path, files)
    assert said in refused.value.message
    assert str(tmp_path) in refused.value.message


def test_a_folder_without_modules_is_refused(tmp_path: Path) -> None:
    (folder_of(tmp_path, {}) / "modules.json").unlink()
    with pytest.raises(EncoderError, match=r"modules\.json is missing"):
        read_architecture(tmp_path, use_all_positions=False)
