"""Clients that ask a running service all at once: `python -m eval.bench.clients SPEC`.

In a process of their own, so that their processor time can be told from the service's. HTTP/1.1 over
plain sockets, kept open: a client library would take several times the processor time of this, and on
a machine of two processors it is the service that would seem slower.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from eval.bench.peers.protocol import Message


class ClientsSpec(Message):
    """`requests` questions in all, taken from `questions` round and round, by `clients` at a time."""

    host: str = "127.0.0.1"
    port: int
    path: str = "/v1/ask"
    topic: str
    questions: tuple[str, ...]
    clients: int
    requests: int


class ClientsReport(Message):
    """`ms` of every request, from the first byte sent to the last one read, in the order they ended.

    `failed` counts other answers than 200; `cpu_s` is the clients' own processor time while asking.
    """

    ms: tuple[float, ...]
    failed: int
    wall_s: float
    cpu_s: float


async def ask_all(spec: ClientsSpec) -> ClientsReport:
    """Ask everything. Raises `ConnectionError` where the service cannot be reached or hangs up."""
    requests = islice(cycle([_request(spec, question) for question in spec.questions]), spec.requests)
    ms: list[float] = []
    streams = [await asyncio.open_connection(spec.host, spec.port) for _ in range(spec.clients)]
    cpu, started = time.process_time(), time.perf_counter()
    failed = sum(await asyncio.gather(*(_client(*stream, requests, ms) for stream in streams)))
    report = ClientsReport(
        ms=tuple(ms),
        failed=failed,
        wall_s=time.perf_counter() - started,
        cpu_s=time.process_time() - cpu,
    )
    for _, writer in streams:
        writer.close()
        await writer.wait_closed()
    return report


async def _client(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, requests: Iterator[bytes], ms: list[float]
) -> int:
    """Ask one request after the other until there is none left; return how many failed."""
    failed = 0
    for request in requests:
        started = time.perf_counter()
        writer.write(request)
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(_length(head))
        except asyncio.IncompleteReadError:
            raise ConnectionError("the service hung up before it had answered") from None
        ms.append((time.perf_counter() - started) * 1_000)
        failed += not head.startswith(b"HTTP/1.1 200 ")
    return failed


def _request(spec: ClientsSpec, question: str) -> bytes:
    body = json.dumps({"question": question, "topic": spec.topic}).encode()
    head = (
        f"POST {spec.path} HTTP/1.1\r\nHost: {spec.host}:{spec.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    raise ConnectionError("the service answered without the length of its answer")


def main() -> None:
    spec = ClientsSpec.model_validate_json(Path(sys.argv[1]).read_text(encoding="utf-8"))
    print(asyncio.run(ask_all(spec)).model_dump_json())  # noqa: T201 - the report is its output


if __name__ == "__main__":
    main()
