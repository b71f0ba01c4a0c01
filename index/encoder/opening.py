"""Opening the two running parts of a model folder: its graph and its tokenizer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from index.encoder.graph_cache import Output, load_graph
from index.encoder.weights import TOKENIZER, ModelFolder
from index.errors import EncoderError
from index.inference import open_session

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer


def open_graph(model: ModelFolder, precision: str, cache_dir: Path, output: Output) -> InferenceSession:
    """Open the graph of `model` in ONNX Runtime; the first time, export it into `cache_dir`.

    Raises:
        EncoderError: it cannot be exported, written or opened.
    """
    graph = load_graph(model, precision, cache_dir, output)
    try:
        return open_session(graph)
    except Exception as error:  # its exceptions have no public base
        raise EncoderError(f"ONNX Runtime cannot open the graph of {model.name}: {error}") from error


def open_tokenizer(model: ModelFolder) -> Tokenizer:
    """Open the tokenizer of `model`, which neither pads nor cuts.

    Raises:
        EncoderError: it is not the expected file, or cannot be read.
    """
    from tokenizers import Tokenizer

    model.verify(TOKENIZER)
    file = model.path / TOKENIZER
    try:
        tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # it raises Exception itself
        raise EncoderError(f"{file} cannot be read: {error}") from error
    # Such files ask for padding and truncation, settings of the model's training.
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
