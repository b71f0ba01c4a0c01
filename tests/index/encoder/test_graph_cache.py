from __future__ import annotations

import os
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


def test_a_damaged_graph_is_exported_again_also_by_two_at_once(tiny_model: Path, tmp_path: Path) -> None:
    model = find_model(tiny_model)
    whole = load_graph(model, "int8", tmp_path)
    (graph_file,) = tmp_path.glob("*.onnx")
    graph_file.write_bytes(whole[:-100] + bytes(100))

    with ThreadPoolExecutor(2) as pool:
        graphs = list(pool.map(lambda _: load_graph(model, "int8", tmp_path), range(2)))

    assert graphs == [whole, whole]
    assert graph_file.read_bytes() == whole
    assert files_in(tmp_path) == [graph_file.name, f"{graph_file.name}.sha256"]


def test_a_cached_graph_is_used_as_it_is(tiny_model: Path, tiny_cache: Path) -> None:
    settings = EncoderSettings(path=tiny_model)
    open_encoder(settings, tiny_cache)
    before = {file: file.stat().st_mtime_ns for file in tiny_cache.iterdir()}
    open_encoder(settings, tiny_cache)
    assert {file: file.stat().st_mtime_ns for file in tiny_cache.iterdir()} == before


def test_the_digest_is_in_the_format_of_sha256sum(tiny_model: Path, tiny_cache: Path) -> None:
    open_encoder(EncoderSettings(path=tiny_model), tiny_cache)
    (graph_file,) = tiny_cache.glob("*.int8.*.onnx")
    digest, name = Path(f"{graph_file}.sha256").read_text().split("  ")
    assert len(digest) == 64
    assert name == f"{graph_file.name}\n"


def test_exporting_leaves_no_trace_in_this_process(tiny_model: Path, tmp_path: Path) -> None:
    program = (
        "import os, sys, pathlib; from index.encoder import *\n"
        "before = dict(os.environ)\n"
        "open_encoder(EncoderSettings(path=pathlib.Path(sys.argv[1])), pathlib.Path(sys.argv[2]))\n"
        "assert dict(os.environ) == before\n"
        "print([name for name in ('torch', 'transformers', 'onnx') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, str(tiny_model), str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
    assert done.stderr == ""


def test_a_failed_export_says_why_and_leaves_nothing(
    tiny_variant: Callable[[dict[str, Any]], Path], tmp_path: Path
) -> None:
    config = {"model_type": "no-such-model", "hidden_size": 32, "max_position_embeddings": 96}
    folder = tiny_variant({"config.json": config})
    with pytest.raises(EncoderError, match="cannot be exported to ONNX: .*no-such-model"):
        open_encoder(EncoderSettings(path=folder), tmp_path / "cache")
    assert files_in(tmp_path / "cache") == []


def test_a_cache_folder_that_cannot_be_made_is_named(tiny_model: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EncoderError, match="cannot be written to .*file"):
        open_encoder(EncoderSettings(path=tiny_model), tmp_path / "file")


def test_leftovers_of_a_killed_export_are_removed_and_a_living_one_is_not(
    tiny_variant: Callable[[dict[str, Any]], Path], tmp_path: Path
) -> None:
    dead, living = tmp_path / "cache" / ".export-dead", tmp_path / "cache" / ".export-living"
    for folder in (dead, living):
        folder.mkdir(parents=True)
    long_ago = dead.stat().st_mtime - 2 * EXPORT_TIMEOUT
    os.utime(dead, (long_ago, long_ago))
    broken = tiny_variant({"config.json": {"hidden_size": 32, "max_position_embeddings": 96}})
    with pytest.raises(EncoderError, match="cannot be exported"):
        open_encoder(EncoderSettings(path=broken), tmp_path / "cache")
    assert files_in(tmp_path / "cache") == [".export-living"]


def test_other_weights_are_never_served_from_the_cache_of_these(
    tiny_variant: Callable[[dict[str, Any]], Path], tiny_model: Path, tiny_cache: Path
) -> None:
    from safetensors.numpy import load_file, save_file

    original = open_encoder(EncoderSettings(path=tiny_model), tiny_cache)
    folder = tiny_variant({})
    weights = load_file(folder / "model.safetensors")
    weights["embeddings.word_embeddings.weight"] = weights["embeddings.word_embeddings.weight"][::-1].copy()
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    other = open_encoder(EncoderSettings(path=folder), tiny_cache)
    assert other.fingerprint != original.fingerprint
    assert float(np.dot(other.encode_query("the agent"), original.encode_query("the agent"))) < 0.99
