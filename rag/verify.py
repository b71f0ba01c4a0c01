"""Whether a passage supports a claim, judged without a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Check = Literal["terms", "numbers", "negation", "direction", "acronyms", "hedges"]

TERMS_BAR = 0.66
"""IDF-weighted share of a claim's terms that its passages must hold."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found. `coverage` is the IDF-weighted share of the claim's terms that the passages hold, in
    [0, 1]; `failed` names the checks that spoke against it, `notes` say for each what was missing."""

    supported: bool
    coverage: float
    failed: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()


class Verifier:
    """Judges support by terms and by exact checks; it says "terms supported", never "entailed"."""

    def __init__(self, idf: Callable[[str], float], *, bar: float = TERMS_BAR) -> None:
        self._idf, self._bar = idf, bar

    def verify(self, claim: str, passages: Sequence[str]) -> Verdict:
        """Judge whether the passages, taken together, support the claim."""
        raise NotImplementedError
