"""One request to the liar and what became of it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from eval.trials.lying.script import Asked, Script

End = Literal["told", "abandoned"]


@dataclass(eq=False)
class Exchange:
    """A request, what was told, and how it ended.

    `attempt` counts how often the same was asked of the same model, from 1. `end` is none while it lasts,
    "told" when all that was to be said has been, "abandoned" when the client left before.
    """

    model: str
    asked: Asked
    script: Script
    body: Mapping[str, Any]
    attempt: int
    end: End | None = None
    _ended: threading.Event = field(default_factory=threading.Event)

    def close(self, end: End) -> None:
        """Note how it ended; what ended once stays so."""
        self.end = self.end or end
        self._ended.set()

    def wait(self, seconds: float) -> End | None:
        """Wait until it has ended, from another thread than the server's; return how."""
        self._ended.wait(seconds)
        return self.end

    @property
    def streamed(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def wants_usage(self) -> bool:
        """Whether a stream should end with a chunk that holds the usage, as the protocol has it."""
        options = self.body.get("stream_options") or {}
        return not self.streamed or bool(options.get("include_usage"))
