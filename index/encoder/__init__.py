"""Text to vectors, and pairs of texts to scores: local models, run by ONNX Runtime.

settings = EncoderSettings()
encoder = open_encoder(settings, cache_dir=Path(".asktopic/encoder"))
query = encoder.encode_query("What is an off-policy method?")
"""

from index.encoder.cross_encoder import CrossEncoder, open_cross_encoder
from index.encoder.entailment import Entailment, EntailmentModel, open_entailment_model
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
    "CrossEncoder",
    "Encoder",
    "EncoderSettings",
    "Entailment",
    "EntailmentModel",
    "Passage",
    "PassageVectors",
    "open_cross_encoder",
    "open_encoder",
    "open_entailment_model",
]
