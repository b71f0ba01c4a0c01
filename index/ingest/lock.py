"""One writer at a time: an advisory lock that the system drops when its owner dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from index.errors import IndexDamaged, IndexLocked


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock file for the block.

    Raises `IndexLocked`, naming the owner's pid, if it is held, and `IndexDamaged` where the folder
    cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        opened = path.open("a+")
    except OSError as error:
        raise IndexDamaged(
            f"{path.parent} cannot be written ({error.strerror}); ingest from an account that may"
        ) from error
    with opened as file:
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
