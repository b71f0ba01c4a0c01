"""Opening a graph in ONNX Runtime: one thread a run, nothing reported to anyone; how many runs at once."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from onnxruntime import InferenceSession


def open_session(
    graph: bytes, constants: Mapping[str, NDArray[np.generic]] | None = None
) -> InferenceSession:
    """Open a graph on the processor. `constants` are those that it names as external data.

    Raises what ONNX Runtime raises, which has no public base.
    """
    # From 1.29 on the Linux builds report each session to their maker and keep a device id in the home
    # folder; nothing but this variable, set before the first import, stops all of it.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()  # the Windows builds
    options = onnxruntime.SessionOptions()
    # A run stays on the thread that asked: parallelism is across texts, and two readers asking at once
    # do not wait for each other's thread pool, nor does an idle pool spin. A query is no slower for it
    # (median 1.5 ms against 1.8 with two threads; with another asking at once, 1.6 against 1.7 to 2.2).
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    # Its fused sum and layer normalisation adds up number by number; the two apart use vector
    # instructions. Processor time of a question falls by 13%, of an abstract by 12%.
    options.add_session_config_entry("optimization.disable_specified_optimizers", "SkipLayerNormFusion")
    options.log_severity_level = 3  # errors; the rest is about its own optimisations
    if constants:
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(constant) for constant in constants.values()]
        options.add_external_initializers(list(constants), values)
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    # It would keep the graph, the encoder's 23 MB, to open it again with other providers.
    session._model_bytes = None
    return session


def usable_processors() -> int:
    """Processors this process may run on: fewer than the machine's in a container."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
