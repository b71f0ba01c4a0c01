"""The answer contract: what a question is, and what comes back.

These models are the HTTP bodies, the command line's JSON and the evaluation's input at once.
Offsets are half-open and in Unicode code points.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from index.records import Kind

MAX_QUESTION = 2_000
"""Longest question taken, in code points: some ten times the longest a person types."""
MOST_SOURCES = 20
"""Most sources that one answer cites."""


class Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Filters(Model):
    """Restrict what may be cited. Filters combine with *and*; values within one with *or*."""

    from_: Annotated[dt.date | None, Field(alias="from", description="first date, inclusive")] = None
    to: Annotated[dt.date | None, Field(description="last date, inclusive")] = None
    authors: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    ids: tuple[str, ...] = ()


class Turn(Model):
    """One earlier question and its answer."""

    question: str
    answer: str = ""


class AskRequest(Model):
    question: Annotated[str, Field(description="1 to 2,000 characters")]
    topic: Annotated[str | None, Field(description="slug, name or alias; all topics if absent")] = None
    history: tuple[Turn, ...] = ()
    filters: Filters = Filters()
    max_sources: Annotated[int, Field(ge=1, le=MOST_SOURCES)] = 5
    mode: Literal["auto", "extractive", "generative"] = "auto"
    stream: bool = False


class Understood(Model):
    """The question as it was read. `sides` are the two things that a comparison compares."""

    text: str
    topic: str | None
    filters: Filters
    kind: str
    sides: tuple[str, ...] = ()


class Citation(Model):
    """One sentence of the answer and the passage it stands on.

    `answer[start_index:end_index]` is the cited sentence; `quote == field[quote_start:quote_end]`.
    `support` says what was checked: "quoted" means the sentence *is* the quote; "counted" that it was
    computed from records of which this is one, quoted by its title (the field `title`, of no chunk).
    `score` is the sentence's evidence score in [0, 1]; 1 for what was computed.
    """

    n: int
    source_id: str
    start_index: int
    end_index: int
    quote: str
    chunk_id: str
    field: str
    quote_start: int
    quote_end: int
    support: Literal["quoted", "terms", "counted"]
    score: float


class SourceRef(Model):
    n: int
    id: str
    kind: Kind
    title: str
    authors: tuple[str, ...] = ()
    authors_total: int | None = None
    date: dt.date | None = None
    venue: str = ""
    url: str = ""
    score: float


class Reason(Model):
    """Why there is no answer. `code` is stable, `message` is for the reader.

    `uncovered` are words of the question, as typed, that nothing found holds: named things first.
    """

    code: Literal[
        "no_evidence",
        "weak_evidence",
        "no_sources",
        "not_a_question",
        "about_the_collection",
        "language",
        "out_of_scope",
        "about_this_service",
    ]
    message: str
    uncovered: tuple[str, ...] = ()


class Related(Model):
    """A source near the question that the answer does not cite."""

    id: str
    kind: Kind
    title: str
    date: dt.date | None = None
    url: str = ""
    score: float


class Usage(Model):
    """Tokens spent by a model; zero for extractive answers."""

    input_tokens: int = 0
    output_tokens: int = 0


class Provenance(Model):
    """What produced this: the same values and question give the same answer."""

    index: str
    encoder: str
    answerer: str
    version: str
    reranker: Annotated[str | None, Field(description="none where the operator has none")] = None


class Counted(Model):
    """The records that an answer of kind "catalog" was computed from, so that it can be checked.

    `ids` are the first thousand of them, newest first; `definition` says what was counted, and when.
    """

    total: int
    definition: str
    ids: tuple[str, ...]


class Answer(Model):
    id: str
    question: str
    understood: Understood
    topic: str | None
    answered: bool
    kind: Literal["passage", "catalog", "refusal"]
    answer: Annotated[str, Field(description="markdown text with markers [1] [2]; empty on refusal")]
    citations: tuple[Citation, ...] = ()
    sources: tuple[SourceRef, ...] = ()
    confidence: Annotated[
        float,
        Field(
            ge=0,
            le=1,
            description="probability that the evidence answers the question; 0 if nothing was weighed",
        ),
    ] = 0.0
    counted: Counted | None = None
    reason: Reason | None = None
    related: tuple[Related, ...] = ()
    followups: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    usage: Usage = Usage()
    timing_ms: dict[str, float]
    provenance: Provenance


class SearchRequest(Model):
    query: Annotated[str, Field(description="1 to 2,000 characters")]
    topic: str | None = None
    filters: Filters = Filters()
    limit: Annotated[int, Field(ge=1, le=100)] = 10


class Passage(Model):
    chunk_id: str
    field: str
    start: int
    end: int
    text: str
    score: float


class SearchResult(Model):
    id: str
    kind: Kind
    title: str
    date: dt.date | None = None
    score: float
    passages: tuple[Passage, ...]


class SearchResponse(Model):
    results: tuple[SearchResult, ...]
    timing_ms: dict[str, float]
    provenance: Provenance


class TopicInfo(Model):
    """A topic and what the index holds of it."""

    slug: str
    name: str
    aliases: tuple[str, ...] = ()
    description: str = ""
    url: str = ""
    papers: Annotated[int, Field(description="papers in this index")]
    explainers: Annotated[int, Field(description="explainers in this index")]
    recent: Annotated[int, Field(description="papers dated within the last four weeks")] = 0
    latest: dt.date | None = None
    examples: Annotated[tuple[str, ...], Field(description="questions that this index answers")] = ()
    published_statistics: dict[str, float | int] | None = None


class PaperInfo(Model):
    """A paper in a topic's list."""

    id: str
    title: str
    headline: str = ""
    summary: str = ""
    authors: tuple[str, ...] = ()
    authors_total: int | None = None
    date: dt.date | None = None
    venue: str = ""
    url: str = ""


class PaperPage(Model):
    """One page of a topic's papers, newest first."""

    total: int
    offset: int
    papers: tuple[PaperInfo, ...]


class FieldText(Model):
    """A stored field, exactly as quotes refer to it."""

    field: str
    heading: str = ""
    text: str


class SourceInfo(Model):
    """A source with its stored text, for opening a citation on its passage."""

    id: str
    kind: Kind
    title: str
    authors: tuple[str, ...] = ()
    authors_total: int | None = None
    date: dt.date | None = None
    venue: str = ""
    url: str = ""
    retracted: bool = False
    topics: tuple[str, ...] = ()
    fields: tuple[FieldText, ...]


class Readiness(Model):
    ready: bool
    generation: int | None = None
    sources: int = 0
    chunks: int = 0
    message: str = ""
