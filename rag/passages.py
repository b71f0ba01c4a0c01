"""Chunks read for answering: their quotable sentences, with all about them that no question changes."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass

from index.lexical import analyze
from index.records import Chunk, Record
from index.snapshot import Snapshot
from rag.findings import finding_score, holds_measure

CACHED_PASSAGES = 2_048
"""Passages kept read: some 25 MB at ten sentences each."""
MIN_WORDS, MAX_CHARACTERS = 4, 700
"""Shorter is a fragment; longer is a table or a list that slipped through."""

# Text that would be taken for a marker, a link, an image or markup where the answer is rendered.
_ACTIVE = re.compile(
    r"\[\s*\^?\d+(\s*[,–-]\s*\d+)*\s*\]|\]\s*\(|!\[|<[a-zA-Z/!]|^\s*(#|>|```|[-*+]\s|\d+[.)]\s)|`|\*\*"
)
_ADDRESS = re.compile(r"https?://|www\.|\bgithub\.com\b|\bproject page\b|\bcode (is|are|will be) available\b")
_ANAPHORIC = re.compile(
    r"^(it|its|this|these|those|they|their|such|he|she|both|here|then|instead|moreover|furthermore|additionally"
    r"|in addition|also|but|however|therefore|thus|hence|consequently|as a result|for this|to this end"
    r"|in contrast"
    r"|on the other hand|nevertheless|yet|that|the (former|latter)|another|finally|second|third|similarly)\b",
    re.I,
)
_DEFINES = re.compile(
    r"\b(is|are|refers? to|means?|denotes?|consists? of|describes?)\b"
    r"|\b(happens?|occurs?|arises?) when\b"
    r"|\b(introduce[sd]?|present[s]?|propose[sd]?|called|known as|named)\b",
    re.I,
)


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """A quotable sentence of a chunk.

    `start` and `end` are its half-open span in the field, `text` the characters there. `order` is
    its number in the chunk and `place` the same as a share, from 0, the first, to 1, the last.
    `subject` holds the terms before the verb of a sentence that defines something, None elsewhere.
    `dangling` says that it opens with a word that only the sentence before explains.
    """

    order: int
    place: float
    start: int
    end: int
    text: str
    terms: frozenset[str]
    subject: frozenset[str] | None
    finding: float
    measures: bool
    dangling: bool


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """A chunk, its record, the terms of its title and heading, and its quotable sentences."""

    record: Record
    chunk: Chunk
    context: frozenset[str]
    sentences: tuple[Sentence, ...]


class PassageReader:
    """Reads passages of one snapshot, keeping those read last. Thread-safe."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.read: Callable[[int], Passage] = functools.lru_cache(CACHED_PASSAGES)(self._read)

    def _read(self, row: int) -> Passage:
        return read_passage(self._snapshot.record_of(row), self._snapshot.text_of(row))


def read_passage(record: Record, chunk: Chunk) -> Passage:
    """Take a chunk of a record apart into its quotable sentences."""
    sentences = []
    last = max(len(chunk.sentences) - 1, 1)
    for order, (start, end) in enumerate(chunk.sentences):
        text = chunk.text[start - chunk.start : end - chunk.start]
        if is_quotable(text):
            verb = _DEFINES.search(text)
            sentences.append(
                Sentence(
                    order=order,
                    place=order / last,
                    start=start,
                    end=end,
                    text=text,
                    terms=frozenset(analyze(text)),
                    subject=frozenset(analyze(text[: verb.start()])) if verb else None,
                    finding=finding_score(text),
                    measures=holds_measure(text),
                    dangling=_ANAPHORIC.match(text) is not None,
                )
            )
    context = frozenset(analyze(f"{record.title} {chunk.heading}"))
    return Passage(record, chunk, context, tuple(sentences))


def is_quotable(text: str) -> bool:
    """Whether a sentence can stand in an answer as it is: whole, and free of anything active."""
    return (
        len(text.split()) >= MIN_WORDS
        and len(text) <= MAX_CHARACTERS
        and not _ACTIVE.search(text)
        and not _ADDRESS.search(text.lower())
        and text[-1] in '.!?)”"’'
    )
