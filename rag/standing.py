"""Papers that no longer stand as they are: retracted, or superseded by a newer version found beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

from index.records import Paper, Record

Standing = Literal["", "retracted", "superseded"]
"""What a paper is marked with where it is quoted; nothing for one that stands."""

_NUMBERS = re.compile(r"\d+")


def standing_of(records: Iterable[Record]) -> dict[str, Standing]:
    """Return what to mark of the records found for one question, by id; those that stand are left out.

    A paper is superseded where another has its title and a later version ("v2" of "v1").
    """
    found: dict[str, Standing] = {}
    versions: dict[str, list[Paper]] = {}
    for record in records:
        if not isinstance(record, Paper):
            continue
        if record.retracted:
            found[record.id] = "retracted"
        elif record.version:
            versions.setdefault(record.title.casefold(), []).append(record)
    for papers in versions.values():
        newest = max(map(_version, papers))
        found.update((paper.id, "superseded") for paper in papers if _version(paper) < newest)
    return found


def _version(paper: Paper) -> tuple[int, ...]:
    return tuple(map(int, _NUMBERS.findall(paper.version)))
