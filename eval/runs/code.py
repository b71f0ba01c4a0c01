"""Which code ran: its version, and a hash that changes with any of its lines."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import Path

from eval.runs.manifest import Code

ANSWERING = ("index", "rag")
"""The packages whose code decides an answer."""


def code_identity() -> Code:
    """Identify the code that answers. A change of the evaluation's own code does not count."""
    digest = hashlib.blake2b(digest_size=8)
    root = Path(__file__).parents[2]
    for package in ANSWERING:
        for module in sorted((root / package).rglob("*.py")):
            digest.update(module.relative_to(root).as_posix().encode() + b"\0" + module.read_bytes() + b"\0")
    return Code(version=version("asktopic"), fingerprint=digest.hexdigest())
