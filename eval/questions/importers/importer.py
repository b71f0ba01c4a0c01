"""What every importer of a foreign question set is, and what they share."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from eval.questions.gathering import BadQuestionSet
from eval.questions.question import EvalQuestion, folded
from index.records import Paper, Record, title_id

TITLE_WORDS = 12
"""Words of a text that stand for a title where there is none: about the length of a paper's title."""

TITLE_LENGTH = 200
"""Most characters of a title so made, should the words be very long."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an importer found.

    `paths` are files that ingest reads as they are; `records` are documents that had to be converted.
    `split` is the part that was read, empty where the format has none.
    """

    questions: tuple[EvalQuestion, ...]
    paths: tuple[Path, ...] = ()
    records: tuple[Record, ...] = ()
    split: str = ""


class Importer(Protocol):
    """One foreign format. `name` is the format as people call it, with its looks.

    `matches` decides from names and first bytes. `read` raises `BadQuestionSet` that names every fault
    with file and line, and also where there is no such split.
    """

    name: str

    def matches(self, path: Path) -> bool: ...

    def read(self, path: Path, split: str | None) -> Imported: ...


def chosen_split(path: Path, split: str | None, known: Iterable[str], default: str) -> str:
    """Return the split to read: the one asked for, the default, or the only one there is.

    Raises `BadQuestionSet`, naming the splits, when that leaves none.
    """
    found = sorted(known)
    if split is None and default not in found and len(found) == 1:
        return found[0]
    chosen = split if split is not None else default
    if chosen not in found:
        have = f"its splits are {', '.join(found)}" if found else "it has none"
        raise BadQuestionSet(f"{path}: there is no split {chosen!r}; {have}")
    return chosen


def no_split(path: Path, split: str | None) -> None:
    """Raise `BadQuestionSet` if a split is asked of a set that is not divided."""
    if split is not None:
        raise BadQuestionSet(f"{path}: there is no split {split!r}; this set is not divided: leave split out")


def judged(grades: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return grades by source. A negative one (TREC: spam, BEIR: trec-covid) means not relevant."""
    return {source: max(0, grade) for source, grade in grades}


def opening_words(text: str) -> str:
    """Return a title made of a text's first words, with an ellipsis where there are more."""
    words = text.split()
    title = " ".join(words[:TITLE_WORDS])
    return title[:TITLE_LENGTH] + "…" * (len(words) > TITLE_WORDS or len(title) > TITLE_LENGTH)


def document(title: str, text: str) -> Paper:
    """Return a passage as a record; its id depends on title and text, so that it is ingested once.

    Raises `ValueError` where there is no text.
    """
    if not text.strip():
        raise ValueError("expected a passage with text, got an empty one")
    title = " ".join(title.split()) or opening_words(text)
    return Paper(id=title_id("passage", f"{title}\n{text}"), title=title, abstract=text)


class QuestionIds:
    """Ids for questions that have none: of the text, so that they outlast a change of order."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def next(self, text: str) -> str:
        """Return `q-` and a digest; a text that was there before gets its number behind it."""
        digest = hashlib.blake2b(folded(text).encode("utf-8", "replace"), digest_size=6).hexdigest()
        self._seen[digest] += 1
        return f"q-{digest}" if self._seen[digest] == 1 else f"q-{digest}-{self._seen[digest]}"


def category(text: str) -> str:
    """Return a category's name in one word; `general` where there is none."""
    return "_".join(text.split()).casefold()[:200] or "general"


def beside(folder: Path, stem: str) -> Path | None:
    """Return the file of this name in a folder, plain or compressed."""
    names: Sequence[str] = (stem, f"{stem}.gz", f"{stem}.xz")
    return next((folder / name for name in names if (folder / name).is_file()), None)
