"""What readers thought of answers, one JSON object a line, as `asktopic eval make feedback` reads it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from index.errors import AsktopicError
from rag.answer import Answer

LONGEST_COMMENT = 1_000
"""Code points of a comment."""

FeedbackReason = Literal["wrong", "incomplete", "off_topic", "unclear"]


class FeedbackNotKept(AsktopicError):
    """The data folder cannot be written."""

    code = "feedback_not_kept"
    status = 503


class Feedback(BaseModel):
    """A reader's word on an answer that is kept."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    answer_id: Annotated[str, Field(min_length=1, max_length=100)]
    helpful: bool
    reasons: tuple[FeedbackReason, ...] = ()
    comment: Annotated[str, Field(max_length=LONGEST_COMMENT)] = ""


def write_feedback(path: Path, feedback: Feedback, answer: Answer) -> None:
    """Append a line that says what was asked, what answered it, and what the reader thought.

    Nothing tells who the reader is. Raises `FeedbackNotKept`.
    """
    line = {
        "question": answer.question,
        "topic": answer.topic,
        "helpful": feedback.helpful,
        "reasons": feedback.reasons,
        "comment": feedback.comment,
        "answer": {"id": answer.id, "sources": [source.id for source in answer.sources]},
        "filters": answer.understood.filters.model_dump(mode="json", by_alias=True, exclude_defaults=True),
        "provenance": answer.provenance.model_dump(mode="json"),
    }
    data = (json.dumps(line, ensure_ascii=False) + "\n").encode("utf-8", "replace")
    try:
        # One write to a file opened for appending: lines of several processes do not mix.
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, data)
        finally:
            os.close(file)
    except OSError as error:
        raise FeedbackNotKept(f"feedback cannot be written to {path.name}: {error.strerror}") from None
