"""A graph that reads two texts in one pass, and its tokenizer: what all classifiers of pairs share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from index.encoder.pair_architecture import PairArchitecture

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer


class PairGraph:
    """Runs a pair of texts through a classifier. Thread-safe. `room`: tokens that both may take together."""

    def __init__(
        self, architecture: PairArchitecture, session: InferenceSession, tokenizer: Tokenizer
    ) -> None:
        self.room = architecture.max_tokens - tokenizer.num_special_tokens_to_add(True)
        self._token_types = architecture.token_types
        self._session = session
        self._tokenizer = tokenizer
        # The graph asks for them where the model tells the sides of a pair apart by them.
        self._takes_types = any(each.name == "token_type_ids" for each in session.get_inputs())

    def tokens(self, text: str) -> Encoding:
        """Tokenize a text, without special tokens."""
        return self._tokenizer.encode(text, add_special_tokens=False)

    def logits(self, first: Encoding, second: Encoding) -> NDArray[np.float32]:
        """Return the logits of a pair, float32 (labels,); together the two may fill the `room`, not more."""
        pair = self._tokenizer.post_process(first, second)
        inputs = {"input_ids": np.array([pair.ids], np.int64)}
        if self._takes_types:
            types = pair.type_ids if self._token_types else [0] * len(pair)
            inputs["token_type_ids"] = np.array([types], np.int64)
        return np.asarray(self._session.run(None, inputs)[0], np.float32)
