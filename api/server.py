"""Running the service."""

from __future__ import annotations

import uvicorn

from api.app import create_app
from api.settings import Settings
from rag.engine import Engine


def run(settings: Settings) -> None:
    """Serve until interrupted. The server may start before anything is ingested."""
    engine = Engine(settings.index, settings.answering, today=settings.clock)
    engine.warm_up()
    app = create_app(engine, allowed_origins=settings.allowed_origins)
    uvicorn.run(app, host=settings.host, port=settings.port, log_level="info", server_header=False)
