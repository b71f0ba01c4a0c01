"""The architectures that people would name under `ASKTOPIC_ENCODER__PATH`, against sentence-transformers."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from index.chunking import ChunkSettings, chunk_record
from index.encoder import EncoderSettings, Passage, open_encoder
from index.ingest.build import build
from index.records import Paper
from index.settings import IndexSettings

TEXT = "The agent learns a policy. The reward is a value of the state. Off-policy methods use a buffer. " * 3
# Longer than ModernBERT's local window, and than the eight tokens that a graph is traced with.
LONG = "The agent learns a policy from the buffer. " * 25
TEXTS = (TEXT, LONG, "policy")

SIZE = {"vocab_size": 100, "initializer_range": 0.2}
BODY = SIZE | {
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 64,
}
PADDED = BODY | {"max_position_embeddings": 514, "pad_token_id": 1}
# [CLS], [PAD], [SEP], [UNK] have the first four numbers.
MODERN = {
    "max_position_embeddings": 8192,
    "pad_token_id": 1,
    "cls_token_id": 0,
    "sep_token_id": 2,
    "bos_token_id": 0,
    "eos_token_id": 2,
    "local_attention": 16,
}


@dataclass(frozen=True)
class Published:
    """What a published model is: its class in transformers, and what its folder says."""

    kind: str
    config: dict[str, Any]
    pooling: str
    max_tokens: int = 512
    prompts: dict[str, str] = field(default_factory=dict)


PUBLISHED = {
    "bge": Published("Bert", BODY, "cls", prompts={"query": "represent this: "}),
    "e5": Published("Bert", BODY, "mean", prompts={"query": "query: ", "passage": "passage: "}),
    "granite": Published("ModernBert", BODY | MODERN, "cls", max_tokens=8192),
    "mpnet": Published("MPNet", PADDED, "mean", max_tokens=384),
    "multilingual-e5": Published(
        "XLMRoberta",
        PADDED | {"type_vocab_size": 1},
        "mean",
        prompts={"query": "query: ", "passage": "passage: "},
    ),
    "distilbert": Published(
        "DistilBert", SIZE | {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64}, "mean"
    ),
}


def save(model: Published, folder: Path) -> Path:
    """Save random weights of the architecture the way sentence-transformers saves a published model."""
    import torch
    import transformers
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer import modules
    from tokenizers import Tokenizer, normalizers, pre_tokenizers, processors, trainers
    from tokenizers.models import WordPiece

    special = ["[CLS]", "[PAD]", "[SEP]", "[UNK]"]
    tokenizer = Tokenizer(WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(vocab_size=100, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator([TEXT], trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 0), ("[SEP]", 2)]
    )
    bare = folder / "bare"
    names = dict(zip(("cls_token", "pad_token", "sep_token", "unk_token"), special, strict=True))
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_max_length=model.max_tokens, **names
    ).save_pretrained(bare)
    with torch.random.fork_rng():
        torch.manual_seed(3)
        config = getattr(transformers, f"{model.kind}Config")(**model.config)
        getattr(transformers, f"{model.kind}Model")(config).save_pretrained(bare)
    transformer = modules.Transformer(str(bare), max_seq_length=model.max_tokens)
    chain = [transformer, modules.Pooling(32, pooling_mode=model.pooling), modules.Normalize()]
    whole = folder / "model"
    SentenceTransformer(modules=chain, device="cpu", prompts=model.prompts).save(str(whole))
    return whole


@pytest.fixture(scope="module", params=PUBLISHED)
def saved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Published, Path]:
    model = PUBLISHED[request.param]
    return model, save(model, tmp_path_factory.mktemp(request.param))


@pytest.mark.parametrize(("precision", "closeness"), [("fp32", 0.9999), ("int8", 0.98)])
def test_vectors_are_those_of_sentence_transformers(
    saved: tuple[Published, Path], precision: Any, closeness: float
) -> None:
    from sentence_transformers import SentenceTransformer

    model, folder = saved
    ours = open_encoder(EncoderSettings(path=folder, precision=precision), folder.parent / "cache")
    reference = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    assert ours.max_tokens == model.max_tokens
    for text in TEXTS:
        (vectors,) = ours.encode_passages([Passage("", text)])
        assert np.dot(ours.encode_query(text), reference.encode_query(text)) >= closeness
        assert np.dot(vectors.whole, reference.encode_document(text)) >= closeness


def test_every_chunk_fits_the_encoder_and_stays_a_passage(saved: tuple[Published, Path]) -> None:
    """Also where the model reads fewer tokens than the budget, or sixteen times as many."""
    _, folder = saved
    ours = open_encoder(EncoderSettings(path=folder, precision="fp32"), folder.parent / "cache")
    paper = Paper(id="p", title="agent " * 100, abstract=LONG * 8)
    budget = ChunkSettings().within(ours.max_text_tokens)
    chunks = chunk_record(paper, ours.token_offsets, budget)
    assert len(chunks) > 1
    assert max(len(ours.token_offsets(chunk.text)) for chunk in chunks) <= ChunkSettings().paper_tokens
    ours.encode_passages([Passage(paper.title, chunk.text) for chunk in chunks])


def test_prompts_that_a_folder_does_not_name_can_be_given(tiny_model: Path, tiny_cache: Path) -> None:
    plain = open_encoder(EncoderSettings(path=tiny_model, precision="fp32"), tiny_cache)
    prompted = open_encoder(
        EncoderSettings(
            path=tiny_model, precision="fp32", query_prompt="query: ", document_prompt="passage: "
        ),
        tiny_cache,
    )
    assert np.allclose(prompted.encode_query("agent"), plain.encode_query("query: agent"))
    (one,), (other,) = (
        prompted.encode_passages([Passage("", "agent")]),
        plain.encode_passages([Passage("", "passage: agent")]),
    )
    assert np.allclose(one.whole, other.whole)
    assert prompted.fingerprint != plain.fingerprint


def test_a_build_cuts_passages_to_what_a_short_encoder_reads(
    tiny_model: Path, tiny_cache: Path, tmp_path: Path
) -> None:
    tiny = open_encoder(EncoderSettings(path=tiny_model, precision="fp32"), tiny_cache)
    assert tiny.max_text_tokens < ChunkSettings().paper_tokens
    source = tmp_path / "papers.jsonl"
    source.write_text(Paper(id="p", title="Agents", abstract=LONG).model_dump_json(), encoding="utf-8")
    report = build([source], IndexSettings(data_dir=tmp_path / "data"), encoder=tiny)
    assert report.encoded > len(tiny.token_offsets(LONG)) / ChunkSettings().paper_tokens
