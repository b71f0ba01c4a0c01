"""Running the service."""

from __future__ import annotations

import errno
import logging
import socket
import threading
from contextlib import suppress

import uvicorn

from api.app import create_app
from api.cli.output import say
from api.settings import Settings
from index.errors import AsktopicError
from index.paths import DataPaths
from rag.engine import Engine
from rag.rerank import open_reranker

logger = logging.getLogger(__name__)


class CannotListen(AsktopicError):
    """The address that the service was to listen on cannot be had."""

    code = "cannot_listen"


def run(settings: Settings) -> None:
    """Serve until interrupted. The server may start before anything is ingested.

    Raises `CannotListen` before anything is loaded if the address cannot be had.
    """
    with listen(settings.host, settings.port) as listener:
        reranker = open_reranker(settings.reranker, DataPaths(settings.data_dir).encoder)
        engine = Engine(settings.index, settings.answering, reranker=reranker, today=settings.clock)
        app = create_app(engine, allowed_origins=settings.allowed_origins)
        config = uvicorn.Config(app, log_level="info", server_header=False)
        # Beside serving, for it takes seconds over many topics, and ends with the process.
        threading.Thread(target=warm_up, args=(engine,), name="warm-up", daemon=True).start()
        say(f"asktopic: serving at {url_of(listener)}; Ctrl-C ends it")
        with suppress(KeyboardInterrupt):  # the ordinary end
            uvicorn.Server(config).run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """Open the listening socket. Connections made before the service runs wait in its queue."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        # Of a name with both, such as localhost, the IPv4 address: every client tries that one.
        family, _, _, _, address = min(found, key=lambda each: each[0] != socket.AF_INET)
        return socket.create_server(address[:2], family=family)
    except (socket.gaierror, UnicodeError):
        raise CannotListen(f"{host!r} is no host name or address that is known here; see --host") from None
    except OSError as error:
        reasons = {
            errno.EADDRINUSE: f"port {port} of {host} is in use; stop the other program or choose another "
            "with --port",
            errno.EADDRNOTAVAIL: f"{host} is no address of this machine; choose another with --host",
            errno.EACCES: f"port {port} of {host} needs more rights; choose one above 1023 with --port",
        }
        fallback = f"cannot listen on port {port} of {host}: {error.strerror}"
        raise CannotListen(reasons.get(error.errno or 0, fallback)) from None


def url_of(listener: socket.socket) -> str:
    """Return the address under which a browser on this machine finds the service."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def warm_up(engine: Engine) -> None:
    """Warm the engine up; the service answers without it, only later, so a failure is only logged."""
    try:
        engine.warm_up()
    except Exception as error:  # noqa: BLE001 - nobody waits for this thread
        logger.warning("warming up failed: %s: %s", type(error).__name__, error)
