"""An answer in the parts that it is told in: its sources, then piece by piece, then the whole of it.

The texts of the pieces, put together, are the text of the answer that ends them.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

from rag.answer import Answer, Citation, Related, SourceRef

# The markers and closing punctuation that may follow a cited sentence belong to it.
_AFTER_SENTENCE = re.compile(r"(?:\s*\[\d+\])*[.!?]?\s*")


@dataclass(frozen=True, slots=True)
class SourcesKnown:
    """The sources cited so far, in order of their numbers; each such part replaces the one before.

    `reading` are the sources whose sentences a model is given to write from, before it cites any.
    """

    sources: tuple[SourceRef, ...]
    reading: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """A further piece of the answer's text, with the citations that end in it."""

    text: str
    citations: tuple[Citation, ...]


AnswerPart = SourcesKnown | Piece | Answer
"""What a stream of an answer holds: first its sources, then pieces, and the whole answer as the last."""


def parts_of(answer: Answer) -> Iterator[AnswerPart]:
    """Tell an answer that is whole already sentence by sentence."""
    yield SourcesKnown(answer.sources)
    yield from cited_pieces(answer)
    yield answer


async def whole_of(parts: AsyncIterator[AnswerPart]) -> Answer:
    """Return the answer that a stream ends in."""
    answer = None
    async for part in parts:
        if isinstance(part, Answer):
            answer = part
    assert answer is not None  # a stream that has none has raised
    return answer


def cited_pieces(answer: Answer) -> Iterator[Piece]:
    """Cut the answer after each cited sentence; yield each piece with the citations that end in it.

    The pieces are not empty; put together they are the answer, and no citation is left out.
    """
    text = answer.answer
    pending = sorted(answer.citations, key=lambda citation: citation.end_index)
    start = 0
    while start < len(text):
        end = len(text)
        if pending:
            after = _AFTER_SENTENCE.match(text, pending[0].end_index)
            end = max(after.end() if after else end, start + 1)
        inside = [citation for citation in pending if citation.end_index <= end or end == len(text)]
        pending = pending[len(inside) :]
        yield Piece(text[start:end], tuple(inside))
        start = end
