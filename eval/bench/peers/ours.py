"""Our engine as a measured process: `python -m eval.bench.peers.ours SPEC`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from eval.bench.peers.documents import RESULTS
from eval.bench.peers.protocol import Ask, Found, Message, serve
from index.settings import IndexSettings
from rag.settings import AnswerSettings, RerankerSettings


class OurSpec(Message):
    """What to open and what to call. `encoder_cache` is the folder of the exported graphs."""

    call: Literal["search", "ask"]
    topic: str
    index: IndexSettings
    answering: AnswerSettings
    reranker: RerankerSettings
    encoder_cache: Path


def open_engine(spec: OurSpec) -> Ask:
    """Return a function that asks the engine."""
    from index.encoder import open_encoder
    from rag.answer import AskRequest, SearchRequest
    from rag.engine import Engine
    from rag.rerank import open_reranker

    encoder = open_encoder(spec.index.encoder, spec.encoder_cache)
    reranker = open_reranker(spec.reranker, spec.encoder_cache)
    engine = Engine(spec.index, spec.answering, encoder=encoder, reranker=reranker)

    def search(question: str) -> Found:
        response = engine.search(SearchRequest(query=question, topic=spec.topic, limit=RESULTS))
        return Found(ids=tuple(result.id for result in response.results), answered=bool(response.results))

    def ask(question: str) -> Found:
        answer = engine.ask(AskRequest(question=question, topic=spec.topic))
        # What the reader is shown: the cited sources, then the nearest others.
        shown = [*(source.id for source in answer.sources), *(related.id for related in answer.related)]
        return Found(ids=tuple(shown[:RESULTS]), answered=answer.answered)

    return search if spec.call == "search" else ask


def main() -> None:
    spec = OurSpec.model_validate_json(Path(sys.argv[1]).read_text(encoding="utf-8"))
    serve(lambda: open_engine(spec))


if __name__ == "__main__":
    main()
