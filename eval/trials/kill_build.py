"""Kill a build of real papers again and again, and see that nothing is ever lost or half shown.

    python -m eval.trials.kill_build papers.jsonl.xz --limit 5000 --kills 10

A first build makes an index of a fiftieth of the papers. Then a build of all of them runs in a
process of its own and is killed (SIGKILL) at random moments: most while it encodes, the others while
it fills its generation folder and right after its commit. After each kill, with the build dead, a
reader must find the last whole index, with the same answer as before and three stores that agree.
At the end no passage may have been encoded twice. Exits with 1 on any violation.
"""

from __future__ import annotations

import argparse
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np

from index.chunking import context_of
from index.encoder import Encoder, EncoderSettings, Passage, open_encoder
from index.fingerprint import fingerprint_of
from index.paths import DataPaths
from index.settings import IndexSettings
from index.snapshot import Snapshot
from index.sources.base import Read
from index.sources.detect import read
from index.stores.vectors import VectorStore
from rag.answer import SearchRequest
from rag.engine import Engine

QUESTION = "How can an agent learn from offline data?"
POLL_SECONDS = 0.005
BATCH_SECONDS = 3.0
FILL_SECONDS = 6.0
"""About as long as a batch of passages, and the indexes of 5,000 papers, take on two cores."""
SAMPLE = 50
"""Chunks whose vectors are computed once more at the end."""
BUILD = """
import sys
from pathlib import Path
from index.ingest.build import build
from index.settings import IndexSettings
report = build([Path(sys.argv[1])], IndexSettings.model_validate_json(sys.argv[2]))
print(report.encoded)
"""


@dataclass(frozen=True)
class Moment:
    """When to kill: `delay` seconds after a part has begun, or got to a share of all passages."""

    part: str
    share: float = 0.0
    delay: float = 0.0


@dataclass
class Trial:
    """One data folder, the sources that are built into it, and what went wrong with it."""

    settings: IndexSettings
    encoder: Encoder
    violations: list[str] = field(default_factory=list)

    @property
    def paths(self) -> DataPaths:
        return DataPaths(self.settings.data_dir)

    def start(self, source: Path) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", BUILD, str(source), self.settings.model_dump_json()]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own program

    def finish(self, source: Path) -> int:
        """Build to the end; return how many passages were encoded."""
        with self.start(source) as build:
            printed, _ = build.communicate()
        if build.returncode != 0:
            self.violations.append(f"a build that nobody killed exited with {build.returncode}")
            return 0
        return int(printed)

    def ask_catalog(self, query: str) -> int:
        """Run a query that gives one number, beside whatever build is running; 0 without a catalog."""
        uri = f"{self.paths.catalog.absolute().as_uri()}?mode=ro"
        try:
            db = sqlite3.connect(uri, uri=True)
            try:
                return int(db.execute(query).fetchone()[0] or 0)
            finally:
                db.close()
        except sqlite3.OperationalError:
            return 0

    def encoded(self) -> int:
        """Count the passages whose vectors are safe."""
        return self.ask_catalog("SELECT count(*) FROM embedded")

    def generation(self) -> int:
        return self.ask_catalog("SELECT value FROM meta WHERE name = 'generation'")

    def check(self, label: str) -> tuple[int, int, tuple[str, ...]]:
        """Read the index as any reader would: its generation, its records, and what a question finds."""
        snapshot = Snapshot(self.settings, fingerprint_of(self.encoder, self.settings))
        try:
            records = int(snapshot.catalog.rows("SELECT count(*) FROM records")[0][0])
            store = VectorStore(self.paths.chroma(snapshot.generation))
            counts = {snapshot.chunks, snapshot.lexical.documents, len(store)}
            store.close()
            if len(counts) > 1:
                self.violations.append(f"{label}: the stores hold {sorted(counts)} chunks")
            for row in range(snapshot.chunks):
                snapshot.text_of(row)  # raises where a chunk's record or field is missing
        finally:
            snapshot.close()
        with Engine(self.settings, encoder=self.encoder) as engine:
            results = engine.search(SearchRequest(query=QUESTION)).results
        found = tuple(f"{result.id} {result.score} {result.passages[0].text}" for result in results)
        return snapshot.generation, records, found


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m eval.trials.kill_build", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("papers", type=Path, help="papers in any format that can be ingested")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--limit", type=int, help="most papers to take")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="kill-build-") as root:
        violations = run(given.papers, given.kills, given.limit, given.seed, Path(root))
    for violation in violations:
        sys.stdout.write(f"VIOLATION {violation}\n")
    sys.exit(1 if violations else 0)


def run(papers: Path, kills: int, limit: int | None, seed: int, root: Path) -> list[str]:
    """Do the whole trial in `root`, printing a line for each kill; return what went wrong."""
    encoder = open_encoder(EncoderSettings(), root / "data" / "encoder")
    trial = Trial(IndexSettings(data_dir=root / "data"), encoder)
    records = list(islice(_records(papers), limit))
    first, everything = root / "first.jsonl", root / "all.jsonl"
    first.write_text("".join(records[: max(1, len(records) // 50)]), "utf-8")
    everything.write_text("".join(records), "utf-8")
    total_before = trial.finish(first)
    old = trial.check("the first index")
    _line("kill", "after", "while", "reader sees", "same answer", "encoded", "by next run")

    rng = random.Random(seed)  # noqa: S311 - moments, not secrets
    known, rows = [trial.encoded()], list[tuple[str, ...]]()
    for number, moment in enumerate(_moments(kills, rng), start=1):
        seconds, seen = _kill(trial, everything, moment, len(records))
        generation, count, found = trial.check(f"kill {number}")
        known.append(trial.encoded())
        committed = generation > old[0]
        if not committed and (generation, count, found) != old:
            trial.violations.append(f"kill {number}: the old index was not what it had been")
        if committed and count < len(set(records)):
            trial.violations.append(f"kill {number}: a new index with {count} records")
        if known[-1] < known[-2]:
            trial.violations.append(f"kill {number}: {known[-2] - known[-1]} encoded passages were lost")
        sees = f"the {'new' if committed else 'old'} index, {count} records"
        same = "its own" if committed else "yes" if found == old[2] else "NO"
        rows.append((str(number), f"{seconds:.1f} s", seen, sees, same, str(known[-1])))

    last = trial.finish(everything)
    for row, now, after in zip(rows, known[1:], [*known[2:], known[-1] + last], strict=True):
        _line(*row, str(after - now))
    generation, count, _ = trial.check("the end")
    _line("end", "", "", f"the new index, {count} records", "", str(trial.encoded()), "")
    if generation != old[0] + 1:
        trial.violations.append(f"the end: generation {generation} in place of {old[0] + 1}")
    if known[-1] + last != trial.encoded():
        trial.violations.append("the end: passages were encoded twice")
    _check_vectors(trial, rng)
    verdict = (
        "with violations" if trial.violations else "nothing lost, nothing encoded twice, all stores agree"
    )
    sys.stdout.write(f"{total_before} passages before, {trial.encoded()} after: {verdict}\n")
    return trial.violations


def _records(papers: Path) -> Iterator[str]:
    for item in read(papers):
        if isinstance(item, Read):
            yield item.record.model_dump_json() + "\n"


def _moments(kills: int, rng: random.Random) -> list[Moment]:
    """Six in ten while encoding, in order of progress; then copying, filling, and after the commit."""
    later = max(1, round(0.4 * kills))
    encoding = sorted(rng.uniform(0.02, 0.95) for _ in range(kills - later))
    parts = ["after the commit", "copying", *["filling"] * max(0, later - 2)][:later]
    return [
        *(Moment("encoding", share, rng.uniform(0, BATCH_SECONDS)) for share in encoding),
        *(Moment(part, delay=rng.uniform(0, FILL_SECONDS)) for part in reversed(parts)),
    ]


def _kill(trial: Trial, source: Path, moment: Moment, total: int) -> tuple[float, str]:
    """Start a build, kill it at the moment, and say how long it ran and what it was at."""
    target, before = trial.generation() + 1, trial.encoded()
    folder = trial.paths.generation(target)
    delay = moment.delay if moment.part in ("encoding", "filling") else 0.0
    start, since = time.time(), None

    def begun() -> bool:
        # A folder that an earlier kill left behind has not been touched since the start.
        copying = folder.exists() and folder.stat().st_ctime > start
        if moment.part == "encoding":
            return copying or trial.encoded() >= max(moment.share * total, before + 1)
        return trial.generation() == target if moment.part == "after the commit" else copying

    with trial.start(source) as build:
        while build.poll() is None and (since is None or time.time() < since + delay):
            if since is None and begun():
                since = time.time()
            time.sleep(POLL_SECONDS)
        build.send_signal(signal.SIGKILL)
        build.wait()
    seconds = time.time() - start
    if build.returncode != -signal.SIGKILL:
        trial.violations.append(f"the build ended by itself ({build.returncode}) before it could be killed")
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if folder.exists() else 0
    state = "" if moment.part == "encoding" else f", {size / 1e6:.0f} MB in its folder"
    return seconds, moment.part + state


def _check_vectors(trial: Trial, rng: random.Random) -> None:
    """Compare some stored vectors with the ones that the encoder gives now."""
    snapshot = Snapshot(trial.settings, fingerprint_of(trial.encoder, trial.settings))
    try:
        for row in rng.sample(range(snapshot.chunks), min(SAMPLE, snapshot.chunks)):
            chunk = snapshot.text_of(row)
            passage = Passage(context_of(snapshot.record_of(row), chunk), chunk.text)
            fresh = trial.encoder.encode_passages([passage])[0].whole
            if snapshot.dense.cosines(fresh, np.array([row]))[0] < 0.999:  # 8 bits keep more than that
                trial.violations.append(f"the end: chunk {chunk.id} has a vector of another text")
    finally:
        snapshot.close()


def _line(*cells: str) -> None:
    widths = (5, 8, 42, 30, 12, 8, 12)
    sys.stdout.write(
        "".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() + "\n"
    )
    sys.stdout.flush()


if __name__ == "__main__":
    main()
