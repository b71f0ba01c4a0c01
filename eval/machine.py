"""What figures were measured on, in words."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor() -> str:
    """Name the processor and how many of it this process may use."""
    return f"{_processor_name()}, {processors()} usable"


def _processor_name() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def system() -> str:
    return f"{platform.system()} {platform.release()}, Python {platform.python_version()}"


def load() -> float:
    """Return the load average of the last minute: what else the machine was busy with."""
    return os.getloadavg()[0]


def versions(distributions: Sequence[str]) -> str:
    """Name the installed versions, leaving out what is not installed."""
    found = []
    for name in distributions:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)
