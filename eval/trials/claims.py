"""Claims that people wrote, with the evidence that people marked for or against them, and with other papers'.

SciFact in BEIR layout with human evidence.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from index.sources.opening import open_stream

_LONGEST_LINE = 1_000_000

Label = Literal["SUPPORT", "CONTRADICT"]
Split = Literal["train", "test"]


@dataclass(frozen=True, slots=True)
class Source:
    """A paper's title and the sentences of its abstract."""

    title: str
    sentences: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """Title and abstract, as the context of a sentence of theirs."""
        return (self.title, " ".join(self.sentences))


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim, the sentences of a source that people marked, and another paper drawn at random."""

    claim: str
    evidence: tuple[str, ...]
    source: Source
    other: Source


def read_sources(folder: Path) -> Mapping[str, Source]:
    """Map the ids of a folder's corpus to its papers."""
    file = next(file for file in sorted(folder.iterdir()) if file.name.startswith("corpus.jsonl"))
    return {row["_id"]: Source(row.get("title", ""), tuple(row["sentences"])) for row in read_rows(file)}


def judged_claims(
    folder: Path, sources: Mapping[str, Source], split: Split, label: Label, seed: int
) -> Iterator[JudgedClaim]:
    """Yield each claim with each paper that people marked evidence in."""
    ids, chance = sorted(sources), Random(seed)  # noqa: S311
    for judged in read_rows(folder / "evidence.jsonl"):
        for document, evidence in judged["evidence"].items():
            if judged["split"] != split or evidence["label"] != label:
                continue
            source = sources[document]
            numbers = sorted({number for group in evidence["sentences"] for number in group})
            # A few of the numbers point behind the abstract's end.
            marked = tuple(source.sentences[n] for n in numbers if n < len(source.sentences))
            other = chance.choice([each for each in ids if each != document])
            if marked:
                yield JudgedClaim(judged["claim"], marked, source, sources[other])


def nearest_others(
    sources: Sequence[Source], encode: Callable[[str], NDArray[np.float32]], shortest: int
) -> Iterator[tuple[str, str, Source]]:
    """Yield each sentence with the one most like it, by cosine, of another paper, and that paper.

    `encode` maps a text to its unit vector. Sentences under `shortest` characters are headings.
    """
    rows = [
        (number, sentence)
        for number, source in enumerate(sources)
        for sentence in source.sentences
        if len(sentence) >= shortest
    ]
    owners = np.array([number for number, _ in rows])
    vectors = np.stack([encode(sentence) for _, sentence in rows])
    for row, (number, sentence) in enumerate(rows):
        likeness = np.where(owners == number, -1.0, vectors @ vectors[row])
        nearest = int(likeness.argmax())
        # What two papers have word for word, such as who paid for them, both support.
        if rows[nearest][1] != sentence:
            yield sentence, rows[nearest][1], sources[owners[nearest]]


def read_rows(file: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON Lines file, compressed or not."""
    with open_stream(file) as stream:
        while line := stream.readline(_LONGEST_LINE):
            yield json.loads(line)
