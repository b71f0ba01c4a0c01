"""Holding a measurement to the same few processors, wherever it runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from eval import machine

PROCESSORS = 2
"""Processors that a run uses of those there are: what the service is made for."""


@contextmanager
def pinned(most: int = PROCESSORS) -> Iterator[int]:
    """Keep this thread, and the processes it starts, to the first `most` processors.

    Gives how many those are. Does nothing where the system cannot do it.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield machine.processors()
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[:most])
    try:
        yield machine.processors()
    finally:
        os.sched_setaffinity(0, before)
