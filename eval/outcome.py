"""What a system made of one question."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from eval.model import Model
from rag.answer import Answer


class Ranked(Model):
    """A source in a ranking; the order of the ranking counts, not the score."""

    id: str
    title: str = ""
    score: float


class Outcome(Model):
    """One question's ranking and answer, or what went wrong.

    `ranked` are the sources that retrieval alone found, best first, each once. `answer` is None where
    asking failed; `error` then says why, for a person. `ask_ms` is the wall time of asking as the caller
    saw it, in milliseconds.
    """

    question_id: str
    ranked: tuple[Ranked, ...] = ()
    answer: Answer | None = None
    error: Annotated[str, Field(description="empty if nothing went wrong")] = ""
    ask_ms: float | None = None
    search_ms: float | None = None
