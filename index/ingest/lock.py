"""One writer at a time: an advisory lock that the system drops when its owner dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from index.errors import IndexLocked


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock file for the block. Raises `IndexLocked`, naming the owner's pid, if it is held."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            owner = file.read().strip() or "unknown"
            raise IndexLocked(
                f"process {owner} is writing to {path.parent}; wait until it has finished, or stop it"
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


@contextmanager
def waiting(path: Path) -> Iterator[None]:
    """Hold the lock file for the block, once nobody else does."""
    with path.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
