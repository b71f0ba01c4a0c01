"""The service itself, started as an operator starts it, and asked by many clients over loopback."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from eval.bench import clients as clients_program
from eval.bench.clients import ClientsReport, ClientsSpec, ask_all
from eval.bench.peers.process import START_LIMIT, BenchError, environment, last_line, run_once, wait_or_kill
from eval.bench.peers.protocol import peak_mb

CLIENTS = 16
REQUESTS = 320
"""Requests a round: 20 a client, some seconds; three rounds give the 99th percentile nine values above it."""
POLL = 0.01
"""Seconds between two attempts to connect to a service that is starting: what its start may be off by."""


class Service:
    """`asktopic serve` over a data folder. Made by its constructor, ended by `close` or a `with` block.

    `start_s` is the time from starting the process to its first answer, in seconds. Settings beside the
    folder are those of the environment and of `asktopic.toml`, as for any service started here.
    """

    def __init__(self, data_dir: Path, folder: Path, topic: str, first_question: str) -> None:
        self.topic = topic
        self._folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._log: IO[str] = tempfile.TemporaryFile("w+", dir=folder, encoding="utf-8", errors="replace")  # noqa: SIM115 - closed with the process
        flags = ["--host", "127.0.0.1", "--port", str(self._port), "--data-dir", str(data_dir)]
        # By its entry point, since evaluation stands beside the command line and imports none of it.
        program = [sys.executable, "-P", "-c", "from api.cli import main; main()", "serve", *flags]
        started = time.perf_counter()
        self._process = subprocess.Popen(  # noqa: S603 - our own program, arguments never seen by a shell
            program, env=environment(folder), stdout=self._log, stderr=self._log, text=True
        )
        try:
            self._first_answer(first_question, started + START_LIMIT)
        except BaseException:
            self.close()
            raise
        self.start_s = time.perf_counter() - started

    def drive(self, questions: Sequence[str], clients: int, requests: int) -> ClientsReport:
        """Ask from another process. Raises `BenchError` if a request fails: it may not count as fast."""
        spec = self._spec(questions, clients, requests)
        report = ClientsReport.model_validate_json(run_once(clients_program.__name__, spec, self._folder))
        if report.failed:
            raise BenchError(f"the service refused {report.failed} of {requests} requests")
        return report

    def cpu_s(self) -> float | None:
        """Return the processor time of the service so far, in seconds; None where it cannot be read."""
        stat = Path(f"/proc/{self._process.pid}/stat")
        if not stat.exists():
            return None
        # The program's name, in parentheses, may hold spaces; the 14th and 15th fields are what is wanted.
        user, system = stat.read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def peak_mb(self) -> float:
        return peak_mb(str(self._process.pid))

    def close(self) -> None:
        """End the service; once ended, do nothing."""
        if self._log.closed:
            return
        self._process.terminate()
        wait_or_kill(self._process)
        self._log.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _spec(self, questions: Sequence[str], clients: int, requests: int) -> ClientsSpec:
        return ClientsSpec(
            port=self._port,
            topic=self.topic,
            questions=tuple(questions),
            clients=clients,
            requests=requests,
        )

    def _first_answer(self, question: str, until: float) -> None:
        while self._process.poll() is None and time.perf_counter() < until:
            try:
                report = asyncio.run(ask_all(self._spec([question], 1, 1)))
            except ConnectionRefusedError:
                time.sleep(POLL)
                continue
            if not report.failed:
                return
            break
        self._log.seek(0)
        raise BenchError(f"the service did not start: {last_line(self._log.read()) or 'no answer'}")


def rounds(
    service: Service,
    questions: Sequence[str],
    count: int,
    *,
    clients: int = CLIENTS,
    requests: int = REQUESTS,
) -> list[tuple[ClientsReport, float | None]]:
    """Let the clients ask in `count` rounds, after one that does not count.

    Gives for each round the clients' report and the processor time of the service meanwhile, in seconds.
    """
    service.drive(questions, clients, clients)
    found = []
    for _ in range(count):
        before = service.cpu_s()
        report = service.drive(questions, clients, requests)
        after = service.cpu_s()
        found.append((report, after - before if before is not None and after is not None else None))
    return found
