"""First half of a build: read the sources, and find out what is new, changed, unchanged or gone."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from index.ingest.progress import Progress
from index.ingest.staging import Staging
from index.records import Paper, Record, Topic, slugify, title_id
from index.sources.base import Quarantined, Read
from index.sources.detect import read
from index.stores.catalog import CatalogWriter
from index.text.repair import repair_record
from index.topics import labels_of

INTAKE_VERSION = "1"
"""Part of every digest: raising it makes the next ingest repair every record anew."""

R = TypeVar("R", Topic, Paper)


@dataclass(slots=True)
class Intake:
    """What was read. `removed` holds ids that the catalog has and the sources no longer do."""

    read: int = 0
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: list[str] = field(default_factory=list)
    invisible_characters: int = 0
    quarantined: list[Quarantined] = field(default_factory=list)

    @property
    def usable(self) -> int:
        return self.new + self.changed + self.unchanged


def take_in(
    paths: Iterable[Path],
    catalog: CatalogWriter,
    staging: Staging,
    *,
    topic: str | None,
    prune: bool,
    progress: Progress,
) -> Intake:
    """Read all sources and stage every record that differs from what the catalog holds.

    Records with one id in one run are parts of one record where they agree on its title (a paper
    on two pages), and a clash otherwise.
    """
    intake = Intake()
    stored = catalog.digests()
    digests: dict[str, bytes] = {}
    titles: dict[str, tuple[str, str]] = {}
    named: dict[str, str] = {}
    progress.stage("Reading", None, "records")
    for item in (item for path in paths for item in read(path, topic)):
        if isinstance(item, Quarantined):
            intake.quarantined.append(item)
            continue
        intake.read += 1
        progress.advance()
        record, digest = item.record, _digest(item.record)
        if record.kind == "explainer" and record.topic:
            named.setdefault(slugify(record.topic), record.topic)
        where = item.path if item.line is None else f"{item.path}:{item.line}"
        is_part = record.id in digests
        if is_part and digests[record.id] == digest:
            continue  # the same record again
        if is_part:
            known_title, first = titles[record.id]
            if known_title != title_id(record.kind, record.title) or record.kind == "explainer":
                intake.quarantined.append(_clash(item, first))
                continue
            digest = _join(digests[record.id], digest)
        if is_part or stored.get(record.id) != digest:
            try:
                _stage(record, digest, where, catalog, staging, intake, is_part=is_part)
            except ValueError as error:  # nothing of it is left after repair
                intake.quarantined.append(Quarantined(item.path, item.line, str(error), record.title))
                continue
        digests[record.id] = digest
        titles.setdefault(record.id, (title_id(record.kind, record.title), where))

    if topic and digests:
        named.setdefault(slugify(topic), topic)
    removed = _name_topics(named, digests, catalog, staging, prune=prune)
    for record_id, digest in digests.items():
        if stored.get(record_id) == digest:
            staging.drop(record_id)
            intake.unchanged += 1
        elif record_id in stored:
            intake.changed += 1
        else:
            intake.new += 1
    if prune:
        removed |= stored.keys() - _unread(catalog, intake.quarantined)
    intake.removed = sorted(removed - digests.keys())
    return intake


def restage_all(catalog: CatalogWriter, staging: Staging, removed: Iterable[str]) -> None:
    """Stage every stored record that was not just read or removed, so that it is indexed anew."""
    digests, gone = catalog.digests(), set(removed)
    for _, record in catalog.records():
        if record.id not in staging and record.id not in gone:
            staging.put(record, digests[record.id], "stored")


def _name_topics(
    named: dict[str, str], digests: dict[str, bytes], catalog: CatalogWriter, staging: Staging, *, prune: bool
) -> set[str]:
    """Keep or stage a bare topic for each name that no topic answers to, and add it to `digests`.

    Returns the ids of stored bare topics that a topic of another slug answers for by now.
    """
    topics, stored = catalog.topics().values(), catalog.digests()
    bare = {item.slug: item for item in topics if item == Topic(slug=item.slug, name=item.name)}
    described = [item for item in topics if item.slug not in bare and (not prune or item.id in digests)]
    described += [record for _, record in staging.records(kind="topic") if isinstance(record, Topic)]
    known = labels_of(described)
    for wanted in (Topic(slug=slug, name=name) for slug, name in named.items() if slug not in known):
        if wanted.slug in bare:
            digests[wanted.id] = stored[wanted.id]
        else:
            digests[wanted.id] = _digest(wanted)
            staging.put(wanted, digests[wanted.id], "named by its records")
    return {item.id for slug, item in bare.items() if known.get(slug, slug) != slug}


def _unread(catalog: CatalogWriter, quarantined: Iterable[Quarantined]) -> set[str]:
    """Return the stored records of files that could not be read whole: they may still be in there."""
    damaged = {item.path for item in quarantined}
    unread = set()
    for record_id, origin in catalog.origins().items():
        file = Path(re.sub(r":\d+$", "", origin))
        if damaged.intersection(map(str, (file, *file.parents))):
            unread.add(record_id)
    return unread


def _stage(
    record: Record,
    digest: bytes,
    where: str,
    catalog: CatalogWriter,
    staging: Staging,
    intake: Intake,
    *,
    is_part: bool,
) -> None:
    """Repair and stage a record; `is_part` says that another part of it was read before in this run."""
    repaired, counts = repair_record(record)
    intake.invisible_characters += counts.invisible
    other = staging.get(record.id)
    if other is None and repaired.kind != "explainer":
        # A topic keeps what earlier runs said of it. A paper is what this run says, and the earlier
        # part is in the catalog only if it was found unchanged.
        other = catalog.record(record.id) if repaired.kind == "topic" or is_part else None
    if isinstance(repaired, Topic) and isinstance(other, Topic):
        repaired = _merge_topics(other, repaired)
    elif isinstance(repaired, Paper) and isinstance(other, Paper):
        repaired = _fill(other, repaired)
    staging.put(repaired, digest, where)


def _merge_topics(first: Topic, second: Topic) -> Topic:
    """Join two descriptions of a topic; the one that describes it names it, the later one on a tie."""
    base, other = (first, second) if first.description and not second.description else (second, first)
    joined = _fill(base, other)
    return joined.model_copy(update={"aliases": tuple(dict.fromkeys((*base.aliases, *other.aliases)))})


def _fill(base: R, other: R) -> R:
    """Fill the empty fields of `base` from `other`; tags are joined."""
    update: dict[str, object] = {
        name: getattr(other, name)
        for name in type(base).model_fields
        if not getattr(base, name) and getattr(other, name)
    }
    if isinstance(base, Paper) and isinstance(other, Paper):
        update["tags"] = tuple(dict.fromkeys((*base.tags, *other.tags)))
    return base.model_copy(update=update)


def _clash(item: Read, first: str) -> Quarantined:
    return Quarantined(
        item.path,
        item.line,
        f"expected an id of its own; {item.record.id!r} already names another record at {first}",
        item.record.title,
    )


def _digest(record: Record) -> bytes:
    body = INTAKE_VERSION + record.model_dump_json()
    return hashlib.blake2b(body.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _join(first: bytes, second: bytes) -> bytes:
    return hashlib.blake2b(first + second, digest_size=16).digest()
