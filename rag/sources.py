"""How an answer names records: those that it cites, those near it, and questions that they answer."""

from __future__ import annotations

from collections.abc import Sequence

from index.records import Paper, Record
from index.snapshot import Snapshot
from rag.answer import Related, SourceRef
from rag.compose.phrases import MARKED
from rag.retrieve import Candidate

RELATED = 5
FOLLOWUPS = 3
LONGEST_NAME = 4
"""Words before a colon that name a paper: "QMIX: …", but not "Learning to walk without a map: …"."""


def source_ref(n: int, record: Record, score: float) -> SourceRef:
    """Return how an answer names a record that it cites under a number."""
    paper = record if isinstance(record, Paper) else None
    return SourceRef(
        n=n,
        id=record.id,
        kind=record.kind,
        title=record.title,
        authors=paper.authors if paper else (),
        authors_total=paper.authors_total if paper else None,
        date=record.date,
        venue=paper.venue if paper else "",
        url=record.url,
        score=round(score, 4),
    )


def related_to(snapshot: Snapshot, candidates: Sequence[Candidate], cited: set[str]) -> tuple[Related, ...]:
    """Return the nearest sources that are not cited."""
    related: dict[str, Related] = {}
    for candidate in candidates:
        record = snapshot.record_of(candidate.row)
        if record.id not in cited and record.id not in related:
            related[record.id] = Related(
                id=record.id,
                kind=record.kind,
                title=record.title,
                date=record.date,
                url=record.url,
                score=round(candidate.score, 4),
            )
        if len(related) == RELATED:
            break
    return tuple(related.values())


def followups_to(snapshot: Snapshot, candidates: Sequence[Candidate], cited: set[str]) -> tuple[str, ...]:
    """Offer questions that the index can answer: about the nearest papers not cited."""
    found: list[str] = []
    for key in dict.fromkeys(snapshot.record_key_of(candidate.row) for candidate in candidates):
        record = snapshot.record(key)
        if isinstance(record, Paper) and record.id not in cited:
            found.append(offer(record))
        if len(found) == FOLLOWUPS:
            break
    return tuple(found)


def offer(paper: Paper) -> str:
    """Offer a question about a paper, by the name that its title begins with if it has one."""
    name, colon, _ = paper.title.partition(": ")
    is_name = colon and len(name.split()) <= LONGEST_NAME
    return f"What did “{name if is_name else paper.title}” find?"


def retractions(records: Sequence[Record]) -> tuple[str, ...]:
    """Say which of the sources, in order of their numbers, have been retracted."""
    return tuple(
        MARKED["retracted"].format(n)
        for n, record in enumerate(records, start=1)
        if isinstance(record, Paper) and record.retracted
    )
