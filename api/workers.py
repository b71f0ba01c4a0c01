"""Several processes that serve one address, since Python runs one thread of a process at a time.

The first process opens what all of them need, forks, and then only watches over the workers. Each has a
listening socket of its own at the same address, among which Linux deals out new connections; from a
single shared socket, the worker that wakes first takes every connection that waits.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence

from index.inference import usable_processors

logger = logging.getLogger(__name__)

MOST = 4
"""Workers by default, at most: each has caches of its own, some 100 MB over 86,000 papers."""
PAUSE = 1.0
"""Seconds before a worker that died is replaced: one that cannot live is not started in a tight loop."""

_ENDING = frozenset({signal.SIGINT, signal.SIGTERM})


def usual_workers() -> int:
    """Return how many workers serve unless told otherwise: one a processor, and one without Linux."""
    if sys.platform != "linux":  # elsewhere, connections are not dealt out or processes not forked
        return 1
    return min(usable_processors(), MOST)


def run_workers(listeners: Sequence[socket.socket], serve: Callable[[socket.socket], None]) -> None:
    """Run `serve` in a process of its own for each listener, until SIGINT or SIGTERM, then wait for all.

    A worker that ends by itself is replaced; all of them end when this process is killed. Only on
    Linux. What is open in this process must bear forking: no threads, no databases.
    """
    awaited = {*_ENDING, signal.SIGCHLD}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    alive, held = os.pipe()  # closed by the system, whatever this process dies of
    # What stands now is shared with the workers as long as none of them writes to it, as collecting does.
    gc.freeze()

    def start(listener: socket.socket) -> int:
        process = os.fork()
        if process == 0:
            os.close(held)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            _work(lambda: serve(listener), alive)
        return process

    workers = {start(listener): listener for listener in listeners}
    ending = False
    while workers:
        if signal.sigwait(awaited) in _ENDING:
            # Not SIGINT, which Ctrl-C has sent to all of them: its second one cuts answers short. One that
            # hangs is ended by being told twice.
            how = signal.SIGKILL if ending else signal.SIGTERM
            ending = True
            for process in workers:
                os.kill(process, how)
        for process, status in _ended(workers):
            listener = workers.pop(process)
            if not ending:
                logger.error("worker %d ended with status %d; another takes its place", process, status)
                time.sleep(PAUSE)
                workers[start(listener)] = listener
    os.close(held)
    os.close(alive)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ended(workers: dict[int, socket.socket]) -> list[tuple[int, int]]:
    """Return the workers that have ended, with their exit status; minus the signal that ended one."""
    waited = [os.waitpid(process, os.WNOHANG) for process in workers]
    return [(process, os.waitstatus_to_exitcode(status)) for process, status in waited if process]


def _work(serve: Callable[[], None], alive: int) -> None:
    """Serve, and end this process without going back into what its parent was doing."""
    status = 1
    try:
        threading.Thread(target=_end_with_parent, args=(alive,), name="parent", daemon=True).start()
        serve()
        status = 0
    except BaseException:
        logger.exception("worker %d failed", os.getpid())
    finally:
        os._exit(status)


def _end_with_parent(alive: int) -> None:
    os.read(alive, 1)  # nothing is ever written: it returns when the other end is closed
    os.kill(os.getpid(), signal.SIGTERM)
