"""Several processes behind one address."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from api.server import CannotListen, at_once, listen, listen_for
from api.workers import usual_workers
from index.inference import usable_processors

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="several workers need Linux")

TELLING_ITS_PROCESS = """
import os, socket
from api.server import listen_for
from api.workers import run_workers

def serve(listener: socket.socket) -> None:
    while True:
        connection, _ = listener.accept()
        connection.sendall(str(os.getpid()).encode())
        connection.close()

listeners = listen_for(2, "127.0.0.1", 0)
print(listeners[0].getsockname()[1], flush=True)
run_workers(listeners, serve)
"""
LIMIT = 20.0
"""Seconds that anything here may take on a busy machine."""


@pytest.fixture
def watcher() -> Iterator[subprocess.Popen[str]]:
    """Two workers that tell each connection their process, and the process that watches over them."""
    command = [sys.executable, "-W", "error", "-c", TELLING_ITS_PROCESS]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


def workers_of(process: subprocess.Popen[str]) -> set[int]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return {int(worker) for worker in children.read_text().split()} if children.exists() else set()


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end, "did not happen in time"
        time.sleep(0.01)


def is_alive(process: int) -> bool:
    stat = Path(f"/proc/{process}/stat")
    with suppress(FileNotFoundError, ProcessLookupError):
        return stat.read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def port_of(process: subprocess.Popen[str]) -> int:
    assert process.stdout is not None
    return int(process.stdout.readline())


def answering(port: int, connections: int = 64) -> set[int]:
    """Return the workers that answer a number of connections."""
    found = set()
    for _ in range(connections):
        with socket.create_connection(("127.0.0.1", port), timeout=LIMIT) as connection:
            found.add(int(connection.recv(16)))
    return found


def test_connections_are_dealt_out_to_all_workers(watcher: subprocess.Popen[str]) -> None:
    # All 64 at one of two workers: once in 10^19 runs.
    assert answering(port_of(watcher)) == workers_of(watcher)
    assert len(workers_of(watcher)) == 2


def test_a_worker_that_dies_is_named_and_replaced(watcher: subprocess.Popen[str]) -> None:
    port = port_of(watcher)
    dead, left = sorted(answering(port))
    subprocess.run(["kill", "-KILL", str(dead)], check=True)
    until(lambda: len(workers_of(watcher) - {dead}) == 2)
    assert left in (found := answering(port))
    assert len(found) == 2
    watcher.terminate()
    assert watcher.wait(LIMIT) == 0
    assert watcher.stderr is not None
    assert f"worker {dead} ended with status -9; another takes its place" in watcher.stderr.read()


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_workers_end_with_the_process_that_watches_over_them(
    watcher: subprocess.Popen[str], end: signal.Signals
) -> None:
    workers = answering(port_of(watcher))
    watcher.send_signal(end)
    assert watcher.wait(LIMIT) == (-9 if end == signal.SIGKILL else 0)
    until(lambda: not any(map(is_alive, workers)))


def test_the_service_answers_in_several_processes_until_it_is_interrupted(data_dir: Path) -> None:
    command = [sys.executable, "-c", "from api.cli import main; main()", "serve", "--workers", "2"]
    with subprocess.Popen(
        [*command, "--port", "0", "--data-dir", str(data_dir)], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        url = re.search(r"http://127.0.0.1:\d+", process.stderr.readline())
        assert url
        for _ in range(8):  # a connection each
            answer = httpx.post(f"{url[0]}/v1/ask", json={"question": "What is PPO?"}, timeout=LIMIT)
            assert answer.json()["answered"]
        workers = workers_of(process)
        process.send_signal(signal.SIGINT)
        log = process.stderr.read()
    assert process.returncode == 0
    assert len(workers) == 2
    assert not any(map(is_alive, workers))
    assert "Traceback" not in log
    for worker in workers:
        assert f"Finished server process [{worker}]" in log


def test_a_port_that_workers_of_another_service_share_is_in_use() -> None:
    first, second = listen_for(2, "127.0.0.1", 0)
    with first, second:
        port = first.getsockname()[1]
        assert second.getsockname()[1] == port
        with pytest.raises(CannotListen, match="in use"):
            listen_for(2, "127.0.0.1", port)
        with pytest.raises(CannotListen, match="in use"):
            listen("127.0.0.1", port)


def test_workers_fill_the_processors_and_one_alone_answers_side_by_side() -> None:
    assert 1 <= usual_workers() <= usable_processors()
    assert at_once(usable_processors()) == 1
    if usable_processors() > 1:
        assert at_once(1) > 1
