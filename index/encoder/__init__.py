"""Text to vectors: a sentence-transformers model, run by ONNX Runtime.

settings = EncoderSettings()
encoder = open_encoder(settings, cache_dir=Path(".asktopic/encoder"))
query = encoder.encode_query("What is an off-policy method?")
"""

from index.encoder.onnx_encoder import (
    CONTEXT_TOKENS,
    Encoder,
    EncoderSettings,
    Passage,
    PassageVectors,
    open_encoder,
)

__all__ = [
    "CONTEXT_TOKENS",
    "Encoder",
    "EncoderSettings",
    "Passage",
    "PassageVectors",
    "open_encoder",
]
