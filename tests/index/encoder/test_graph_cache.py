from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from index.encoder import EncoderSettings, open_encoder
from index.encoder.graph_cache import EXPORT_TIMEOUT, load_graph
from index.encoder.weights import find_model
from index.errors import EncoderError


def files_in(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@pytest.fixture(scope="module")
def other_model(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny model with its word vectors in another order."""
    from safetensors.numpy import load_file, save_file

    folder = tmp_path_factory.mktemp("other") / "tiny"
    shutil.copytree(tiny_model, folder)
    weights = load_file(folder / "model.safetensors")
    name = "embeddings.word_embeddings.weight"
    save_file(weights | {name: weights[name][::-1].copy()}, folder / "model.safetensors", {"format": "pt"})
    return folder


def test_a_damaged_graph_is_exported_again_also_by_two_at_once(
    tiny_model: Path, tiny_cache: Path, tmp_path: Path
) -> None:
    model = find_model(tiny_model)
    whole = load_graph(model, "int8", tiny_cache)
    good = next(file for file in tiny_cache.glob("*.onnx") if file.read_bytes() == whole)
    for name in (good.name, f"{good.name}.sha256"):
        shutil.copy(tiny_cache / name, tmp_path)
    (tmp_path / good.name).write_bytes(whole[:-100] + bytes(100))

    with ThreadPoolExecutor(2) as pool:
        graphs = list(pool.map(lambda _: load_graph(model, "int8", tmp_path), range(2)))

    assert graphs == [whole, whole]
    assert (tmp_path / good.name).read_bytes() == whole
    assert files_in(tmp_path) == [good.name, f"{good.name}.sha256"]


def test_a_cached_graph_is_used_as_it_is(tiny_model: Path, tiny_cache: Path) -> None:
    settings = EncoderSettings(path=tiny_model)
    open_encoder(settings, tiny_cache)
    before = {file: file.stat().st_mtime_ns for file in tiny_cache.iterdir()}
    open_encoder(settings, tiny_cache)
    assert {file: file.stat().st_mtime_ns for file in tiny_cache.iterdir()} == before


def test_the_digest_is_in_the_format_of_sha256sum(tiny_model: Path, tiny_cache: Path) -> None:
    graph = load_graph(find_model(tiny_model), "int8", tiny_cache)
    lines = [file.read_text() for file in tiny_cache.glob("*.sha256")]
    (line,) = [line for line in lines if line.startswith(hashlib.sha256(graph).hexdigest())]
    digest, name = line.split("  ")
    assert hashlib.sha256((tiny_cache / name.rstrip("\n")).read_bytes()).hexdigest() == digest


def test_exporting_leaves_no_trace_in_this_process(other_model: Path, tiny_cache: Path) -> None:
    program = (
        "import os, sys, pathlib; from index.encoder import *\n"
        "before = dict(os.environ)\n"
        "open_encoder(EncoderSettings(path=pathlib.Path(sys.argv[1])), pathlib.Path(sys.argv[2]))\n"
        "assert dict(os.environ) == before\n"
        "print([name for name in ('torch', 'transformers', 'onnx') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(other_model), str(tiny_cache)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
    assert done.stderr == ""


def test_other_weights_are_never_served_from_the_cache_of_these(
    other_model: Path, tiny_model: Path, tiny_cache: Path
) -> None:
    original = open_encoder(EncoderSettings(path=tiny_model), tiny_cache)
    other = open_encoder(EncoderSettings(path=other_model), tiny_cache)
    assert other.name == original.name
    assert other.fingerprint != original.fingerprint
    assert float(np.dot(other.encode_query("the agent"), original.encode_query("the agent"))) < 0.99


def test_a_failed_export_says_why_and_leaves_nothing_of_itself_or_of_killed_ones(
    tiny_variant: Callable[[dict[str, Any]], Path], tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    dead, living = cache / ".export-dead", cache / ".export-living"
    for folder in (dead, living):
        folder.mkdir(parents=True)
    long_ago = dead.stat().st_mtime - 2 * EXPORT_TIMEOUT
    os.utime(dead, (long_ago, long_ago))
    config = {"model_type": "no-such-model", "hidden_size": 32, "max_position_embeddings": 96}
    model = tiny_variant({"config.json": config})

    with pytest.raises(EncoderError, match=r"cannot be exported to ONNX: .*no-such-model"):
        open_encoder(EncoderSettings(path=model), cache)

    assert files_in(cache) == [living.name]


def test_a_cache_folder_that_cannot_be_made_is_named(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EncoderError, match=r"cannot be written to .*file"):
        open_encoder(EncoderSettings(path=tiny_model), tmp_path / "file")
