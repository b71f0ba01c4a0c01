"""The engine's retrieval as a LlamaIndex retriever, for use in any LlamaIndex pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeRelationship, NodeWithScore, RelatedNodeInfo, TextNode

from rag.answer import Filters, SearchRequest

if TYPE_CHECKING:
    from llama_index.core.schema import QueryBundle

    from rag.engine import Engine


class AsktopicRetriever(BaseRetriever):  # type: ignore[misc]  # llama-index is not followed
    """Retrieves passages as nodes with exact character offsets.

    A node's id is the chunk id; `start_char_idx` and `end_char_idx` are its span in the field named
    by `metadata["field"]`; `metadata["source_id"]` names the paper or explainer.

        retriever = AsktopicRetriever(engine, topic="RL", limit=10)
        nodes = retriever.retrieve("How is reward hacking avoided?")
    """

    def __init__(
        self,
        engine: Engine,
        topic: str | None = None,
        filters: Filters | None = None,
        limit: int = 10,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._engine, self._topic, self._limit = engine, topic, limit
        self._filters = filters or Filters()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        request = SearchRequest(
            query=query_bundle.query_str, topic=self._topic, filters=self._filters, limit=self._limit
        )
        return [
            NodeWithScore(
                node=TextNode(
                    id_=passage.chunk_id,
                    text=passage.text,
                    start_char_idx=passage.start,
                    end_char_idx=passage.end,
                    metadata={
                        "source_id": result.id,
                        "title": result.title,
                        "kind": result.kind,
                        "field": passage.field,
                    },
                    relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id=result.id)},
                ),
                score=passage.score,
            )
            for result in self._engine.search(request).results
            for passage in result.passages
        ]
