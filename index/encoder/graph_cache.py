"""The exported graph, made once and kept beside its SHA-256."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Literal

from index.encoder.weights import CONFIG, WEIGHTS, ModelFolder
from index.errors import EncoderError

EXPORTER = "1"
"""Raised whenever `export.py` changes what it writes: graphs of other versions are not used."""

EXPORT_TIMEOUT = 900
"""Seconds. An export takes about 8 of processor time; a machine a hundred times slower is stuck."""

TEMPORARY = ".export-"

Output = Literal["states", "score"]
"""What a graph gives: a text's token states, or a classifier's one logit. `export.py` says in which form."""

# Nothing is fetched and nothing reported: the weights are local.
OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "ORT_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
}


def load_graph(model: ModelFolder, precision: str, cache_dir: Path, output: Output = "states") -> bytes:
    """The ONNX graph of `model` up to `output`, from `cache_dir` or exported into it.

    The bytes returned are the bytes hashed, at every call (15 ms for the 23 MB of int8): a graph that
    was damaged on disk, or half replaced by another process, is exported again. The weights it came
    from were verified before the export, and are not read again while it is good.

    Raises:
        EncoderError: the weights are not the expected ones, the export failed, or the cache folder
            cannot be written.
    """
    parts = (EXPORTER, precision, model.sha256[WEIGHTS], model.sha256[CONFIG])
    # Not a part of the name for states, under which graphs lie in data folders already.
    key = "\0".join(parts if output == "states" else (*parts, output))
    stem = f"{model.name}.{precision}.{hashlib.sha256(key.encode()).hexdigest()[:12]}"
    graph_file = cache_dir / f"{stem}.onnx"
    # In the format of sha256sum, so that `sha256sum --check` works on it.
    digest_file = cache_dir / f"{stem}.onnx.sha256"
    cached = _read_verified(graph_file, digest_file)
    if cached is not None:
        return cached

    model.verify(WEIGHTS, CONFIG)
    try:
        cache_dir.mkdir(parents=True, exist_ok=True)
        _remove_abandoned(cache_dir)
        with tempfile.TemporaryDirectory(dir=cache_dir, prefix=TEMPORARY) as folder:
            exported, digest = Path(folder) / graph_file.name, Path(folder) / digest_file.name
            _run_export(model.path, output, precision, exported)
            graph = exported.read_bytes()
            digest.write_text(f"{hashlib.sha256(graph).hexdigest()}  {graph_file.name}\n", encoding="ascii")
            # Two processes at once each move whole files into place; should a graph end up beside the
            # digest of another, the next opening sees it and exports once more.
            for finished, target in ((exported, graph_file), (digest, digest_file)):
                _flush(finished)
                finished.replace(target)
    except OSError as error:
        raise EncoderError(f"The graph of {model.name} cannot be written to {cache_dir}: {error}") from error
    return graph


def _read_verified(graph_file: Path, digest_file: Path) -> bytes | None:
    try:
        recorded = digest_file.read_text(encoding="ascii").split()[:1]
        graph = graph_file.read_bytes()
    except (OSError, ValueError):
        return None
    return graph if recorded == [hashlib.sha256(graph).hexdigest()] else None


def _run_export(folder: Path, output: Output, precision: str, target: Path) -> None:
    program = Path(__file__).with_name("export.py")
    # -P keeps this folder off the child's import path, where our file names could shadow modules.
    command = [
        sys.executable,
        "-P",
        "-W",
        "ignore",
        str(program),
        str(folder),
        output,
        precision,
        str(target),
    ]
    try:
        done = subprocess.run(  # noqa: S603  our own program, arguments never seen by a shell
            command,
            env={**os.environ, **OFFLINE},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=EXPORT_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise EncoderError(f"Exporting {folder} to ONNX took more than {EXPORT_TIMEOUT} s.") from None
    if done.returncode != 0 or not target.is_file():
        lines = done.stderr.strip().splitlines()
        reason = lines[-1] if lines else f"exit status {done.returncode}"
        raise EncoderError(f"{folder} cannot be exported to ONNX: {reason}")


def _flush(path: Path) -> None:
    """Bring the file to the disk, so that the name it is moved to never stands for half of it."""
    with path.open("r+b") as file:
        os.fsync(file.fileno())


def _remove_abandoned(cache_dir: Path) -> None:
    """Remove what killed exports left behind: no living one is older than its time limit."""
    for folder in cache_dir.glob(f"{TEMPORARY}*"):
        if time.time() - folder.stat().st_mtime > EXPORT_TIMEOUT:
            shutil.rmtree(folder, ignore_errors=True)
