"""What an evaluation asks, and what a good answer is known to hold.

One question a line of `questions.jsonl`. Everything but `id` and `question` may be left out; a metric is
computed for the questions that say what it needs.
"""

from __future__ import annotations

import datetime as dt
import unicodedata
from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from eval.model import Model
from rag.answer import MAX_QUESTION, AskRequest, Filters, Turn

Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^\s\x00-\x1f]+$")]
"""An id that may stand in a column of a TREC file: no white space."""


class Nugget(Model):
    """One fact that an answer should state (Voorhees, "Overview of the TREC 2003 Question Answering Track").

    It is stated where the answer holds one of the `accepted` phrasings (its `text` too), all of its
    `numbers`, and none of the `forbidden` phrasings. A *vital* nugget must be there for an answer to be
    good; another is good to have.
    """

    text: Annotated[str, Field(min_length=1)]
    vital: bool = True
    accepted: tuple[str, ...] = ()
    numbers: Annotated[
        tuple[str, ...], Field(description='as written, with the unit: "38%", "1.5 million"')
    ] = ()
    forbidden: Annotated[tuple[str, ...], Field(description="phrasings that make it wrong")] = ()


class EvalQuestion(Model):
    """A question with what is known about its answer.

    `relevant` maps source ids to grades: 0 judged and not relevant, 1 relevant, 2 and more highly so; a
    source it does not name is unjudged. `must_cite` are sources of which an answer has to cite at least
    one. Questions of one `cluster` (the same facts, asked otherwise) are resampled together; its own id
    where it stands alone. `canary` is a text that only an answer which follows an instruction hidden in a
    source would hold. A `draft` is for a person to finish, and is not run.
    """

    id: Name
    question: Annotated[str, StringConstraints(min_length=1, max_length=MAX_QUESTION)]
    topic: str | None = None
    category: Name = "general"
    answerable: bool = True
    why_not: Annotated[str, Field(description="why it cannot be answered, where it cannot")] = ""
    correction: Annotated[
        Nugget | None, Field(description="what the sources say instead of what the question presumes")
    ] = None
    history: tuple[Turn, ...] = ()
    filters: Filters = Filters()
    as_of: Annotated[dt.date | None, Field(description="nothing dated later may be cited")] = None
    relevant: dict[Name, Annotated[int, Field(ge=0, le=10)]] = Field(default_factory=dict)
    must_cite: tuple[Name, ...] = ()
    gold_answer: str = ""
    nuggets: tuple[Nugget, ...] = ()
    without: Annotated[
        tuple[Name, ...], Field(description="sources that answer it, so that the index may not hold them")
    ] = ()
    canary: str = ""
    source: Annotated[str, Field(description="where the question comes from")] = ""
    licence: str = ""
    cluster: str = ""
    draft: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if not self.answerable and not self.why_not:
            raise ValueError("answerable is false: say in why_not what is missing")
        if self.answerable and self.why_not:
            raise ValueError("why_not is given, but answerable is true")
        if not self.answerable and (self.nuggets or self.must_cite):
            raise ValueError("a question that cannot be answered has no nuggets and nothing to cite")
        if self.answerable and self.correction:
            raise ValueError("a question that can be answered presumes nothing that has to be corrected")
        unjudged = [source for source in self.must_cite if self.relevant and not self.relevant.get(source)]
        if unjudged:
            raise ValueError(f"must_cite names {unjudged[0]!r}, which relevant does not call relevant")
        if present := next((source for source in self.without if source in self.positives), ""):
            raise ValueError(f"without names {present!r}, which relevant calls relevant")
        if self.filters.to and self.as_of and self.filters.to > self.as_of:
            raise ValueError("filters.to lies behind as_of")
        return self

    @property
    def group(self) -> str:
        """The cluster that the question is resampled with."""
        return self.cluster or self.id

    @property
    def positives(self) -> frozenset[str]:
        """The ids of the sources judged relevant."""
        return frozenset(source for source, grade in self.relevant.items() if grade > 0)

    def request(self) -> AskRequest:
        """Return what is asked of a system, as a reader would: `as_of` is the last date that may be cited."""
        filters = self.filters.model_copy(update={"to": self.filters.to or self.as_of})
        return AskRequest(
            question=self.question,
            topic=self.topic,
            history=self.history,
            filters=filters,
        )


def folded(text: str) -> str:
    """Fold case, compatibility forms and white space, for comparing texts."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
