"""The service owns the engine it was given."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from unittest import mock

from api.app import create_app
from index.records import Record, Topic
from rag.engine import Engine


def test_shutting_down_closes_the_engine_and_not_before(
    engine_over: Callable[[Sequence[Record]], Engine],
) -> None:
    engine = engine_over([Topic(slug="planning", name="Planning", description="Planning looks ahead.")])
    app = create_app(engine)

    async def live() -> None:
        async with app.router.lifespan_context(app):
            close.assert_not_called()
            assert engine.readiness().ready

    with mock.patch.object(engine, "close", wraps=engine.close) as close:
        asyncio.run(live())
        close.assert_called_once_with()
