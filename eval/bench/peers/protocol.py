"""How a measured process is asked: one JSON request a line in, one JSON reply a line out.

Times are taken around the call inside the measured process, so that neither pipes nor JSON count.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class Message(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Found(Message):
    """What one question found: source ids, best first, and whether there was an answer."""

    ids: tuple[str, ...]
    answered: bool = True


Ask = Callable[[str], Found]


class Batch(Message):
    """Questions to ask; the times of `warm_up` are not kept.

    With one thread they are asked one after the other, with more as a server would: each thread takes
    the next question when it is done with its last.
    """

    warm_up: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    threads: int = Field(default=1, ge=1)


class Timed(Message):
    """The reply to a batch: times and results in the order asked, and memory so far.

    `ms` are milliseconds on the clock, `cpu_ms` those of all threads on all processors (of one thread
    only: several would count each other's), `wall_s` the seconds from the first question to the last.
    """

    ms: tuple[float, ...]
    cpu_ms: tuple[float, ...]
    wall_s: float
    found: tuple[Found, ...]
    peak_mb: float


def serve(open_system: Callable[[], Ask]) -> None:
    """Answer batches from standard input until it ends."""
    # Whatever a library prints must not get between the replies.
    with os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8") as replies:
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        ask = open_system()
        for line in sys.stdin:
            replies.write(_timed(ask, Batch.model_validate_json(line)).model_dump_json() + "\n")
            replies.flush()


def _timed(ask: Ask, batch: Batch) -> Timed:
    for question in batch.warm_up:
        ask(question)

    def timed(question: str) -> tuple[float, float, Found]:
        cpu, started = time.process_time(), time.perf_counter()
        result = ask(question)
        return (time.perf_counter() - started) * 1_000, (time.process_time() - cpu) * 1_000, result

    started = time.perf_counter()
    if batch.threads == 1:
        replies = [timed(question) for question in batch.questions]
    else:
        with ThreadPoolExecutor(batch.threads) as pool:
            replies = list(pool.map(timed, batch.questions))
    return Timed(
        ms=tuple(ms for ms, _, _ in replies),
        cpu_ms=tuple(cpu for _, cpu, _ in replies) if batch.threads == 1 else (),
        wall_s=time.perf_counter() - started,
        found=tuple(found for _, _, found in replies),
        peak_mb=peak_mb(),
    )


def peak_mb(process: str = "self") -> float:
    """Return the most memory a process has had resident, in MB of 1,000,000 bytes.

    `process` is a process id; only on Linux can another than the own be asked about, elsewhere it is 0.
    """
    status = Path(f"/proc/{process}/status")
    if status.exists():
        # VmHWM begins anew with the program; ru_maxrss would carry over what the parent had.
        for line in status.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1_024 / 1e6
    if process != "self":
        return 0.0
    unit = 1 if sys.platform == "darwin" else 1_024  # bytes there, KiB elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6
