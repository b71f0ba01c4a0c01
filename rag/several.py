"""Several questions in one: taken apart, and their answers put together."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import partial

from rag.answer import Answer, Citation, Reason, SourceRef

MOST = 3
"""Questions answered of one request: each costs an answer."""

_MARKER = re.compile(r"\[(\d+)\]")
_ASKS = r"(?:what|which|who|whose|how|why|when|where|does|do|did|is|are|was|were|can)\b(?!,|\s+be\b)"
"""What a question opens with; "and can be read as …" and "where to edit and how, with …" ask nothing."""
_SENTENCE = re.compile(r"(?<=\?)\s+(?=\S)")
_JOINED = re.compile(rf"[,;]?\s+(?:and|and also|also)\s+(?={_ASKS}\b)", re.I)
_OPENS = re.compile(rf"^\W*(?:and\s+|also\s+)?{_ASKS}\b", re.I)
_FEWEST = 3
"""Words of a question that stands by itself."""


def parts_of_question(text: str) -> list[str]:
    """Take a text apart into the questions that it asks; one where it asks one.

    "What is PPO and how does it differ from TRPO?" asks two, "How do exploration and exploitation differ?"
    and "What is known and what is not?" one.
    """
    asked = [part.strip() for part in _SENTENCE.split(text) if part.strip()]
    found = asked if len(asked) > 1 and all(map(_is_question, asked)) else _split_at_and(text)
    if not 1 < len(found) <= MOST:
        return [text]
    return [_ended(part) for part in found]


def _split_at_and(text: str) -> list[str]:
    pieces = _JOINED.split(text.strip())
    if not all(_is_question(piece) for piece in pieces):
        return [text]
    return pieces


def _is_question(part: str) -> bool:
    return _OPENS.match(part) is not None and len(part.split()) >= _FEWEST


def _ended(part: str) -> str:
    part = part.strip(" ,;")
    part = part[0].upper() + part[1:]
    return part if part.endswith("?") else part.rstrip(".") + "?"


def combine(whole: Answer, parts: Sequence[str], answers: Sequence[Answer]) -> Answer:
    """Put the answers to the parts of a question together: a paragraph or more for each, in their order.

    `whole` gives what is of the request. Sources are numbered by first use over all. A part that was refused
    is named in the notices; where all were, the first one's reason is the answer's. The kind is "catalog"
    only where every answered part is.
    """
    given = [(part, answer) for part, answer in zip(parts, answers, strict=True) if answer.answered]
    refused = [(part, answer) for part, answer in zip(parts, answers, strict=True) if not answer.answered]
    if not given:
        return answers[0].model_copy(
            update={
                "id": whole.id,
                "question": whole.question,
                "understood": whole.understood,
                "notices": tuple(f"Not covered: {part}" for part, _ in refused),
            }
        )
    text = ""
    citations: list[Citation] = []
    sources: dict[str, SourceRef] = {}
    notices = [f"Not covered: {part} {_because(answer.reason)}".strip() for part, answer in refused]
    said: set[tuple[str, int]] = set()
    for _, answer in given:
        quoted = quoted_by(answer)
        if quoted and quoted <= said:
            continue  # the paragraph before answers this part as well
        said |= quoted
        numbers = {}
        for source in answer.sources:
            known = sources.setdefault(source.id, source.model_copy(update={"n": len(sources) + 1}))
            numbers[source.n] = known.n
        separator = "\n\n" if text else ""
        told, moved = _renumbered(answer, numbers, len(text) + len(separator))
        text += separator + told
        citations += moved
        notices += [_MARKER.sub(partial(_marker, numbers=numbers), each) for each in answer.notices]
    kinds = {answer.kind for _, answer in given}
    cited = set(sources)
    return whole.model_copy(
        update={
            "answered": True,
            "kind": "catalog" if kinds == {"catalog"} else "passage",
            "answer": text,
            "citations": tuple(citations),
            "sources": tuple(sources.values()),
            "confidence": min(answer.confidence for _, answer in given),
            "counted": next((answer.counted for _, answer in given if answer.counted), None),
            "reason": None,
            "related": tuple(
                {
                    each.id: each for answer in answers for each in answer.related if each.id not in cited
                }.values()
            )[: max(len(answer.related) for answer in answers)],
            "followups": given[-1][1].followups,
            "notices": tuple(dict.fromkeys(notices)),
        }
    )


def quoted_by(answer: Answer) -> set[tuple[str, int]]:
    """Return the sentences that an answer quotes, as (chunk id, start)."""
    return {(each.chunk_id, each.quote_start) for each in answer.citations if each.chunk_id}


def _because(reason: Reason | None) -> str:
    return reason.message if reason else ""


def _marker(match: re.Match[str], numbers: Mapping[int, int]) -> str:
    return f"[{numbers.get(int(match[1]), int(match[1]))}]"


def _renumbered(answer: Answer, numbers: dict[int, int], offset: int) -> tuple[str, list[Citation]]:
    """Write an answer's text with other numbers in its markers; move its citations along."""
    spans = [(citation.start_index, citation.end_index) for citation in answer.citations]
    text, shifts, at = "", list[tuple[int, int]](), 0
    for match in _MARKER.finditer(answer.answer):
        if any(start <= match.start() < end for start, end in spans):
            continue
        marker = _marker(match, numbers)
        text += answer.answer[at : match.start()] + marker
        at = match.end()
        shifts.append((match.end(), len(marker) - len(match[0])))
    text += answer.answer[at:]

    def moved(place: int) -> int:
        return offset + place + sum(change for end, change in shifts if end <= place)

    return text, [
        citation.model_copy(
            update={
                "n": numbers[citation.n],
                "start_index": moved(citation.start_index),
                "end_index": moved(citation.end_index),
            }
        )
        for citation in answer.citations
    ]


def id_of(whole: str, parts: Sequence[Answer]) -> str:
    """Name the answer by the question and by the answers that it is put together from."""
    named = "\0".join((whole, *(answer.id for answer in parts)))
    return "ans-" + hashlib.blake2b(named.encode(), digest_size=10).hexdigest()
