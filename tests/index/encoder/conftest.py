"""A BERT small enough to export in a test, saved as sentence-transformers saves one."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WORDS = (
    "[PAD] [UNK] [CLS] [SEP] [MASK] . , ? : the a of and in to is query passage agent policy reward value "
    "learn ##s ##ing ##ed state action explor ##e from replay buffer off on - method sample error eclair "
    "caf ##e x y 1 2 3 4 5"
)
POSITIONS = 96


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two layers, 32 dimensions, 96 positions, mean pooling, random weights from a fixed seed."""
    import torch
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("models") / "tiny"
    folder.mkdir()
    vocabulary = {word: number for number, word in enumerate(WORDS.split())}
    with torch.random.fork_rng():
        torch.manual_seed(7)
        config = BertConfig(
            vocab_size=len(vocabulary),
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            max_position_embeddings=POSITIONS,
            # Ten times the usual spread: random states that differ from word to word.
            initializer_range=0.2,
        )
        BertModel(config).save_pretrained(folder)

    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    # Left on in the file, as in published models: whoever opens it has to turn both off.
    tokenizer.enable_truncation(16)
    tokenizer.enable_padding(length=16)
    tokenizer.save(str(folder / "tokenizer.json"))

    special = {"unk_token": "[UNK]", "sep_token": "[SEP]", "pad_token": "[PAD]", "cls_token": "[CLS]"}
    write_json(folder / "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", **special})
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": POSITIONS, "do_lower_case": False})
    kinds = {"Transformer": "", "Pooling": "1_Pooling", "Normalize": "2_Normalize"}
    write_json(
        folder / "modules.json",
        [
            {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
            for n, (kind, path) in enumerate(kinds.items())
        ],
    )
    write_json(
        folder / "1_Pooling" / "config.json",
        {"word_embedding_dimension": 32, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True},
    )
    return folder


@pytest.fixture(scope="session")
def tiny_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tiny model's graph is exported to, once for all folders that share its weights."""
    return tmp_path_factory.mktemp("tiny-cache")


@pytest.fixture
def tiny_variant(tiny_model: Path, tmp_path: Path) -> Callable[[dict[str, Any]], Path]:
    """Make a copy of the tiny model with some of its JSON files replaced; None removes a file."""

    def variant(files: dict[str, Any]) -> Path:
        folder = tmp_path / "variant"
        shutil.copytree(tiny_model, folder)
        for name, value in files.items():
            if value is None:
                (folder / name).unlink()
            else:
                write_json(folder / name, value)
        return folder

    return variant


def write_json(file: Path, value: Any) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(value), encoding="utf-8")
