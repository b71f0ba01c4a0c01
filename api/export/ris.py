"""References as RIS, which reference managers import."""

from __future__ import annotations

from collections.abc import Sequence

from api.export.reference import Reference


def ris(references: Sequence[Reference]) -> str:
    return "".join(map(_entry, references))


def _entry(reference: Reference) -> str:
    date = reference.date
    kind = "GEN" if not reference.venue else "JOUR" if reference.is_journal else "CPAPER"
    lines = [
        ("TY", kind),
        ("ID", reference.id),
        ("TI", reference.title),
        *(("AU", name) for name in reference.authors),
        ("T2", reference.venue),
        ("PY", str(date.year) if date else ""),
        ("DA", f"{date:%Y/%m/%d}/" if date else ""),
        ("UR", reference.url),
        ("ER", " "),
    ]
    return "".join(f"{tag}  - {value.strip()}\r\n" for tag, value in lines if value)
