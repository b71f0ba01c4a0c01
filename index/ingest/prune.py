"""What pruning may remove: records that came from the given paths alone, and are no longer there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Loss:
    """(record id, file) pairs that no longer hold, and the records none of whose files is left."""

    origins: frozenset[tuple[str, str]] = frozenset()
    records: frozenset[str] = frozenset()


def find_lost(
    stored: Mapping[str, Set[str]],
    read: Mapping[str, Set[str]],
    paths: Iterable[Path],
    unreadable: Iterable[str],
) -> Loss:
    """Compare the files that gave each record before with those that gave it in this run.

    A file has lost a record if it lies at or under one of `paths` and did not give the record again.
    Nothing is lost by a file at or under one of `unreadable` (it may still hold what was not seen),
    nor by one under a path from which no record at all was read (more likely a mistake than a wish).
    A record is lost if every file that ever gave it has lost it and no other gave it now.

    Files of `stored` and `read` are absolute; the others are made so.
    """
    seen = set[str]().union(*read.values())
    around = set[str]().union(*map(_self_and_parents, seen))
    given = {absolute(path) for path in paths} & around
    spared = {absolute(path) for path in unreadable}
    files = set[str]().union(*stored.values())
    searched = {file for file in files if given & (above := _self_and_parents(file)) and not spared & above}
    origins, records = set[tuple[str, str]](), set[str]()
    for record, known in stored.items():
        lost = (known & searched) - read.get(record, set())
        origins.update((record, file) for file in lost)
        if lost == known and record not in read:
            records.add(record)
    return Loss(frozenset(origins), frozenset(records))


def absolute(path: Path | str) -> str:
    """Name a path from the root, links left as they are: a link may lead elsewhere the next time."""
    return os.path.abspath(path)  # noqa: PTH100 resolve would follow links


def _self_and_parents(file: str) -> set[str]:
    return {file, *map(str, Path(file).parents)}
