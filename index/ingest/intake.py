"""First half of a build: read the sources, and find out what is new, changed, unchanged or gone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from index.ingest.progress import Progress
from index.ingest.prune import Loss, absolute, find_lost
from index.ingest.staging import Staging
from index.records import Paper, Record, Topic, title_id
from index.sources.base import Quarantined
from index.sources.detect import read
from index.stores.catalog import CatalogWriter
from index.text.repair import repair_record
from index.topics import bare_topic, labels_of

INTAKE_VERSION = "1"
"""Part of every digest: raising it makes the next ingest repair every record anew."""

R = TypeVar("R", Topic, Paper)


@dataclass(slots=True)
class Intake:
    """What was read; the counts are those of `BuildReport`.

    `removed` holds ids that the catalog has and the sources no longer do, `lost` the (record, file)
    origins to forget once that is published.
    """

    read: int = 0
    joined: int = 0
    named: int = 0
    new: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: list[str] = field(default_factory=list)
    lost: frozenset[tuple[str, str]] = frozenset()
    invisible_characters: int = 0
    quarantined: list[Quarantined] = field(default_factory=list)


@dataclass(slots=True)
class Named:
    """A topic that records or the operator name, and the files that do."""

    topic: Topic
    files: set[str] = field(default_factory=set)


def take_in(
    paths: Sequence[Path],
    catalog: CatalogWriter,
    staging: Staging,
    *,
    topic: str | None,
    prune: bool,
    progress: Progress,
) -> Intake:
    """Read all sources and stage every record that differs from what the catalog holds.

    Records with one id in one run are parts of one record where they agree on its title (a paper
    on two pages), and a clash otherwise. What `prune` removes is told in `find_lost`.
    """
    intake = Intake()
    stored = catalog.digests()
    digests: dict[str, bytes] = {}
    titles: dict[str, tuple[str, str]] = {}
    files: dict[str, set[str]] = {}
    named: dict[str, Named] = {}
    same: set[str] = set()
    progress.stage("Reading", None, "records")
    for item in (item for path in paths for item in read(path, topic)):
        if isinstance(item, Quarantined):
            intake.quarantined.append(item)
            continue
        progress.advance()
        record, digest = item.record, _digest(item.record)
        where = item.path if item.line is None else f"{item.path}:{item.line}"
        file, is_part = absolute(item.path), record.id in digests
        try:
            about = bare_topic(record.topic) if record.kind == "explainer" and record.topic else None
            if not is_part or digests[record.id] != digest:  # else the same record again
                if is_part:
                    _check_part(record, *titles[record.id])
                    digest = _join(digests[record.id], digest)
                if is_part or stored.get(record.id) != digest:
                    elsewhere = bool(catalog.origins_of(record.id) - {file})
                    staged = _stage(
                        record, digest, where, catalog, staging, intake, is_part=is_part, elsewhere=elsewhere
                    )
                    same.discard(record.id)
                    if staged == catalog.record(record.id):
                        same.add(record.id)  # though it was said in other words or in part
        except ValueError as error:  # also where nothing of it is left after repair
            intake.quarantined.append(Quarantined(item.path, item.line, str(error), record.title))
            continue
        intake.read += 1
        intake.joined += is_part
        digests[record.id] = digest
        titles.setdefault(record.id, (title_id(record.kind, record.title), where))
        files.setdefault(record.id, set()).add(file)
        if about is not None:
            named.setdefault(about.slug, Named(about)).files.add(file)

    if topic and digests:
        given = bare_topic(topic)
        named.setdefault(given.slug, Named(given)).files.update(*files.values())
    lost = Loss()
    if prune:
        lost = find_lost(catalog.origins(), files, paths, (item.path for item in intake.quarantined))
    read_records = len(digests)
    replaced = _name_topics(named, digests, files, catalog, staging, lost.records)
    intake.named = len(digests) - read_records
    catalog.add_origins((record_id, file) for record_id, found in files.items() for file in found)
    for record_id, digest in digests.items():
        if stored.get(record_id) == digest or record_id in same:
            staging.drop(record_id)
            intake.unchanged += 1
        elif record_id in stored:
            intake.changed += 1
        else:
            intake.new += 1
    intake.removed = sorted((lost.records | replaced) - digests.keys())
    intake.lost = frozenset(
        (record_id, file) for record_id, file in lost.origins if file not in files.get(record_id, ())
    )
    return intake


def restage_all(catalog: CatalogWriter, staging: Staging, removed: Iterable[str]) -> int:
    """Stage every stored record that was not just read or removed, so that it is indexed anew.

    Returns how many those are.
    """
    digests, places, gone, count = catalog.digests(), catalog.places(), set(removed), 0
    for _, record in catalog.records():
        if record.id not in staging and record.id not in gone:
            staging.put(record, digests[record.id], places[record.id])
            count += 1
    return count


def _name_topics(
    named: Mapping[str, Named],
    digests: dict[str, bytes],
    files: dict[str, set[str]],
    catalog: CatalogWriter,
    staging: Staging,
    lost: Set[str],
) -> set[str]:
    """Keep or stage a bare topic for each name that no topic answers to, and add it to `digests`.

    Whatever topic answers to a name has the naming files for origins too, so it stays as long as
    they name it. Returns the ids of stored bare topics that a topic of another slug answers for by now.
    """
    topics, stored = catalog.topics().values(), catalog.digests()
    bare = {item.slug: item for item in topics if item == Topic(slug=item.slug, name=item.name)}
    described = [item for item in topics if item.slug not in bare and item.id not in lost]
    described += [record for _, record in staging.records(kind="topic") if isinstance(record, Topic)]
    known = labels_of(described)
    for slug, wanted in named.items():
        topic_id = f"topic:{known.get(slug, slug)}"
        files.setdefault(topic_id, set()).update(wanted.files)
        if slug in known:
            continue
        if slug in bare:
            digests[topic_id] = stored[topic_id]
        else:
            digests[topic_id] = _digest(wanted.topic)
            staging.put(wanted.topic, digests[topic_id], "named by its records")
    return {item.id for slug, item in bare.items() if known.get(slug, slug) != slug}


def _stage(
    record: Record,
    digest: bytes,
    where: str,
    catalog: CatalogWriter,
    staging: Staging,
    intake: Intake,
    *,
    is_part: bool,
    elsewhere: bool,
) -> Record:
    """Repair a record, join it with what else is known of it, and stage the outcome.

    `is_part` says that another part of it was read before in this run, `elsewhere` that other files
    gave it in earlier runs.
    """
    repaired, counts = repair_record(record)
    intake.invisible_characters += counts.invisible
    other = staging.get(record.id)
    if other is None and (repaired.kind == "topic" or is_part or elsewhere):
        # A topic keeps what earlier runs said of it, and a paper what other files said. An earlier
        # part of this run is in the catalog if it was found unchanged.
        other = catalog.record(record.id)
    if isinstance(repaired, Topic) and isinstance(other, Topic):
        repaired = _merge_topics(other, repaired)
    elif isinstance(repaired, Paper) and isinstance(other, Paper):
        if is_part:
            repaired = _fill(other, repaired)
        elif title_id("paper", other.title) == title_id("paper", repaired.title):
            # The tags stay in the order they have, or two files in turn would change it each time.
            tags = tuple(dict.fromkeys((*other.tags, *repaired.tags)))
            repaired = _fill(repaired, other).model_copy(update={"tags": tags})
    staging.put(repaired, digest, where)
    return repaired


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


def _check_part(record: Record, known_title: str, first: str) -> None:
    """Raise `ValueError` if the record cannot be another part of the one read at `first`."""
    if known_title != title_id(record.kind, record.title) or record.kind == "explainer":
        raise ValueError(f"expected an id of its own; {record.id!r} already names another record at {first}")


def _digest(record: Record) -> bytes:
    body = INTAKE_VERSION + record.model_dump_json()
    return hashlib.blake2b(body.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _join(first: bytes, second: bytes) -> bytes:
    return hashlib.blake2b(first + second, digest_size=16).digest()
