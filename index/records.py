"""The records everything is built from: topics, papers, explainers and their chunks.

All are immutable and round-trip through JSON (`model_dump_json` / `model_validate_json`).
A record's searchable text lies in named *fields*; a chunk is a half-open slice of one field in
Unicode code points, so `record.field(chunk.field)[chunk.start:chunk.end] == chunk.text` always.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import unicodedata
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, field_validator
from pydantic_core import PydanticCustomError

Kind = Literal["paper", "explainer", "topic"]


def _more_than_dots(value: str) -> str:
    if not value.strip("."):
        # In a path of a URL, "." and ".." are the folder and the one above.
        raise PydanticCustomError("only_dots", "an id of more than dots")
    return value


Id = Annotated[
    str,
    StringConstraints(min_length=1, max_length=200, pattern=r"^[^\s\x00-\x1f]+$"),
    AfterValidator(_more_than_dots),
]
Title = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TopicStatistics(Frozen):
    """Figures a topic page published about itself; shown as published, never recomputed."""

    papers: int | None = None
    papers_last_four_weeks: int | None = None
    change_percent: float | None = None
    share_of_new_papers_percent: float | None = None


class Topic(Frozen):
    """A research topic. Papers belong to it by tag or by a match of its name or an alias."""

    kind: Literal["topic"] = "topic"
    slug: Id
    name: Title
    aliases: tuple[str, ...] = ()
    description: str = ""
    parent: str = ""
    url: str = ""
    statistics: TopicStatistics | None = None

    @property
    def id(self) -> str:
        """The id under which the description is cited: `topic:` and the slug."""
        return f"topic:{self.slug}"

    @property
    def title(self) -> str:
        return self.name

    @property
    def date(self) -> None:
        """A topic has no date; every record has the attribute."""
        return None

    def fields(self) -> Iterator[tuple[str, str, str]]:
        """Yield (field name, heading, text) of each non-empty searchable field."""
        if self.description:
            yield "description", "", self.description

    def field(self, name: str) -> str:
        return _field_of(self, name)


class Paper(Frozen):
    """A paper as its source shows it.

    `authors_total` and the like exceed the tuple's length where the source showed "+N" more.
    `tags` are the topics its source gave it; `tags_raw` is the line they were split from, if any.
    """

    kind: Literal["paper"] = "paper"
    id: Id
    title: Title
    abstract: str = ""
    headline: str = ""
    summary: str = ""
    authors: tuple[str, ...] = ()
    authors_total: int | None = None
    affiliations: tuple[str, ...] = ()
    affiliations_total: int | None = None
    date: dt.date | None = None
    venue: str = ""
    url: str = ""
    tags: tuple[str, ...] = ()
    tags_total: int | None = None
    tags_raw: str = ""
    version: str = ""
    retracted: bool = False

    @field_validator("authors")
    @classmethod
    def _named_once(cls, authors: tuple[str, ...]) -> tuple[str, ...]:
        """Some sources give the whole list twice."""
        return tuple(dict.fromkeys(authors))

    def fields(self) -> Iterator[tuple[str, str, str]]:
        """Yield (field name, heading, text) of each non-empty searchable field."""
        for name in ("abstract", "summary"):
            text = getattr(self, name)
            if text:
                yield name, self.headline, text
        if not (self.abstract or self.summary):
            yield "title", self.headline, self.title

    def field(self, name: str) -> str:
        return _field_of(self, name)


class Section(Frozen):
    heading: str = ""
    text: str


class Explainer(Frozen):
    """A longer text about a topic, in ordered sections. `topic` is a topic's name or slug."""

    kind: Literal["explainer"] = "explainer"
    id: Id
    topic: str = ""
    title: Title
    sections: Annotated[tuple[Section, ...], Field(min_length=1)]
    date: dt.date | None = None
    url: str = ""

    def fields(self) -> Iterator[tuple[str, str, str]]:
        """Yield (`section.N`, heading, text) of each non-empty section, N counted from 0."""
        for n, section in enumerate(self.sections):
            if section.text:
                yield f"section.{n}", section.heading, section.text

    def field(self, name: str) -> str:
        return _field_of(self, name)


Record = Topic | Paper | Explainer
AnyRecord = Annotated[Record, Field(discriminator="kind")]


def _field_of(record: Record, name: str) -> str:
    if name == "title":
        return record.title
    for field, _, text in record.fields():
        if field == name:
            return text
    raise KeyError(f"{record.id} has no field {name!r}")


class Chunk(Frozen):
    """A half-open slice `[start, end)` of one field, in code points.

    `sentences` are the half-open spans of its sentences, also in the field's code points.
    `heading` is the section's heading, or empty. `id` depends on content and chunker alone.
    """

    id: str
    source_id: str
    field: str
    start: int
    end: int
    text: str
    heading: str = ""
    sentences: tuple[tuple[int, int], ...]


def slugify(name: str) -> str:
    """The URL form of a topic's name: "Reinforcement Learning" → "reinforcement-learning"."""
    ascii_name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    slug = re.sub(r"[^a-z0-9]+", "-", ascii_name.lower()).strip("-")
    return slug or "topic-" + hashlib.blake2b(name.encode(), digest_size=4).hexdigest()


def title_id(kind: str, title: str) -> str:
    """A stable id for a record whose source gives none: the same title gives the same id."""
    key = " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", title).casefold()))
    digest = hashlib.blake2b((key or title).encode(), digest_size=6).hexdigest()
    return f"{kind}-{digest}"
