"""A build killed at any moment leaves the last whole index in place, and its finished work is kept."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from index.encoder import Encoder
from index.records import Paper, Record
from index.stores.catalog import CatalogWriter

if TYPE_CHECKING:
    from tests.index.conftest import DataFolder

# Runs a build and counts what happens in each of its parts: calls of Python and native functions.
# With a part and a number it kills itself, with no chance to clean up, when that part's count reaches
# the number, or at the part's end if it does not. Without, it reports the counts.
CHILD = """
import json, os, signal, sys
from pathlib import Path

import index.ingest.embed, index.ingest.generation
from index.ingest.build import build
from index.encoder import EncoderSettings, open_encoder
from index.settings import IndexSettings

source, data, cache = map(Path, sys.argv[1:4])
part, number = sys.argv[4], int(sys.argv[5])
index.ingest.embed.BATCH = 16  # small, so that a small corpus has several batches to be killed between
index.ingest.generation.VECTOR_BATCH = 40
PARTS = {
    ("intake", "take_in"): "read",
    ("embed", "embed_staged"): "encode",
    ("change", "__init__"): "compare",
    ("generation", "copy_generation"): "copy",
    ("generation", "fill_generation"): "fill",
    ("generation", "check_generation"): "check",
    ("change", "commit"): "commit",
    ("build", "_sweep"): "sweep",
}
now, counts = "start", {}

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def watch(frame, event, argument):
    global now
    if event == "call":
        entered = PARTS.get((Path(frame.f_code.co_filename).stem, frame.f_code.co_name))
        if entered:
            if now == part:
                die()
            now = entered
    counts[now] = counts.get(now, 0) + 1
    if now == part and counts[now] == number:
        die()

encoder = open_encoder(EncoderSettings(), cache)
if part not in ("read", "encode", "compare", "copy"):
    # Imported beforehand, or nearly all of "fill" would be their import.
    import chromadb
    from llama_index.vector_stores.chroma import ChromaVectorStore
sys.setprofile(watch)
build([source], IndexSettings(data_dir=data), prune=True, encoder=encoder)
sys.setprofile(None)
if now == part:
    die()
print(json.dumps(counts))
"""

PARTS = ("read", "encode", "compare", "copy", "fill", "check", "commit", "sweep")
"""Where the builds here are killed, once each; further tests kill two of them again."""

TOPICS = ("pumps", "valves", "tanks", "filters", "gauges")


def paper(n: int, edition: int = 1) -> Paper:
    rng = random.Random(f"{n} {edition}")
    text = (
        f"Unit {n} joins {rng.choice(TOPICS)} to {rng.choice(TOPICS)}. It ran for {rng.randint(10, 99)} days."
    )
    return Paper(id=f"p{n}", title=f"Unit {n}", abstract=text)


OLD = [paper(n) for n in range(40)]
NEW = [*OLD[:20], *(paper(n, edition=2) for n in range(20, 30)), *(paper(n) for n in range(100, 180))]
TO_ENCODE = 90
"""Ten papers changed and 80 are new, each a passage."""


@dataclass(frozen=True)
class Start:
    """An index of the old papers, and how much happens in each part of the build of the new ones."""

    folder: DataFolder
    counts: dict[str, int]
    cache: Path

    def run(
        self, folder: DataFolder, part: str = "none", number: int = 0
    ) -> subprocess.CompletedProcess[str]:
        source = folder.write(*NEW)
        arguments = map(str, (source, folder.paths.root, self.cache, part, number))
        return subprocess.run(
            [sys.executable, "-c", CHILD, *arguments],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def copy(self, to: Path) -> DataFolder:
        folder = type(self.folder)(to, self.folder.encoder)
        folder.source = self.folder.source  # what another file gave would not be pruned
        shutil.copytree(self.folder.paths.root, folder.paths.root)
        return folder


@pytest.fixture(scope="module")
def start(
    data_folder: type[DataFolder],
    encoder: Encoder,
    encoder_cache: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Start:
    folder = data_folder(tmp_path_factory.mktemp("killed"), encoder)
    folder.ingest(*OLD)
    start = Start(folder, {}, encoder_cache)
    whole = start.run(start.copy(tmp_path_factory.mktemp("whole")))
    assert whole.returncode == 0, whole.stderr
    counts = json.loads(whole.stdout)
    assert counts.keys() >= set(PARTS)
    return Start(folder, counts, encoder_cache)


def remembered(folder: DataFolder) -> int:
    """Count the passages whose vectors are safe, beyond those of the old papers."""
    catalog = CatalogWriter(folder.paths.catalog)
    try:
        return int(catalog.db.execute("SELECT count(*) FROM embedded").fetchone()[0]) - len(OLD)
    finally:
        catalog.close()


def by_id(papers: list[Paper]) -> dict[str, Record]:
    return {item.id: item for item in papers}


@pytest.mark.parametrize(("nth", "part"), list(enumerate(PARTS)))
def test_after_a_kill_readers_see_a_whole_index_and_the_next_build_finishes(
    start: Start, tmp_path: Path, nth: int, part: str
) -> None:
    folder = start.copy(tmp_path)
    number = random.Random(nth).randint(1, start.counts[part])
    killed = start.run(folder, part, number)
    assert killed.returncode == -signal.SIGKILL, killed.stderr

    seen = folder.check()
    if part == "sweep":
        assert seen == by_id(NEW)
    elif part == "commit":
        assert seen in (by_id(OLD), by_id(NEW))
    else:
        assert seen == by_id(OLD)
    done = remembered(folder)
    if part not in ("read", "encode"):
        assert done == TO_ENCODE

    report = folder.ingest_files(folder.source, prune=True)
    assert report.encoded + done == TO_ENCODE
    assert (report.generation, report.usable, report.quarantined) == (2, len(NEW), ())
    assert folder.check() == by_id(NEW)
    assert not folder.paths.staging.exists()
    assert sorted(entry.name for entry in folder.paths.generations.iterdir()) == ["000001", "000002"]
    vectors = folder.vectors_file
    with folder.snapshot() as snapshot:
        rows = int(snapshot.catalog.meta["vector_rows"])
    assert vectors.stat().st_size == rows * folder.encoder.dimension, "no torn row is left behind"


def test_kills_one_after_another_each_leave_more_done(start: Start, tmp_path: Path) -> None:
    folder = start.copy(tmp_path)
    done = [0]
    for share in (0.5, 0.7):
        start.run(folder, "encode", int(start.counts["encode"] * share))
        done.append(remembered(folder))
        assert folder.check() == by_id(OLD)
    assert done == sorted(set(done)), "every run got further"
    assert done[-1] < TO_ENCODE
    report = folder.ingest_files(folder.source, prune=True)
    assert report.encoded + done[-1] == TO_ENCODE
    assert folder.check() == by_id(NEW)


def test_a_first_build_that_is_killed_leaves_no_index_and_its_work(
    start: Start, data_folder: type[DataFolder], tmp_path: Path
) -> None:
    folder = data_folder(tmp_path, start.folder.encoder)
    assert start.run(folder, "fill", 200).returncode == -signal.SIGKILL
    with pytest.raises(Exception, match="no build has finished"), folder.snapshot():
        pass
    report = folder.ingest_files(folder.source)
    assert (report.encoded, report.new, report.generation) == (0, len(NEW), 1)
    assert folder.check() == by_id(NEW)
