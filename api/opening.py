"""The engine that settings describe: one way to open it, for the service and the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index.paths import DataPaths

if TYPE_CHECKING:
    from api.settings import Settings
    from rag.engine import Engine


def open_engine(settings: Settings) -> Engine:
    """Open an engine with the models that the operator names.

    Raises `EncoderError`, naming the one that cannot be opened. Nothing is connected to.
    """
    from rag.engine import Engine
    from rag.rerank import open_reranker
    from rag.verify.entailment import open_entailment

    cache = DataPaths(settings.data_dir).encoder
    return Engine(
        settings.index,
        settings.answering,
        reranker=open_reranker(settings.reranker, cache),
        llm=settings.llm,
        entailment=open_entailment(settings.verifier, cache),
        today=settings.clock,
    )
