"""Running the service."""

from __future__ import annotations

import errno
import logging
import socket
import threading
from contextlib import ExitStack, suppress

import uvicorn

from api.app import ANSWERED_AT_ONCE, create_app
from api.cli.output import say
from api.opening import open_engine
from api.settings import Settings
from api.workers import run_workers, usual_workers
from index.errors import AsktopicError
from index.inference import usable_processors
from rag.engine import Engine

logger = logging.getLogger(__name__)


class CannotListen(AsktopicError):
    """The address that the service was to listen on cannot be had."""

    code = "cannot_listen"


def run(settings: Settings) -> None:
    """Serve until interrupted. The server may start before anything is ingested.

    Raises `CannotListen` before anything is loaded if the address cannot be had.
    """
    workers = settings.workers or usual_workers()
    with ExitStack() as stack:
        listeners = [stack.enter_context(each) for each in listen_for(workers, settings.host, settings.port)]
        engine = open_engine(settings)
        app = create_app(
            engine,
            allowed_origins=settings.allowed_origins,
            at_once=at_once(workers),
            keep=settings.answers.keep,
        )
        config = uvicorn.Config(app, log_level="info", server_header=False)

        def serve(listener: socket.socket) -> None:
            # Beside serving, for it takes seconds over many topics, and ends with the process.
            threading.Thread(target=warm_up, args=(engine,), name="warm-up", daemon=True).start()
            with suppress(KeyboardInterrupt):  # the ordinary end
                uvicorn.Server(config).run(sockets=[listener])

        say(f"asktopic: serving at {url_of(listeners[0])}; Ctrl-C ends it")
        if workers == 1:
            serve(listeners[0])
        else:
            run_workers(listeners, serve)


def at_once(workers: int) -> int:
    """Return how many questions each worker answers at once.

    One where workers fill the processors: a second thread would only wait for the first, at a tenth more
    processor time an answer. More where the encoder of one can run beside the Python of another.
    """
    return 1 if workers >= usable_processors() else ANSWERED_AT_ONCE


def listen_for(workers: int, host: str, port: int) -> list[socket.socket]:
    """Open a listening socket for each worker, all of them at one address."""
    listener = listen(host, port)
    if workers == 1:
        return [listener]
    # The first has found out that the port is free: sockets that share it would share it with anyone.
    with listener:
        port = listener.getsockname()[1]
    return [listen(host, port, shared=True) for _ in range(workers)]


def listen(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """Open a listening socket. Connections made before the service runs wait in its queue."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        # Of a name with both, such as localhost, the IPv4 address: every client tries that one.
        family, _, _, _, address = min(found, key=lambda each: each[0] != socket.AF_INET)
        listener = socket.create_server(address[:2], family=family, reuse_port=shared)
        # Connections take it over. Without uvloop, which sets it itself, the second packet of an answer
        # would wait 40 ms for the client to acknowledge the first.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
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
