"""Turns a model folder into an ONNX graph. Run as a program, in a process of its own:

    python export.py MODEL_FOLDER OUTPUT PRECISION TARGET.onnx

PyTorch and transformers cost 375 MB and seconds to import, read the environment at import, and
warn at length. In a child process all of that ends with it: a service that exports at its first start
serves without them. The program imports nothing of ours, so it runs wherever this file lies.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TRACED, CHECKED = 8, 21
"""Tokens of the example that is traced: any number serves. And of the one, clearly longer, that shows
whether the graph takes other lengths: some architectures leave the traced one in it."""
TOLERANCE = 1e-3
"""Between PyTorch and the graph, of outputs of the size of 1: float32 sums in another order differ by less
than a hundredth of it, a length left in the graph by a thousand times as much."""


def export_graph(folder: Path, output: str, precision: str, target: Path) -> None:
    """Write the graph of `folder` to `target`.

    Input `input_ids`: int64 (1, tokens), and for a score `token_type_ids`, the same, where the model tells
    a pair's sides apart by them. `output` "states": float32 (tokens, dimension), the last hidden states.
    "score": float32 (1,), the one logit of a sequence classifier. One text at a time needs no padding and so
    no attention mask; the encoder says why that is also the fastest way.

    `precision` "int8" quantises the weights of matrix products and embeddings, and the activations as
    they come. `reduce_range` keeps weights to 7 bits: processors without VNNI add pairs of products in
    16 bits and overflow with 8, so that vectors would depend on the machine. It costs 0.0016 of cosine
    with fp32 on abstracts (0.9936 for 0.9952), 0.005 of SciFact nDCG@10 (0.644 for 0.649, of the dense
    vectors alone) and no speed; unsigned 8-bit weights would not overflow either, at half the speed.
    Scales are per channel: one for a whole matrix brings the cosine down to 0.77.
    """
    import torch

    model = _load(folder, output)
    names = ["input_ids"]
    if output == "score" and (getattr(model.config, "type_vocab_size", None) or 0) > 1:
        names.append("token_type_ids")

    class Traced(torch.nn.Module):  # type: ignore[misc]  # torch is not type-checked
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
            found = self.model(**dict(zip(names, inputs, strict=True)))
            return found.last_hidden_state[0] if output == "states" else found.logits[0]

    full = target.with_suffix(".fp32.onnx")
    traced = Traced().eval()
    with torch.no_grad():
        torch.onnx.export(
            traced,
            _example(model.config, names, TRACED),
            str(full),
            dynamo=False,  # the other exporter needs onnxscript
            opset_version=17,  # the first with LayerNormalization as one operator
            input_names=names,
            output_names=[output],
            dynamic_axes={name: {1: "tokens"} for name in names}
            | ({"states": {0: "tokens"}} if output == "states" else {}),
        )
        example = _example(model.config, names, CHECKED)
        _check(full, dict(zip(names, example, strict=True)), traced(*example).numpy())
    if precision == "fp32":
        full.replace(target)
        return

    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(full, target, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    full.unlink()


def _load(folder: Path, output: str) -> Any:
    """The model, for inference. Raises `ValueError` where it has no classifier though one is asked for."""
    import torch
    from transformers import AutoModel, AutoModelForSequenceClassification

    kind = AutoModel if output == "states" else AutoModelForSequenceClassification
    # Eager attention traces to plain matrix products and a softmax, without branches on the mask.
    model, loaded = kind.from_pretrained(
        folder,
        attn_implementation="eager",
        dtype=torch.float32,
        local_files_only=True,
        use_safetensors=True,
        trust_remote_code=False,
        output_loading_info=True,
    )
    # What a file lacks is filled with random numbers. In an encoder that can only be the pooler, which
    # nothing reads; a classifier would give random scores.
    if output == "score" and loaded["missing_keys"]:
        raise ValueError(f"its weights lack {', '.join(sorted(loaded['missing_keys']))}")
    return model


def _example(config: Any, names: Sequence[str], tokens: int) -> tuple[Any, ...]:
    """A value for each input, int64 (1, tokens): different words, the second half of another type."""
    import torch

    places = torch.arange(tokens)[None]
    values = {
        # From 5 on, behind the special tokens of every common vocabulary: some models look for padding.
        "input_ids": 5 + places % max(config.vocab_size - 5, 1),
        "token_type_ids": (places >= tokens // 2).long(),
    }
    return tuple(values[name] for name in names)


def _check(graph: Path, inputs: dict[str, Any], expected: Any) -> None:
    """Raise `ValueError` unless the graph gives what the model gives, for another length than was traced."""
    import numpy as np
    from onnxruntime import InferenceSession

    session = InferenceSession(str(graph), providers=["CPUExecutionProvider"])
    (found,) = session.run(None, {name: value.numpy() for name, value in inputs.items()})
    if found.shape != expected.shape or not np.allclose(found, expected, atol=TOLERANCE, rtol=TOLERANCE):
        raise ValueError("its architecture is not supported: the exported graph gives other numbers")


if __name__ == "__main__":
    try:
        export_graph(Path(sys.argv[1]), sys.argv[2], sys.argv[3], Path(sys.argv[4]))
    except Exception as error:  # noqa: BLE001  the parent process reports it, from the last line
        sys.exit(" ".join(f"{type(error).__name__}: {error}".split()))
