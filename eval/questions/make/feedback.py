"""Drafts of questions from what readers marked as unhelpful, for a person to finish."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, Literal, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from eval.questions.question import EvalQuestion, folded
from index.sources.json_records import parse
from index.sources.validation import describe, excerpt
from rag.answer import MAX_QUESTION, Filters, Turn

CATEGORY = "feedback"
MOST_COMMENTS = 5
"""Comments kept for one question, each cut to `LONGEST_COMMENT` code points: enough to see what was wrong."""
LONGEST_COMMENT = 300

# What tells who a reader is, in the order in which it is looked for: an address may hold a number.
_CONTACTS = (
    (re.compile(r"\b(?:https?://|www\.)\S+", re.I), "[link]"),
    (re.compile(r"[\w.+'-]+\s?(?:@|\(at\)|\[at\])\s?[\w-]+(?:\.[\w-]+)+", re.I), "[address]"),
    (re.compile(r"(?<![\w@])@\w[\w.-]+"), "[name]"),
    (re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])"), "[address]"),
    (re.compile(r"(?<![\w:])(?:[0-9a-f]{1,4}:){3,7}[0-9a-f:]*[0-9a-f](?!\w)", re.I), "[address]"),
    (
        re.compile(r"(?<!\w)(?:\+|\(\d{2,4}\)|00)[\d\s()/-]{7,}\d|(?<!\w)\d{3}[ -]\d{3,4}[ -]\d{4}\b"),
        "[number]",
    ),
)
# Looked for in comments alone: a question has names of its own, "— PPO" at its end.
_SIGNATURES = (
    (
        re.compile(
            r"(?i:\b(?:my name is|this is|i am|i['’]m|dear|contact|ask)) (?:(?i:dr|prof|mr|mrs|ms)\.? )?"
            r"[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+"
        ),
        "[name]",
    ),
    (
        re.compile(
            r"(?i:\b(?:(?:best|kind|warm) )?(?:regards|wishes)|\bthanks|\bcheers|\byours(?: sincerely)?"
            r"|\bsincerely|[—–]|--)[,.!]?\s+(?:(?i:dr|prof|mr|mrs|ms)\.? )?"
            r"[A-Z][\w'’-]+\.?(?: [A-Z][\w'’.-]*)*\s*$"
        ),
        "[name]",
    ),
)


class _Tolerant(BaseModel):
    """Unknown fields are left behind: they may say who the reader is."""

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class _Cited(_Tolerant):
    source_id: Annotated[str, Field(validation_alias=AliasChoices("source_id", "id"), min_length=1)]


class _Answered(_Tolerant):
    citations: tuple[_Cited | str, ...] = ()
    sources: tuple[_Cited | str, ...] = ()

    @property
    def ids(self) -> list[str]:
        """Ids of the sources that the answer stood on, each once."""
        cited = (*self.citations, *self.sources)
        return list(dict.fromkeys(one if isinstance(one, str) else one.source_id for one in cited))


class Feedback(_Tolerant):
    """One line of feedback: a question, what the reader thought of its answer, and why.

    `helpful` or `rating` must be there (1, -1, "up" or "down"), and not contradict each other. `answer` may
    be its text, the whole answer, or its citations or sources alone, as objects or as ids. Any other field
    is ignored.
    """

    question: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_QUESTION)]
    topic: str | None = None
    helpful: Annotated[bool | None, Field(strict=True)] = None
    rating: Literal[1, -1, "up", "down"] | None = None
    comment: str | None = None
    answer: _Answered | str = _Answered()
    filters: Filters = Filters()
    history: tuple[Turn, ...] = ()

    @model_validator(mode="after")
    def _judged(self) -> Self:
        rated = None if self.rating is None else self.rating in (1, "up")
        if self.helpful is None and rated is None:
            raise ValueError('expected helpful (true or false) or rating (1, -1, "up" or "down")')
        if None not in (self.helpful, rated) and self.helpful != rated:
            raise ValueError("helpful and rating contradict each other")
        return self

    @property
    def is_down(self) -> bool:
        return self.helpful is False or self.rating in (-1, "down")

    @property
    def key(self) -> str:
        """What was asked, the same for the same question under the same conditions."""
        earlier = [folded(turn.question) for turn in self.history]
        asked = folded(self.question).rstrip("?!. ")
        return "\0".join((asked, folded(self.topic or ""), self.filters.model_dump_json(), *earlier))


@dataclass(frozen=True)
class BadLine:
    """A line that is no feedback, numbered from 1, and what was expected of it."""

    line: int
    reason: str


@dataclass(frozen=True)
class Drafts:
    questions: tuple[EvalQuestion, ...]
    bad: tuple[BadLine, ...]


@dataclass
class _Gathered:
    first: Feedback
    count: int = 0
    comments: dict[str, None] = field(default_factory=dict)
    cited: dict[str, None] = field(default_factory=dict)


def drafts_from_feedback(lines: Iterable[bytes | str], *, comments: bool = True) -> Drafts:
    """Make draft questions of JSON Lines of feedback (see `Feedback`), the most frequent first.

    Only what was not helpful counts; the same question, asked in the same topic, with the same filters and
    after the same turns, is one draft. How often, what readers said and what the answer cited stand in
    `source`: nothing of it is a judgement. Addresses, links, numbers of telephones and names behind a
    greeting are taken out of questions and comments; a name elsewhere in a sentence is not recognised, so
    read drafts before sharing them, or leave `comments` out. A line that is no feedback is told in `bad`.
    """
    gathered: dict[str, _Gathered] = {}
    bad: list[BadLine] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            text = line if isinstance(line, str) else line.decode("utf-8-sig")
            feedback = _anonymous(Feedback.model_validate(parse(text)))
        except ValueError as error:  # pydantic's, JSON's and UTF-8's are ones
            bad.append(BadLine(number, _reason(error)))
            continue
        if feedback.is_down:
            entry = gathered.setdefault(feedback.key, _Gathered(feedback))
            entry.count += 1
            if isinstance(feedback.answer, _Answered):
                entry.cited.update(dict.fromkeys(feedback.answer.ids))
            if feedback.comment and comments:
                entry.comments.setdefault(feedback.comment)
    # Sorting is stable: of questions asked as often the earlier stays first.
    ordered = sorted(gathered.items(), key=lambda item: -item[1].count)
    return Drafts(tuple(_draft(key, entry) for key, entry in ordered), tuple(bad))


def _draft(key: str, entry: _Gathered) -> EvalQuestion:
    times = "once" if entry.count == 1 else f"{entry.count} times"
    told = [f"feedback: not helpful, {times}"]
    told += [f"a reader said: “{comment}”" for comment in list(entry.comments)[:MOST_COMMENTS]]
    if entry.cited:
        told.append(f"the answer cited {', '.join(entry.cited)}")
    return EvalQuestion(
        id=f"feedback-{hashlib.blake2b(key.encode(), digest_size=6).hexdigest()}",
        question=entry.first.question,
        topic=entry.first.topic,
        category=CATEGORY,
        history=entry.first.history,
        filters=entry.first.filters,
        source="; ".join(told),
        draft=True,
    )


def _anonymous(feedback: Feedback) -> Feedback:
    """Return the feedback without what tells who the reader is, the comment shortened."""
    comment = _without(_SIGNATURES, _without(_CONTACTS, feedback.comment or ""))
    return feedback.model_copy(
        update={
            "question": _without(_CONTACTS, feedback.question)[:MAX_QUESTION],
            "comment": excerpt(comment, LONGEST_COMMENT),
            "history": tuple(
                Turn(question=_without(_CONTACTS, turn.question), answer=_without(_CONTACTS, turn.answer))
                for turn in feedback.history
            ),
        }
    )


def _without(private: Iterable[tuple[re.Pattern[str], str]], text: str) -> str:
    for pattern, placeholder in private:
        text = pattern.sub(placeholder, text)
    return text


def _reason(error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"expected UTF-8, got byte 0x{error.object[error.start]:02x}"
    return describe(error)
