"""The answer contract: what a question is, and what comes back.

These models are the HTTP bodies, the command line's JSON and the evaluation's input at once.
Offsets are half-open and in Unicode code points.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from index.records import Kind

MAX_QUESTION = 2_000
"""Longest question taken, in code points: some ten times the longest a person types."""
MOST_SOURCES = 20
"""Most sources that one answer cites."""

Mode = Literal["auto", "extractive", "generative"]
"""How an answer is written: by a model where one is configured, never, or not at all without one."""


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
    """One earlier question and its answer. `sources` are the ids of what it cited, by number."""

    question: str
    answer: str = ""
    sources: tuple[str, ...] = ()


class AskRequest(Model):
    question: Annotated[str, Field(description="1 to 2,000 characters")]
    topic: Annotated[str | None, Field(description="slug, name or alias; all topics if absent")] = None
    history: tuple[Turn, ...] = ()
    filters: Filters = Filters()
    max_sources: Annotated[int, Field(ge=1, le=MOST_SOURCES)] = 5
    mode: Mode = "auto"
    stream: bool = False


class Understood(Model):
    """The question as it was read. `sides` are the two things that a comparison compares."""

    text: str
    topic: str | None
    filters: Filters
    kind: str
    parts: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()


class Citation(Model):
    """One sentence of the answer and the passage it stands on.

    `answer[start_index:end_index]` is the cited sentence; `quote == field[quote_start:quote_end]`.
    `support` says what was checked: "quoted" means the sentence *is* the quote; "terms" that a model
    worded it and the quotes hold its words, numbers, negations and directions; "counted" that it was
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
    """Tokens spent by a model; zero for extractive answers.

    `estimated` where the server counted none: then a token is taken to be four characters.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False


class Checked(Model):
    """What became of the sentences that a model wrote, each checked before it was shown.

    `supported` by what they cite; `reattributed` to other evidence, which supports them; `replaced` by the
    sentence that they cite; `dropped`. The four make up `written`.
    """

    written: int = 0
    supported: int = 0
    reattributed: int = 0
    replaced: int = 0
    dropped: int = 0


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
    checked: Annotated[Checked | None, Field(description="none where no model wrote")] = None
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


class Week(Model):
    """Papers dated in the seven days from `first` on."""

    first: dt.date
    papers: int


class TopicFigures(Model):
    """A topic's papers in the four weeks from `first` to `last`, and in the four weeks before.

    Four weeks are 28 days, both ends included. A percentage is absent where it would be of nothing.
    """

    first: dt.date
    last: dt.date
    recent: int
    before: int
    change_percent: Annotated[float | None, Field(description="more or fewer than in the weeks before")]
    share_percent: Annotated[float | None, Field(description="of all new papers in this index")]
    weeks: Annotated[tuple[Week, ...], Field(description="half a year, oldest first, up to `last`")]


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
    figures: TopicFigures | None = None


class Tag(Model):
    """A tag that a source gave a paper; `topic` is the slug of the topic of that name, if there is one."""

    name: str
    topic: str | None = None


class PaperInfo(Model):
    """A paper in a topic's list. The totals exceed what is listed where the source showed "+N" more."""

    id: str
    title: str
    headline: str = ""
    summary: str = ""
    authors: tuple[str, ...] = ()
    authors_total: int | None = None
    affiliations: tuple[str, ...] = ()
    affiliations_total: int | None = None
    tags: tuple[Tag, ...] = ()
    tags_total: int | None = None
    date: dt.date | None = None
    venue: str = ""
    url: str = ""
    retracted: bool = False


class PaperChoice(Model):
    """Which of a topic's papers are listed: those with the tag, by the author, dated in between."""

    tag: str = ""
    author: str = ""
    from_: Annotated[dt.date | None, Field(alias="from", description="first date, inclusive")] = None
    to: Annotated[dt.date | None, Field(description="last date, inclusive")] = None

    @field_validator("from_", "to", mode="before")
    @classmethod
    def _none_if_blank(cls, value: object) -> object:
        """A form sends its empty fields too."""
        return None if value == "" else value


ALL_PAPERS = PaperChoice()


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
    headline: str = ""
    affiliations: tuple[str, ...] = ()
    affiliations_total: int | None = None
    tags: tuple[Tag, ...] = ()
    tags_total: int | None = None
    version: str = ""
    fields: tuple[FieldText, ...]


class Readiness(Model):
    ready: bool
    generation: int | None = None
    sources: int = 0
    chunks: int = 0
    message: str = ""
