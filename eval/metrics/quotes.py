"""What stands in the sources where an answer's citations point."""

from __future__ import annotations

from dataclasses import dataclass

from eval.case import Case, Run
from rag.answer import Citation


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement and its cited passages, one a citation; None where the quote does not stand."""

    text: str
    passages: tuple[str | None, ...]


def passage_at(citation: Citation, run: Run) -> str | None:
    """Return what the source holds between the citation's offsets, whatever its quote says.

    None where there is no such source, field or span.
    """
    source = run.sources.get(citation.source_id)
    # A title may be quoted without being among the fields that are searched.
    title = source.title if source and citation.field == "title" else None
    text = run.field_text(citation.source_id, citation.field) or title
    # Checked, because a slice with a negative or a far offset gives another text, not an error.
    if text is None or not 0 <= citation.quote_start < citation.quote_end <= len(text):
        return None
    return text[citation.quote_start : citation.quote_end]


def stored_quote(citation: Citation, run: Run) -> str | None:
    """Return the quote if the source holds it, character for character, where the citation says."""
    passage = passage_at(citation, run)
    return passage if passage == citation.quote else None


def claims_of(case: Case, run: Run) -> list[Claim]:
    """Return the statements of an answer with the passages that are cited for them."""
    return [
        Claim(statement.text, tuple(stored_quote(citation, run) for citation in statement.citations))
        for statement in case.statements
    ]
