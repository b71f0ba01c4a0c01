"""Where everything lies in the data folder; nothing is written anywhere else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class DataPaths:
    """`generation(n)` is a folder that one build fills; once the catalog names it, nobody writes in it."""

    root: Path

    @property
    def catalog(self) -> Path:
        return self.root / "catalog.sqlite"

    @property
    def answers(self) -> Path:
        return self.root / "answers.sqlite"

    @property
    def spending(self) -> Path:
        return self.root / "spending.sqlite"

    @property
    def feedback(self) -> Path:
        return self.root / "feedback.jsonl"

    @property
    def staging(self) -> Path:
        return self.root / "staging.sqlite"

    def sentence_vectors(self, fingerprint: str) -> Path:
        return self.root / f"sentence_vectors-{fingerprint}.i8"

    @property
    def lock(self) -> Path:
        return self.root / "build.lock"

    @property
    def encoder(self) -> Path:
        return self.root / "encoder"

    @property
    def generations(self) -> Path:
        return self.root / "generations"

    def generation(self, number: int) -> Path:
        return self.generations / f"{number:06d}"

    def lexical(self, number: int) -> Path:
        return self.generation(number) / "lexical"

    def chroma(self, number: int) -> Path:
        return self.generation(number) / "chroma"


def starter_folder() -> Path:
    """The small corpus that comes with the program."""
    return Path(__file__).parent / "starter"
