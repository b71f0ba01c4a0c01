"""From source files to a new generation of the index.

    read → stage → chunk and encode → copy and fill a generation folder → one catalog commit → sweep

Everything before the commit is invisible to readers. A build killed before it has changed nothing
they can see, and what it encoded is kept; a build killed after it has finished but for the sweep,
which the next one does.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from index.encoder import Encoder, open_encoder
from index.errors import BadTopic
from index.fingerprint import check_fingerprint, fingerprint_of, vectors_fingerprint_of
from index.ingest.change import Change
from index.ingest.embed import embed_staged
from index.ingest.generation import check_generation, copy_generation, drop_generations, fill_generation
from index.ingest.intake import Intake, restage_all, take_in
from index.ingest.lock import exclusive
from index.ingest.progress import Progress, Silent
from index.ingest.staging import Staging
from index.paths import DataPaths
from index.settings import IndexSettings
from index.sources.base import Quarantined
from index.stores.catalog import SCHEMA_VERSION, CatalogWriter
from index.stores.sentence_vectors import SentenceVectors, SentenceVectorWriter, holds
from index.stores.sqlite import WholeCatalog
from index.topics import bare_topic


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did. `generation` is the current one afterwards, also where nothing changed.

    `read` counts the usable records in the sources; what was quarantined is counted there alone.
    `joined` of them were parts or repeats of one read before in the same run, and `named` topics came
    to be, or stayed, because a record or the operator names them:

        read - joined + named == new + changed + unchanged

    `rebuilt` counts the stored records that a rebuild indexed anew, though they had not changed.
    """

    read: int
    joined: int
    named: int
    new: int
    changed: int
    unchanged: int
    removed: int
    rebuilt: int
    encoded: int
    generation: int
    seconds: float
    invisible_characters: int
    quarantined: tuple[Quarantined, ...] = field(default=())

    @property
    def usable(self) -> int:
        return self.new + self.changed + self.unchanged


def build(
    sources: Sequence[Path],
    settings: IndexSettings,
    *,
    topic: str | None = None,
    prune: bool = False,
    rebuild: bool = False,
    encoder: Encoder | None = None,
    progress: Progress | None = None,
) -> BuildReport:
    """Bring the index up to date with the sources.

    A paper that files of earlier runs gave too keeps what they said where these say nothing; where
    both say something, the latest run wins. `topic` is given to records whose source names none.
    `prune` removes stored records that came from files at or under the given paths, and from nowhere
    else, and are no longer there. A file of which anything could not be read loses nothing, nor does
    a path that gave no record at all. `rebuild` chunks and indexes every stored record anew; vectors
    that this encoder has already made are used again.

    Raises `BadTopic` before anything is read if `topic` cannot name one, `IndexLocked` while another
    build runs, `IndexMismatch` if the index was built otherwise and `rebuild` is not set,
    `IndexDamaged` if a store cannot be read, `SourceError` if a path does not exist.
    """
    started = time.perf_counter()
    progress = progress or Silent()
    paths = DataPaths(settings.data_dir)
    if topic is not None:
        try:
            bare_topic(topic)
        except ValueError as error:
            raise BadTopic(str(error)) from None
    with exclusive(paths.lock), WholeCatalog(paths.catalog):
        encoder = encoder or open_encoder(settings.encoder, paths.encoder)
        catalog = CatalogWriter(paths.catalog)
        staging = Staging(paths.staging)
        try:
            fingerprint = fingerprint_of(encoder, settings)
            if not rebuild:
                check_fingerprint(catalog.meta.get("fingerprint"), fingerprint, settings)
            intake = take_in(sources, catalog, staging, topic=topic, prune=prune, progress=progress)
            rebuilt = restage_all(catalog, staging, intake.removed) if rebuild else 0
            encoded = 0
            if len(staging) or intake.removed:
                # A rebuild starts from an empty folder: it mends a damaged one, and vectors of another
                # encoder need not have the length of the old ones.
                base = 0 if rebuild else catalog.generation
                encoded = _publish(
                    paths, settings, catalog, staging, intake, encoder, fingerprint, base, progress
                )
            catalog.drop_origins(intake.lost)
            _sweep(paths, catalog)
            return BuildReport(
                read=intake.read,
                joined=intake.joined,
                named=intake.named,
                new=intake.new,
                changed=intake.changed,
                unchanged=intake.unchanged,
                removed=len(intake.removed),
                rebuilt=rebuilt,
                encoded=encoded,
                generation=catalog.generation,
                seconds=time.perf_counter() - started,
                invisible_characters=intake.invisible_characters,
                quarantined=tuple(intake.quarantined),
            )
        finally:
            staging.close()
            catalog.close()


def _publish(
    paths: DataPaths,
    settings: IndexSettings,
    catalog: CatalogWriter,
    staging: Staging,
    intake: Intake,
    encoder: Encoder,
    fingerprint: str,
    base: int,
    progress: Progress,
) -> int:
    vectors_name = vectors_fingerprint_of(encoder)
    vector_file = paths.sentence_vectors(vectors_name)
    committed = catalog.embedded_rows(vectors_name)
    if base == 0 and not holds(vector_file, encoder.dimension, committed):
        catalog.forget_embedded(vectors_name)
        vector_file.unlink(missing_ok=True)
        committed = 0
    writer = SentenceVectorWriter(vector_file, encoder.dimension, committed)
    try:
        encoded = embed_staged(
            staging,
            catalog,
            writer,
            encoder,
            settings.chunks,
            vectors_name,
            catalog.next_key("chunks"),
            progress,
        )
        rows = writer.rows
    finally:
        writer.close()

    change = Change(catalog, staging, intake.removed)
    number = catalog.generation + 1
    copy_generation(paths, base, number)
    fill_generation(
        paths,
        number,
        change.removed if base else [],
        change.additions(),
        change.added_count,
        SentenceVectors(vector_file, encoder.dimension, rows),
        progress,
    )
    check_generation(paths, number, change.total_chunks)
    change.commit(
        generation=str(number),
        fingerprint=fingerprint,
        schema=SCHEMA_VERSION,
        encoder=encoder.name,
        dimension=str(encoder.dimension),
        vectors=vectors_name,
        vector_rows=str(rows),
    )
    return encoded


def _sweep(paths: DataPaths, catalog: CatalogWriter) -> None:
    """Delete what no reader can need: all generations but the current and, for readers that have
    not yet moved on, the one before; vectors of other encoders.
    """
    drop_generations(paths, {catalog.generation, catalog.generation - 1})
    vectors_name = catalog.meta.get("vectors")
    if vectors_name is not None:
        catalog.forget_other_embedded(vectors_name)
        for file in paths.root.glob(paths.sentence_vectors("*").name):
            if file != paths.sentence_vectors(vectors_name):
                file.unlink()
