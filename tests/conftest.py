"""What the whole suite shares: the packaged encoder, exported once and kept between runs."""

from __future__ import annotations

import json
import random
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
import uvicorn
from starlette.types import ASGIApp

from index.encoder import Encoder, EncoderSettings, open_encoder
from index.ingest.build import build
from index.paths import starter_folder
from index.settings import IndexSettings
from rag.engine import Engine

SHARED_DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real pages, papers and explainers that may lie beside the project; skips where they do not."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the real data does not lie beside the project, in ../shared/data")
    return SHARED_DATA


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how many tests walked the real data, or would have."""
    reports = terminalreporter.stats
    walked = sum("real_data" in report.keywords for report in reports.get("passed", []))
    skipped = sum("in ../shared/data" in str(report.longrepr) for report in reports.get("skipped", []))
    terminalreporter.write_line(f"real data in ../shared/data: walked by {walked} tests, {skipped} skipped")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "shared_data" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.real_data)


@pytest.fixture(scope="session")
def encoder_cache(request: pytest.FixtureRequest) -> Path:
    """A folder for exported graphs that outlives the run: an export takes some 15 s."""
    cache = request.config.cache
    assert cache is not None
    return Path(cache.mkdir("encoder"))


@pytest.fixture(scope="session")
def encoder(encoder_cache: Path) -> Encoder:
    """The packaged int8 encoder, as it is served."""
    return open_encoder(EncoderSettings(), encoder_cache)


@pytest.fixture(scope="session")
def starter_settings(encoder: Encoder, tmp_path_factory: pytest.TempPathFactory) -> IndexSettings:
    """A data folder into which the starter set has been ingested."""
    settings = IndexSettings(data_dir=tmp_path_factory.mktemp("starter") / "data")
    report = build([starter_folder()], settings, encoder=encoder)
    assert not report.quarantined
    return settings


@pytest.fixture(scope="session")
def engine(encoder: Encoder, starter_settings: IndexSettings) -> Iterator[Engine]:
    """An engine over the starter set: the topic "Reinforcement Learning", alias "RL"."""
    with Engine(starter_settings, encoder=encoder) as engine:
        yield engine


SOUGHT = "lighthouse"
FILLERS = "the a of keeper near cliff harbour learns policy agent reward storm where is ?"


@pytest.fixture(scope="session")
def toy_reranker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cross-encoder of two layers, trained on the spot: a passage is relevant if *it* says "lighthouse".

    In the question the word tells nothing, so that scores are right only with the right token types. Takes
    a second, less than importing what trains it.
    """
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification

    folder = tmp_path_factory.mktemp("rerankers") / "toy"
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", SOUGHT, *FILLERS.split()]
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=128,
        num_labels=1,
        hidden_dropout_prob=0,
        attention_probs_dropout_prob=0,
        initializer_range=0.1,
    )
    draw = random.Random(1)
    others = [1, *range(5, len(words))]
    with torch.random.fork_rng():
        torch.manual_seed(1)
        model = BertForSequenceClassification(config)
        optimiser = torch.optim.Adam(model.parameters(), lr=5e-3)
        for _ in range(100):
            asked, told = 4, draw.randint(4, 40)
            ids, relevant = [], []
            for _ in range(32):
                question, passage = draw.choices(others, k=asked), draw.choices(others, k=told)
                relevant.append(draw.random() < 0.5)
                if relevant[-1]:
                    passage[draw.randrange(told)] = 4
                if draw.random() < 0.5:
                    question[draw.randrange(asked)] = 4
                ids.append([2, *question, 3, *passage, 3])
            types = torch.tensor([[0] * (asked + 2) + [1] * (told + 1)] * len(ids))
            logits = model(input_ids=torch.tensor(ids), token_type_ids=types).logits[:, 0]
            loss = torch.nn.functional.binary_cross_entropy_with_logits(
                logits, torch.tensor(relevant).float()
            )
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    assert loss < 0.1, "the toy has learnt its task"
    model.eval().save_pretrained(folder)

    tokenizer = Tokenizer(models.WordPiece({word: n for n, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    # Left on in the file, as in published models: whoever opens it has to turn both off.
    tokenizer.enable_truncation(16)
    tokenizer.enable_padding(length=16)
    tokenizer.save(str(folder / "tokenizer.json"))
    special = {"unk_token": "[UNK]", "sep_token": "[SEP]", "pad_token": "[PAD]", "cls_token": "[CLS]"}
    settings = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": 96,
        "model_input_names": ["input_ids", "token_type_ids", "attention_mask"],
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(settings | special))
    return folder


@pytest.fixture(scope="session")
def toy_entailment(toy_reranker: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of entailment, trained on the spot: a premise that says "lighthouse" entails anything, one that
    says "cliff" contradicts anything, and any other leaves it open.

    The labels stand in an order of their own, as in published models.
    """
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    folder = tmp_path_factory.mktemp("entailment") / "toy"
    folder.mkdir()
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(toy_reranker / name, folder / name)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", SOUGHT, *FILLERS.split()]
    labels = ["contradiction", "entailment", "neutral"]
    config = BertConfig.from_pretrained(toy_reranker, num_labels=3, id2label=dict(enumerate(labels)))
    draw, refuting = random.Random(2), words.index("cliff")
    others = [n for n in (1, *range(5, len(words))) if n != refuting]
    with torch.random.fork_rng():
        torch.manual_seed(2)
        model = BertForSequenceClassification(config)
        optimiser = torch.optim.Adam(model.parameters(), lr=5e-3)
        for _ in range(120):
            told, claimed = draw.randint(4, 40), draw.randint(3, 10)
            ids, wanted = [], []
            for _ in range(32):
                premise = draw.choices(others, k=told)
                hypothesis = draw.choices([4, refuting, *others], k=claimed)
                wanted.append(draw.choice(labels))
                if wanted[-1] != "neutral":
                    premise[draw.randrange(told)] = 4 if wanted[-1] == "entailment" else refuting
                ids.append([2, *premise, 3, *hypothesis, 3])
            types = torch.tensor([[0] * (told + 2) + [1] * (claimed + 1)] * len(ids))
            logits = model(input_ids=torch.tensor(ids), token_type_ids=types).logits
            targets = torch.tensor([labels.index(label) for label in wanted])
            loss = torch.nn.functional.cross_entropy(logits, targets)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    assert loss < 0.1, "the toy has learnt its task"
    model.eval().save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def serve() -> Callable[[ASGIApp], AbstractContextManager[str]]:
    """Serve an application on the loopback interface while a `with` block lasts; gives its base URL."""

    @contextmanager
    def run(app: ASGIApp) -> Iterator[str]:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            # A listening socket queues connections, so nobody has to wait for the server to be up.
            config = uvicorn.Config(app, lifespan="off", log_level="critical", timeout_graceful_shutdown=1)
            server = uvicorn.Server(config)
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
            thread.start()
            try:
                host, port = listener.getsockname()
                yield f"http://{host}:{port}"
            finally:
                server.should_exit = True
                thread.join()

    return run
