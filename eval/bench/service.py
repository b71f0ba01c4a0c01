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

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def drive(self, questions: Sequence[str], clients: int, requests: int) -> ClientsReport:
        """Ask from another process. Raises `BenchError` if a request fails: it may not count as fast."""
        spec = self._spec(questions, clients, requests)
        report = ClientsReport.model_validate_json(run_once(clients_program.__name__, spec, self._folder))
        if report.failed:
            raise BenchError(f"the service refused {report.failed} of {requests} requests")
        return report

    def cpu_s(self) -> float | None:
        """Return the processor time of the service so far, in seconds; None where it cannot be read."""
        processes = self._processes()
        if not processes:
            return None
        ticks = 0
        for folder in processes:
            # The program's name, in parentheses, may hold spaces; wanted are the 14th and 15th fields.
            user, system = (folder / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
            ticks += int(user) + int(system)
        return ticks / os.sysconf("SC_CLK_TCK")

    def peak_mb(self) -> float:
        """Return the most memory the service can have had resident, in MB; 0 where it cannot be read.

        What its processes have now, shared pages counted once, and what each once had beyond that.
        """
        peak = 0
        for folder in self._processes():
            status = _kilobytes(folder / "status")
            peak += _kilobytes(folder / "smaps_rollup")["Pss"] + status["VmHWM"] - status["VmRSS"]
        return peak * 1_024 / 1e6

    def _processes(self) -> list[Path]:
        """Return the folders in /proc of the service and of its workers; none without /proc."""
        main = Path(f"/proc/{self._process.pid}")
        workers = main / "task" / main.name / "children"
        if not workers.exists():
            return []
        return [main, *(main.parent / worker for worker in workers.read_text(encoding="ascii").split())]

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


def _kilobytes(file: Path) -> dict[str, int]:
    """Read the lines `name: number kB` of a file in /proc."""
    lines = (line.partition(":") for line in file.read_text(encoding="utf-8", errors="replace").splitlines())
    return {name: int(value.split()[0]) for name, _, value in lines if value.endswith(" kB")}


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
