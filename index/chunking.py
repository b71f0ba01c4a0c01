"""Fields cut into chunks: whole sentences, as few chunks as fit the encoder, of like size.

Chunks are measured in the encoder's own tokens, so nothing is ever truncated, and every chunk is
an exact slice of its field.
"""

from __future__ import annotations

import bisect
import hashlib
import itertools
import json
from typing import Annotated, Protocol

from pydantic import BaseModel, ConfigDict, Field

from index.records import Chunk, Record
from index.text.sentences import sentences

CHUNKER_VERSION = "1"
"""Part of every chunk's id: raise it when the rules here or in `index.text.sentences` change."""

_LOOK_BACK = 4
"""A sentence that must be cut is cut up to a quarter of the piece early, to end with a word."""


class ChunkSettings(BaseModel):
    """Budgets in tokens. MiniLM takes 512: two special tokens, at most 62 of title and heading, 448 of text.

    Explainers are cut finer: their passages are answers by themselves, an abstract is one thought.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    paper_tokens: Annotated[int, Field(ge=8)] = 448
    explainer_tokens: Annotated[int, Field(ge=8)] = 224


class TokenOffsets(Protocol):
    """The encoder's tokenizer: half-open code-point offsets of each token, without special tokens."""

    def __call__(self, text: str) -> list[tuple[int, int]]: ...


def chunk_record(record: Record, tokens: TokenOffsets, settings: ChunkSettings) -> list[Chunk]:
    """Cut every searchable field of a repaired record into chunks, in order.

    Each sentence lies in exactly one chunk. One that exceeds the budget alone is cut between words,
    and its pieces are given as sentences.
    """
    budget = settings.explainer_tokens if record.kind == "explainer" else settings.paper_tokens
    return [
        _chunk(record.id, field, heading, text, spans)
        for field, heading, text in record.fields()
        for spans in _groups(text, tokens(text), budget)
    ]


def context_of(record: Record, chunk: Chunk) -> str:
    """What a model reads before a chunk's text: the title, and the heading if any."""
    return f"{record.title}: {chunk.heading}" if chunk.heading else record.title


def _chunk(source_id: str, field: str, heading: str, text: str, spans: list[tuple[int, int]]) -> Chunk:
    start, end = spans[0][0], spans[-1][1]
    key = json.dumps([CHUNKER_VERSION, source_id, field, start, end, text[start:end]])
    return Chunk(
        id=hashlib.blake2b(key.encode(), digest_size=16).hexdigest(),
        source_id=source_id,
        field=field,
        start=start,
        end=end,
        text=text[start:end],
        heading=heading,
        sentences=tuple(spans),
    )


def _groups(text: str, offsets: list[tuple[int, int]], budget: int) -> list[list[tuple[int, int]]]:
    """Share sentences out to the fewest groups within `budget`, the largest as small as can be."""
    starts = [start for start, _ in offsets]
    pieces: list[tuple[int, int]] = []
    sizes: list[int] = []
    for start, end in sentences(text):
        first, last = bisect.bisect_left(starts, start), bisect.bisect_left(starts, end)
        for piece, size in _pieces(text, start, end, offsets[first:last], budget):
            pieces.append(piece)
            sizes.append(size)
    if not pieces:
        return []
    low, high = max(sizes), budget
    fewest = len(_fill(sizes, budget))
    while low < high:  # the smallest limit that needs no more groups
        middle = (low + high) // 2
        if len(_fill(sizes, middle)) > fewest:
            low = middle + 1
        else:
            high = middle
    bounds = [*_fill(sizes, low), len(pieces)]
    return [pieces[a:b] for a, b in itertools.pairwise(bounds)]


def _fill(sizes: list[int], limit: int) -> list[int]:
    """Where each group begins if groups are filled in order up to `limit` tokens."""
    begins: list[int] = []
    total = 0
    for i, size in enumerate(sizes):
        if not begins or total + size > limit:
            begins.append(i)
            total = 0
        total += size
    return begins


def _pieces(
    text: str, start: int, end: int, offsets: list[tuple[int, int]], budget: int
) -> list[tuple[tuple[int, int], int]]:
    """Cut one sentence into spans of at most `budget` tokens; most are left whole."""
    pieces: list[tuple[tuple[int, int], int]] = []
    first = 0
    while len(offsets) - first > budget:
        left = len(offsets) - first
        size = -(-left // -(-left // budget))  # an equal share, rounded up
        cut = _word_start(text, offsets, first, first + size)
        if offsets[cut][0] <= start:
            break  # several tokens on one character: nothing to cut at
        piece_end = offsets[cut][0]
        pieces.append(((start, start + len(text[start:piece_end].rstrip())), cut - first))
        first, start = cut, piece_end
    pieces.append(((start, end), len(offsets) - first))
    return pieces


def _word_start(text: str, offsets: list[tuple[int, int]], first: int, target: int) -> int:
    """The last token up to `target` that begins a word; failing that, one not inside a word."""
    earliest = target - (target - first) // _LOOK_BACK
    inside_no_word = 0
    for i in range(target, max(earliest, first + 1) - 1, -1):
        before, at = text[offsets[i][0] - 1], text[offsets[i][0]]
        if before.isspace():
            return i
        if not inside_no_word and not (before.isalnum() and at.isalnum()):
            inside_no_word = i
    return inside_no_word or target
