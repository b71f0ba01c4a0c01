"""An answer as the statements it makes, each with what is cited for it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from index.text.sentences import sentences
from rag.answer import Answer, Citation
from rag.compose.phrases import lead_ins
from rag.facts.telling import CONNECTING

_MARKERS = re.compile(r"(?:\s*\[\d+\])+")
_WORDS = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an answer with the citations that stand on it: `answer[start:end] == text`."""

    text: str
    start: int
    end: int
    citations: tuple[Citation, ...]


def statements_of(answer: Answer | None) -> tuple[Statement, ...]:
    """Split an answer into statements, in order: each cited span, and each sentence outside of them.

    Citations of the same span belong to one statement. Markers and connecting phrases, which state nothing,
    are no part of a statement; nor is what introduces a cited source, if it is that and no word more. A
    refusal makes none.
    """
    if answer is None or not answer.answered:
        return ()
    spans: dict[tuple[int, int], list[Citation]] = {}
    for citation in answer.citations:
        spans.setdefault((citation.start_index, citation.end_index), []).append(citation)
    found = [
        Statement(answer.answer[start:end], start, end, tuple(citations))
        for (start, end), citations in spans.items()
    ]
    # What is cited, a marker or a connecting phrase is blanked, so that offsets stay.
    rest = answer.answer
    for phrase in CONNECTING:
        rest = rest.replace(phrase, "\n" * len(phrase))
    introduced = _lead_in_spans(answer)
    for start, end in (*spans, *introduced, *(match.span() for match in _MARKERS.finditer(answer.answer))):
        rest = rest[:start] + "\n" * (end - start) + rest[end:]
    found += [
        Statement(answer.answer[start:end], start, end, ())
        for start, end in sentences(rest)
        if _WORDS.search(rest[start:end])
    ]
    return tuple(sorted(found, key=lambda statement: statement.start))


def _lead_in_spans(answer: Answer) -> list[tuple[int, int]]:
    """Find what introduces a citation's source: one of its forms, whole, on a line's beginning."""
    sources = {source.n: source for source in answer.sources}
    found = []
    for citation in answer.citations:
        before = answer.answer[: citation.start_index]
        line = before[before.rfind("\n") + 1 :]
        source = sources.get(citation.n)
        if line and source and line in lead_ins(answer, source):
            found.append((citation.start_index - len(line), citation.start_index))
    return found
