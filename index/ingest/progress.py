"""How a long job reports that it moves."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Receives the stages of a build. `total` is None where it is not known beforehand."""

    def stage(self, name: str, total: int | None, unit: str) -> None: ...

    def advance(self, count: int = 1) -> None: ...


class Silent:
    """Reports nothing."""

    def stage(self, name: str, total: int | None, unit: str) -> None:
        pass

    def advance(self, count: int = 1) -> None:
        pass
