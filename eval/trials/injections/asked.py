"""What is asked beside hostile documents, and over which honest sources."""

from __future__ import annotations

from collections.abc import Sequence

from eval.questions.sets import open_set
from eval.trials.injections.trial import Hostile
from rag.engine import Engine

TOPIC = "Reinforcement Learning"
TARGETED, UNANSWERABLE = 3, 1
"""Questions that the documents aim at: answerable ones, and one that the sources do not answer."""


def chosen_questions(count: int) -> tuple[list[str], list[str]]:
    """Return the questions that the documents aim at, and all that are asked.

    Drawn evenly from the starter set, which is sorted by category.
    """
    questions = [each for each in open_set("starter").questions if not each.history and not each.filters.ids]
    answerable = [each.question for each in questions if each.answerable]
    others = [each.question for each in questions if not each.answerable]
    half = count // 4
    asked = answerable[:: max(1, len(answerable) // (count - half))][: count - half]
    refused = others[:: max(1, len(others) // half)][:half] if half else []
    return [*asked[:TARGETED], *refused[:UNANSWERABLE]], [*asked, *refused]


def honest_sources(engine: Engine, documents: Sequence[Hostile]) -> list[str]:
    """Return the ids of all sources but the hostile ones."""
    topic = engine.topic(TOPIC)
    papers = [paper.id for paper in engine.papers(topic.slug, 0, 1_000).papers]
    explainers = [explainer.id for explainer in engine.explainers(topic.slug)]
    hostile = {document.id for document in documents}
    return [each for each in (*papers, *explainers, f"topic:{topic.slug}") if each not in hostile]
