"""The address to listen on, and what happens beside serving."""

from __future__ import annotations

import logging
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from api.server import CannotListen, listen, run, url_of, warm_up
from api.settings import Settings
from index.encoder import Encoder
from index.settings import IndexSettings
from rag.engine import Engine


def test_a_free_port_is_opened_and_takes_connections_at_once() -> None:
    with listen("localhost", 0) as listener:
        port = listener.getsockname()[1]
        assert url_of(listener) == f"http://127.0.0.1:{port}"
        socket.create_connection(("127.0.0.1", port)).close()


def test_a_port_in_use_is_refused_before_anything_is_loaded(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as other:
        port = other.getsockname()[1]
        with pytest.raises(CannotListen) as refused:
            run(Settings(port=port, data_dir=tmp_path / "data"))
    assert refused.value.message == (
        f"port {port} of 127.0.0.1 is in use; stop the other program or choose another with --port"
    )
    assert list(tmp_path.iterdir()) == []


def test_the_command_serves_at_the_address_it_prints_until_it_is_interrupted(data_dir: Path) -> None:
    command = [sys.executable, "-c", "from api.cli import main; main()"]
    with subprocess.Popen(
        [*command, "serve", "--port", "0", "--data-dir", str(data_dir)], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        url = re.search(r"http://127.0.0.1:\d+", process.stderr.readline())
        assert url
        assert httpx.get(f"{url[0]}/readyz", timeout=30).json()["ready"]
        process.send_signal(signal.SIGINT)
        log = process.stderr.read()
    assert process.returncode == 0
    assert "Traceback" not in log


@pytest.mark.parametrize("host", ["", "a..b", "192.0.2.1"])
def test_an_address_that_cannot_be_had_points_to_the_flag(host: str) -> None:
    with pytest.raises(CannotListen, match="--host"):
        listen(host, 0)


def test_a_warm_up_that_fails_is_logged_and_not_fatal(
    starter_settings: IndexSettings, encoder: Encoder, caplog: pytest.LogCaptureFixture
) -> None:
    class Failing(Engine):
        def warm_up(self) -> None:
            raise RuntimeError("no memory left")

    with Failing(starter_settings, encoder=encoder) as engine, caplog.at_level(logging.WARNING):
        warm_up(engine)
    assert "warming up failed: RuntimeError: no memory left" in caplog.text
