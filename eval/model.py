"""The base of everything that an evaluation writes down."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """Immutable, and strict about names: a misspelt key is a fault, not an extra."""

    model_config = ConfigDict(frozen=True, extra="forbid")
