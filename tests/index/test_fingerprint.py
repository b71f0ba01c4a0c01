"""An index built otherwise is refused, and a rebuild mends it without taking the old one away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from index.chunking import ChunkSettings
from index.encoder import Encoder, EncoderSettings, open_encoder
from index.errors import IndexDamaged, IndexMismatch
from index.fingerprint import fingerprint_of
from index.ingest.build import build
from index.records import Paper
from index.settings import IndexSettings
from index.snapshot import Snapshot
from index.stores.catalog import CatalogWriter
from index.stores.lexical import Scope, analyze

if TYPE_CHECKING:
    from tests.index.conftest import DataFolder

WORDS = "The pump lifts water. The valve holds it back. The tank is full by noon. "
PAPERS = [Paper(id=f"p{n}", title=f"Pump {n}", abstract=WORDS + f"It was day {n}.") for n in range(3)]


def finer(settings: IndexSettings) -> IndexSettings:
    return settings.model_copy(update={"chunks": ChunkSettings(paper_tokens=16)})


class KilledAt:
    """Stops a build as abruptly as an exception can, when it reports a stage."""

    def __init__(self, stage: str) -> None:
        self._stage = stage

    def stage(self, name: str, total: int | None, unit: str) -> None:
        if name == self._stage:
            raise KeyboardInterrupt

    def advance(self, count: int = 1) -> None:
        pass


def test_the_fingerprint_changes_with_the_encoder_and_the_chunks(folder: DataFolder) -> None:
    settings = folder.settings
    assert fingerprint_of(folder.encoder, settings) == folder.fingerprint
    assert fingerprint_of(folder.encoder, finer(settings)) != folder.fingerprint
    elsewhere = settings.model_copy(update={"data_dir": Path("elsewhere"), "memory_mb": 1})
    assert fingerprint_of(folder.encoder, elsewhere) == folder.fingerprint


def test_other_settings_are_refused_by_builds_and_readers_and_told_the_way_out(folder: DataFolder) -> None:
    folder.ingest(*PAPERS)
    other = finer(folder.settings)
    with pytest.raises(IndexMismatch, match="asktopic ingest --rebuild"):
        build([folder.source], other, encoder=folder.encoder)
    with pytest.raises(IndexMismatch, match="asktopic ingest --rebuild"):
        Snapshot(other, fingerprint_of(folder.encoder, other))
    assert folder.check().keys() == {"p0", "p1", "p2"}, "the refused build changed nothing"


def test_a_rebuild_needs_no_sources_and_changes_the_chunks(folder: DataFolder) -> None:
    folder.ingest(*PAPERS)
    before = folder.check()
    with folder.snapshot() as snapshot:
        coarse = snapshot.chunks
    folder.settings = finer(folder.settings)
    report = build([], folder.settings, rebuild=True, encoder=folder.encoder)
    assert (report.read, report.generation) == (0, 2)
    assert folder.check() == before
    with folder.snapshot() as snapshot:
        assert snapshot.chunks > coarse
    assert folder.ingest(*PAPERS).unchanged == 3


def test_a_rebuild_for_other_terms_or_chunks_uses_the_vectors_of_passages_that_stay(
    folder: DataFolder,
) -> None:
    short = Paper(id="short", title="Tap", abstract="The tap drips.")
    folder.ingest(*PAPERS, short)
    vectors = folder.vectors_file.read_bytes()
    catalog = CatalogWriter(folder.paths.catalog)
    catalog.set_meta(fingerprint="of another version of the lexical index")
    catalog.close()
    with pytest.raises(IndexMismatch):
        folder.ingest(*PAPERS, short)
    assert folder.ingest(*PAPERS, short, rebuild=True).encoded == 0
    assert folder.vectors_file.read_bytes() == vectors
    folder.check()

    folder.settings = finer(folder.settings)
    report = build([], folder.settings, rebuild=True, encoder=folder.encoder)
    with folder.snapshot() as snapshot:
        assert report.encoded == snapshot.chunks - 1, "all but the one too short to be cut"
    folder.check()


def test_a_rebuild_that_dies_leaves_the_old_index_served_and_its_work_kept(folder: DataFolder) -> None:
    folder.ingest(*PAPERS)
    other = finer(folder.settings)
    with pytest.raises(KeyboardInterrupt):
        build([], other, rebuild=True, encoder=folder.encoder, progress=KilledAt("Indexing"))
    assert folder.check().keys() == {"p0", "p1", "p2"}

    folder.settings = other
    report = build([], other, rebuild=True, encoder=folder.encoder)
    assert (report.encoded, report.generation) == (0, 2)
    folder.check()


def test_a_rebuild_with_the_same_settings_encodes_nothing_again(folder: DataFolder) -> None:
    folder.ingest(*PAPERS)
    report = folder.ingest(*PAPERS, rebuild=True)
    assert (report.unchanged, report.encoded, report.generation) == (3, 0, 2)
    folder.check()


def test_a_rebuild_takes_in_changes_and_prunes_as_well(folder: DataFolder) -> None:
    folder.ingest(*PAPERS)
    changed = PAPERS[0].model_copy(update={"abstract": "The pump broke."})
    report = folder.ingest(changed, PAPERS[1], rebuild=True, prune=True)
    assert (report.changed, report.unchanged, report.removed) == (1, 1, 1)
    assert folder.check() == {"p0": changed, "p1": PAPERS[1]}


def test_a_rebuild_with_an_encoder_of_another_precision_replaces_every_vector(
    folder: DataFolder, encoder_cache: Path
) -> None:
    folder.ingest(*PAPERS)
    folder.encoder = open_encoder(EncoderSettings(precision="fp32"), encoder_cache)
    with pytest.raises(IndexMismatch):
        folder.ingest(*PAPERS)
    report = folder.ingest(*PAPERS, rebuild=True)
    assert report.encoded == 3
    assert list(folder.paths.root.glob("*.i8")) == [folder.vectors_file], "the old ones are swept"
    folder.check()


def test_a_rebuild_mends_lost_files_of_the_current_generation(folder: DataFolder) -> None:
    folder.ingest(*PAPERS)
    for file in folder.paths.lexical(1).glob("*.term"):
        file.unlink()
    (folder.paths.chroma(1) / "chroma.sqlite3").write_bytes(b"no database")
    folder.ingest(*PAPERS, rebuild=True)
    folder.check()


def test_lost_vectors_are_noticed_by_builds_and_readers_and_made_again_by_a_rebuild(
    folder: DataFolder,
) -> None:
    folder.ingest(*PAPERS)
    vectors = folder.vectors_file
    whole = vectors.read_bytes()
    vectors.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(IndexDamaged, match=r"lost vectors.*--rebuild"), folder.snapshot():
        pass
    with pytest.raises(IndexDamaged, match=r"lost vectors.*--rebuild"):
        folder.ingest(*PAPERS, Paper(id="p9", title="Late", abstract="One more."))
    vectors.unlink()
    report = folder.ingest(*PAPERS, rebuild=True)
    assert report.encoded == 3
    assert vectors.read_bytes() == whole
    folder.check()


def test_what_is_found_does_not_depend_on_how_the_index_came_to_be(
    folder: DataFolder, tmp_path: Path, encoder: Encoder
) -> None:
    """Step by step, with removals, or at once: the same chunks, ids and cosines."""
    folder.ingest(PAPERS[2])
    folder.ingest(PAPERS[0].model_copy(update={"abstract": "Another text."}))
    folder.ingest(PAPERS[0], PAPERS[1], prune=True)
    folder.ingest(PAPERS[2])
    once = type(folder)(tmp_path / "once", encoder)
    once.source.parent.mkdir()
    once.ingest(*PAPERS)
    query = encoder.encode_query("When is the tank full?")

    def answers(of: DataFolder) -> dict[str, float]:
        with of.snapshot() as snapshot:
            rows, cosines = snapshot.dense.search(query, None, None, 10)
            keys, _ = snapshot.lexical.search(analyze("noon"), Scope(), 10)
            assert len(keys) == 3
            ids = [snapshot.text_of(int(row)).id for row in rows]
            return dict(zip(ids, cosines.tolist(), strict=True))

    assert answers(folder) == pytest.approx(answers(once), abs=1e-6)
