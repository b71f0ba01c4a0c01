"""How a measured process is asked: one JSON request a line in, one JSON reply a line out.

Times are taken around the call inside the measured process, so that neither pipes nor JSON count.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel, ConfigDict


class Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Found(Message):
    """What one question found: source ids, best first, and whether there was an answer."""

    ids: tuple[str, ...]
    answered: bool = True


class Batch(Message):
    """Questions to ask one after the other; the times of `warm_up` are not kept."""

    warm_up: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()


class Timed(Message):
    """The reply to a batch: times and results in the order asked, and memory so far.

    `ms` are milliseconds on the clock, `cpu_ms` those of all threads on all processors.
    """

    ms: tuple[float, ...]
    cpu_ms: tuple[float, ...]
    found: tuple[Found, ...]
    peak_mb: float


def serve(open_system: Callable[[], Callable[[str], Found]]) -> None:
    """Answer batches from standard input until it ends."""
    # Whatever a library prints must not get between the replies.
    with os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8") as replies:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        ask = open_system()
        for line in sys.stdin:
            replies.write(_timed(ask, Batch.model_validate_json(line)).model_dump_json() + "\n")
            replies.flush()


def _timed(ask: Callable[[str], Found], batch: Batch) -> Timed:
    for question in batch.warm_up:
        ask(question)
    times: list[float] = []
    cpu_times: list[float] = []
    found: list[Found] = []
    for question in batch.questions:
        cpu, started = time.process_time(), time.perf_counter()
        result = ask(question)
        times.append((time.perf_counter() - started) * 1_000)
        cpu_times.append((time.process_time() - cpu) * 1_000)
        found.append(result)
    return Timed(ms=tuple(times), cpu_ms=tuple(cpu_times), found=tuple(found), peak_mb=peak_mb())


def peak_mb() -> float:
    """Return the most memory this process has had resident, in MB of 1,000,000 bytes."""
    status = Path("/proc/self/status")
    if status.exists():
        # VmHWM begins anew with the program; ru_maxrss would carry over what the parent had.
        for line in status.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1_024 / 1e6
    unit = 1 if sys.platform == "darwin" else 1_024  # bytes there, KiB elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
