"""`GET /healthz` (the process is alive) and `GET /readyz` (it can answer)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from fastapi import APIRouter
from pydantic import BaseModel

from api.problems import NotReady
from rag.answer import Readiness

if TYPE_CHECKING:
    from rag.engine import Engine


class Alive(BaseModel):
    status: Literal["alive"] = "alive"
    version: str


def health_routes(engine: Engine) -> APIRouter:
    """For load balancers and supervisors. Neither reads a record; the first does not even need a thread."""
    router = APIRouter(tags=["health"])

    @router.head("/healthz", include_in_schema=False)
    @router.get("/healthz", summary="Alive")
    async def healthz() -> Alive:
        return Alive(version=engine.version)

    @router.head("/readyz", include_in_schema=False)
    @router.get("/readyz", summary="Ready to answer")
    def readyz() -> Readiness:
        return require_ready(engine.readiness())

    return router


def require_ready(readiness: Readiness) -> Readiness:
    """Return `readiness`, or raise `NotReady` with its message."""
    if not readiness.ready:
        raise NotReady(readiness.message or "The index is not ready. Run `asktopic doctor` to see why.")
    return readiness
