"""Starting a measured process and asking it."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from pydantic import BaseModel

from eval.bench.peers.protocol import Batch, Timed
from index.encoder.graph_cache import OFFLINE
from index.errors import AsktopicError

START_LIMIT = 300
"""Seconds to the first answer. PyTorch takes under ten; a machine thirty times slower is stuck."""
ANSWER_LIMIT = 10
"""Seconds a question: two hundred times the slower system's median."""


class BenchError(AsktopicError):
    """A measured system could not be started, or died while it was asked."""

    code = "bench_failed"


def command(module: str, *arguments: str | Path) -> list[str]:
    """The command line that runs one of our modules in a process of its own."""
    # -P keeps the working folder off the import path, where a file of any name may lie.
    return [sys.executable, "-P", "-m", module, *map(str, arguments)]


def environment(folder: Path) -> dict[str, str]:
    """The environment of a measured process: nothing fetched, nothing reported, caches in `folder`."""
    return {
        **os.environ,
        **OFFLINE,
        "ANONYMIZED_TELEMETRY": "False",
        "HAYSTACK_TELEMETRY_ENABLED": "False",
        "HF_HOME": str(folder / "huggingface"),
        "LLAMA_INDEX_CACHE_DIR": str(folder / "llama_index"),
    }


def run_once(module: str, spec: BaseModel, folder: Path, *arguments: str) -> str:
    """Run a module to its end and return its output. Raises `BenchError` with the last line of its errors."""
    done = subprocess.run(  # noqa: S603 - our own program, arguments never seen by a shell
        command(module, _write(spec, folder), *arguments),
        env=environment(folder),
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode != 0:
        raise BenchError(f"{module} failed: {last_line(done.stderr) or f'exit status {done.returncode}'}")
    return done.stdout


def wait_or_kill(process: subprocess.Popen[str]) -> None:
    """Wait for a process that was told to end; kill it where it does not."""
    try:
        process.wait(ANSWER_LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class System:
    """A measured process. Made by its constructor, ended by `close` or the end of a `with` block.

    `start_s` is the time from starting the process to its first answer, in seconds: interpreter,
    imports, opening the index and that answer.
    """

    def __init__(self, module: str, spec: BaseModel, folder: Path, first_question: str) -> None:
        self._module = module
        self._errors: IO[str] = tempfile.TemporaryFile("w+", dir=folder, encoding="utf-8", errors="replace")  # noqa: SIM115 - closed with the process
        line = command(module, _write(spec, folder))
        started = time.perf_counter()
        self._process = subprocess.Popen(  # noqa: S603 - our own program, arguments never seen by a shell
            line,
            env=environment(folder),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            encoding="utf-8",
        )
        try:
            self._reply(Batch(questions=(first_question,)), START_LIMIT)
        except BaseException:
            self.close()
            raise
        self.start_s = time.perf_counter() - started

    def ask(self, batch: Batch) -> Timed:
        """Ask a batch. Raises `BenchError` if the process dies or takes far too long."""
        return self._reply(batch, START_LIMIT + ANSWER_LIMIT * len(batch.questions))

    def close(self) -> None:
        """End the process; once ended, do nothing."""
        if self._errors.closed:
            return
        assert self._process.stdin is not None  # both are pipes
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):  # it may be gone already
            self._process.stdin.close()  # the end of input ends the process
        wait_or_kill(self._process)
        self._process.stdout.close()
        self._errors.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _reply(self, batch: Batch, limit: float) -> Timed:
        assert self._process.stdin is not None  # both are pipes
        assert self._process.stdout is not None
        guard = threading.Timer(limit, self._process.kill)
        guard.start()
        try:
            self._process.stdin.write(batch.model_dump_json() + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            guard.cancel()
        if not line:
            self._process.wait()
            self._errors.seek(0)
            reason = last_line(self._errors.read()) or f"exit status {self._process.returncode}"
            raise BenchError(f"{self._module} ended while it was asked: {reason}")
        return Timed.model_validate_json(line)


def _write(spec: BaseModel, folder: Path) -> Path:
    with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".json", delete=False, encoding="utf-8") as file:
        file.write(spec.model_dump_json())
    return Path(file.name)


def last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
