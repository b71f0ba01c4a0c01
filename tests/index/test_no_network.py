"""Nothing leaves the machine: neither ingest nor a question connects, sends or looks up a name."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from index.records import Paper

if TYPE_CHECKING:
    from tests.index.conftest import DataFolder

CHILD = """
import json, socket, sys
from pathlib import Path

tried = []

def watch(event, arguments):
    # Whatever goes through Python's sockets; local ones are no network.
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        tried.append([event, repr(arguments)])
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        if arguments[0].family != socket.AF_UNIX:
            tried.append([event, repr(arguments[1:])])

def unroutable():
    # What native code tried too, where this runs in a network namespace without any route.
    names, values = (line.split() for line in open("/proc/self/net/snmp") if line.startswith("Ip:"))
    return int(values[names.index("OutNoRoutes")])

sys.addaudithook(watch)

from index.ingest.build import build
from index.settings import IndexSettings
from index.encoder import EncoderSettings, open_encoder
from rag.answer import AskRequest
from rag.engine import Engine

source, data, cache = map(Path, sys.argv[1:])
encoder = open_encoder(EncoderSettings(), cache)
settings = IndexSettings(data_dir=data, exact_chunks=0, scan_chunks=0)  # the question goes through Chroma too
build([source], settings, encoder=encoder)
with Engine(settings, encoder=encoder) as engine:
    answer = engine.ask(AskRequest(question="How quickly do farm batteries pay back?"))
before = {"tried": list(tried), "unroutable": unroutable(), "answered": answer.answered}

# The watch itself must work, or it would find nothing in any program.
try:
    socket.create_connection(("192.0.2.1", 9), timeout=1)  # TEST-NET-1: nobody is there
except OSError:
    pass
print(json.dumps({**before, "tried_after": len(tried), "unroutable_after": unroutable()}))
"""


def isolated() -> list[str]:
    """The command that runs another without network, where this system lets one."""
    command = ["unshare", "--map-root-user", "--net"]
    allowed = shutil.which("unshare") and subprocess.run([*command, "true"], capture_output=True, check=False)
    return command if allowed and allowed.returncode == 0 else []


def test_ingest_and_ask_connect_to_nothing(folder: DataFolder, encoder_cache: Path) -> None:
    source = folder.write(
        Paper(
            id="p1",
            title="Battery storage on farms",
            abstract="We size batteries for farms. Farm batteries pay back within six years.",
        )
    )
    isolation = isolated()
    home = folder.paths.root.parent / "home"
    home.mkdir()
    # Some libraries report nothing where they believe themselves tested, or are told so already.
    environment = {"PATH": os.environ["PATH"], "HOME": str(home)}
    run = subprocess.run(
        [*isolation, sys.executable, "-c", CHILD, str(source), str(folder.paths.root), str(encoder_cache)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=environment,
    )
    assert run.returncode == 0, run.stderr
    seen = json.loads(run.stdout)
    assert seen["answered"]
    assert seen["tried"] == []
    assert seen["tried_after"] > 0
    if isolation:
        assert seen["unroutable"] == 0
        assert seen["unroutable_after"] > 0
    # A library that means to report later has already kept an id for it.
    assert list(home.iterdir()) == []
