"""An application as a real server on the loopback interface, for trials and tests that ask over HTTP."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp


@contextmanager
def serving(app: ASGIApp, port: int = 0) -> Iterator[str]:
    """Serve in a thread while a `with` block lasts; gives the base URL. Port 0 takes a free one."""
    import uvicorn

    with socket.create_server(("127.0.0.1", port)) as listener:
        # A listening socket queues connections, so nobody has to wait for the server to be up.
        config = uvicorn.Config(app, lifespan="off", log_level="critical", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            host, bound = listener.getsockname()
            yield f"http://{host}:{bound}"
        finally:
            server.should_exit = True
            thread.join()
