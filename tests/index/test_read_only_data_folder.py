"""An account that may not write the data folder can serve it all the same."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from index.records import Paper

if TYPE_CHECKING:
    from tests.index.conftest import DataFolder

PUMP = Paper(id="pump", title="Pumps", abstract="A pump lifts water. It needs power.")
REPOSITORY = Path(__file__).parents[2]

READER = """
import os, sys
from pathlib import Path
import numpy as np
from index.errors import IndexDamaged
from index.follow import Follower
from index.ingest.lock import exclusive
from index.settings import IndexSettings
from index.stores.lexical import Scope

root, fingerprint = Path(sys.argv[1]), sys.argv[2]
assert not os.access(root, os.W_OK)
follower = Follower(IndexSettings(data_dir=root, exact_chunks=0, scan_chunks=0), fingerprint)
with follower.lease() as snapshot:
    keys, _ = snapshot.lexical.search(["pump"], Scope(), 5)
    rows, _ = snapshot.dense.search(np.ones(snapshot.dense._vectors.dimension, np.float32), None, None, 5)
    print([snapshot.record_of(int(row)).id for row in (*snapshot.rows_of_keys(keys), *rows)])
follower.close()
try:
    with exclusive(root / "build.lock"):
        pass
except IndexDamaged as error:
    print(error.message)
"""

PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2


def as_everyone() -> None:
    """Give up what lets root write where the permissions forbid it."""
    if os.getuid() == 0:
        libc = ctypes.CDLL(None)
        for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


@pytest.fixture
def shut(folder: DataFolder) -> Iterator[Path]:
    """A filled data folder that nobody may write."""
    folder.ingest(PUMP)
    entries = [folder.paths.root, *folder.paths.root.rglob("*")]
    for entry in entries:
        entry.chmod(0o555 if entry.is_dir() else 0o444)
    yield folder.paths.root
    for entry in entries:
        entry.chmod(0o755 if entry.is_dir() else 0o644)


@pytest.mark.skipif(sys.platform != "linux", reason="root is stopped by permissions on Linux only")
def test_a_folder_that_may_not_be_written_is_served_and_left_as_it_was(
    folder: DataFolder, shut: Path
) -> None:
    before = sorted(shut.rglob("*"))
    done = subprocess.run(
        [sys.executable, "-c", READER, str(shut), folder.fingerprint],
        capture_output=True,
        text=True,
        check=False,
        cwd=REPOSITORY,
        preexec_fn=as_everyone,
    )
    assert done.returncode == 0, done.stderr
    found, refused = done.stdout.splitlines()
    assert found == "['pump', 'pump']"
    assert refused.startswith(f"{shut} cannot be written (Permission denied)")
    assert sorted(shut.rglob("*")) == before
