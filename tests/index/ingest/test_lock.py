"""One build at a time, and none locked out by a dead one."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from index.errors import IndexLocked
from index.ingest.lock import exclusive, waiting
from index.records import Paper

if TYPE_CHECKING:
    from tests.index.conftest import DataFolder

HOLDER = """
import sys
import threading
from pathlib import Path
from index.ingest.lock import exclusive, waiting

with exclusive(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def hold(path: Path) -> subprocess.Popen[str]:
    """Start a process that holds the lock until its standard input is closed."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def test_a_build_beside_another_is_refused_and_told_the_others_pid(folder: DataFolder) -> None:
    with hold(folder.paths.lock) as holder:
        with pytest.raises(IndexLocked, match=f"process {holder.pid} is writing to .*data; wait"):
            folder.ingest(Paper(id="p", title="T"))
        holder.communicate()
    assert not folder.paths.catalog.exists()
    folder.ingest(Paper(id="p", title="T"))


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    path = tmp_path / "build.lock"
    with hold(path) as holder:
        holder.kill()
    with exclusive(path):
        assert path.read_text() == str(os.getpid())


def test_a_lock_is_held_against_the_same_process_too_and_freed_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "new" / "build.lock"
    with exclusive(path), pytest.raises(IndexLocked, match=str(os.getpid())), exclusive(path):
        pass
    with exclusive(path):
        pass


def test_one_may_wait_for_its_turn_instead(tmp_path: Path) -> None:
    path, order = tmp_path / "store.lock", list[str]()

    def second() -> None:
        with waiting(path):
            order.append("second")

    with hold(path) as holder:
        waiter = threading.Thread(target=second)
        waiter.start()
        order.append("first")
        holder.communicate()
        waiter.join()
    assert order == ["first", "second"]
