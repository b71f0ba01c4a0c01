"""Gather the questions of a set, and everything that is wrong with it, so that one reading names it all."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails

from eval.questions.question import EvalQuestion, Nugget
from index.errors import AsktopicError, SourceError
from index.sources.validation import describe, excerpt, shown
from rag.answer import Filters, Turn

MOST_SHOWN = 20
"""Faults named in one message: a screen of a terminal. The others are counted."""

_KEYS = tuple(EvalQuestion.model_fields)
_INNER_KEYS = (*Nugget.model_fields, *Turn.model_fields, "from", *Filters.model_fields)


class BadQuestionSet(AsktopicError):
    """A question set cannot be used. The message names each fault with its file and line."""

    code = "bad_question_set"
    status = 422


class Gathering:
    """The questions read so far, each id once, and the faults found on the way.

    A reader works in `with gathering.at(where)`, where `where` is a file and line for people: what is
    raised inside becomes a fault, and reading goes on with what follows.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._questions: dict[str, EvalQuestion] = {}
        self._where: dict[str, str] = {}
        self._faults: list[str] = []
        self._count = 0

    @contextmanager
    def at(self, where: str) -> Iterator[None]:
        """Turn a `ValueError` or `SourceError` raised inside into faults."""
        try:
            yield
        except SourceError as error:
            self.fault(where, error.expected)
        except ValueError as error:  # pydantic's ValidationError is one
            for what in faults_of(error):
                self.fault(where, what)

    def fault(self, where: str, what: str) -> None:
        """Note a fault: what was expected and what was there, in plain words."""
        self._count += 1
        if len(self._faults) < MOST_SHOWN:
            self._faults.append(f"{where}: {what}")

    def add(self, where: str, question: EvalQuestion) -> None:
        """Take a question. Raises `ValueError` when its text is blank or its id was there before."""
        if not question.question.strip():
            raise ValueError("question: expected text that is not empty, got blanks")
        if question.id in self._where:
            raise ValueError(
                f"id: expected each id once; {excerpt(question.id, 40)!r} is also that of "
                f"{self._where[question.id]}"
            )
        self._where[question.id] = where
        self._questions[question.id] = question

    def done(self) -> tuple[EvalQuestion, ...]:
        """Return the questions in order. Raises `BadQuestionSet` on any fault, or where there is none."""
        if not self._count and not self._questions:
            self.fault(str(self._path), "expected at least one question, found none")
        self.stop()
        return tuple(self._questions.values())

    def stop(self) -> None:
        """Raise `BadQuestionSet` if there were faults, where going on would only repeat them."""
        if self._count == 1:
            raise BadQuestionSet(self._faults[0])
        if self._count:
            more = self._count - len(self._faults)
            lines = [f"{self._path}: {self._count:,} faults", *self._faults]
            raise BadQuestionSet("\n  ".join(lines + [f"and {more:,} more"] * (more > 0)))


def faults_of(error: ValueError) -> list[str]:
    """Say in a sentence each what is wrong: field, what was expected, what was there."""
    if not isinstance(error, ValidationError):
        return [str(error)]
    return [_sentence(one) for one in error.errors(include_url=False)]


def _sentence(error: ErrorDetails) -> str:
    field = ".".join(str(part) for part in error["loc"])
    match error["type"]:
        case "value_error":  # raised by a validator of ours, in words of ours
            return error["msg"].removeprefix("Value error, ")
        case "json_invalid" if "escape" in error["msg"]:  # a lone \ud800, which no file holds
            return "expected valid Unicode text, found half of a surrogate pair"
        case "json_invalid":
            return "expected " + error["msg"].replace("Invalid JSON: ", "valid JSON; ")
        case "dict_type":
            return f"{field}: expected an object, got {shown(error['input'])}"
        case "extra_forbidden":
            return f"{excerpt(field, 60)}: expected no such key{_meant(error['loc'])}"
    one = InitErrorDetails(
        type=error["type"], loc=error["loc"], input=error["input"], ctx=error.get("ctx", {})
    )
    return describe(ValidationError.from_exception_data("question", [one]))


def _meant(place: Sequence[int | str]) -> str:
    keys = _KEYS if len(place) == 1 else _INNER_KEYS
    near = difflib.get_close_matches(str(place[-1]), keys, 1)
    return f"; did you mean {near[0]}?" if near else ""
