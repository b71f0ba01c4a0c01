"""Turns a model folder into an ONNX graph. Run as a program, in a process of its own:

    python export.py MODEL_FOLDER PRECISION TARGET.onnx

PyTorch and transformers cost 375 MB and seconds to import, read the environment at import, and
warn at length. In a child process all of that ends with it: a service that exports at its first start
serves without them. The program imports nothing of ours, so it runs wherever this file lies.
"""

from __future__ import annotations

import sys
from pathlib import Path


def export_graph(folder: Path, precision: str, target: Path) -> None:
    """Write the graph of `folder` to `target`.

    Input `input_ids`: int64 (1, tokens). Output `states`: float32 (tokens, dimension), the last hidden
    states. One text at a time needs no padding and so no attention mask; the encoder says why that is
    also the fastest way.

    `precision` "int8" quantises the weights of matrix products and embeddings, and the activations as
    they come. `reduce_range` keeps weights to 7 bits: processors without VNNI add pairs of products in
    16 bits and overflow with 8, so that vectors would depend on the machine. It costs 0.0016 of cosine
    with fp32 on abstracts (0.9936 for 0.9952), 0.005 of SciFact nDCG@10 (0.644 for 0.649, of the dense
    vectors alone) and no speed; unsigned 8-bit weights would not overflow either, at half the speed.
    Scales are per channel: one for a whole matrix brings the cosine down to 0.77.
    """
    import torch
    from transformers import AutoModel

    # Eager attention traces to plain matrix products and a softmax, without branches on the mask.
    model = AutoModel.from_pretrained(
        folder,
        attn_implementation="eager",
        dtype=torch.float32,
        local_files_only=True,
        use_safetensors=True,
        trust_remote_code=False,
    ).eval()

    class LastHiddenState(torch.nn.Module):  # type: ignore[misc]  # torch is not type-checked
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: torch.Tensor) -> torch.Tensor:
            return self.model(input_ids=input_ids).last_hidden_state[0]

    full = target.with_suffix(".fp32.onnx")
    # Any length serves to trace; the axis is declared dynamic.
    example = torch.ones((1, 8), dtype=torch.long)
    with torch.no_grad():
        torch.onnx.export(
            LastHiddenState(),
            (example,),
            str(full),
            dynamo=False,  # the other exporter needs onnxscript
            opset_version=17,  # the first with LayerNormalization as one operator
            input_names=["input_ids"],
            output_names=["states"],
            dynamic_axes={"input_ids": {1: "tokens"}, "states": {0: "tokens"}},
        )
    if precision == "fp32":
        full.replace(target)
        return

    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(full, target, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    full.unlink()


if __name__ == "__main__":
    try:
        export_graph(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
    except Exception as error:  # noqa: BLE001  the parent process reports it, from the last line
        sys.exit(" ".join(f"{type(error).__name__}: {error}".split()))
