"""A run on disk: everything that was asked and answered, so that it can be scored and shown again.

manifest.json     what produced it
questions.jsonl   the set, as it was asked
outcomes.jsonl    ranking and answer of each question; grows while the run goes on
sources.jsonl     the stored texts of every source that an answer cites
run.trec          the rankings, and
qrels.trec        the judgements, for any TREC tool
scores.csv        the scores in long form
summary.json      the figures of the set
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from eval.outcome import Outcome
from eval.questions.question import EvalQuestion
from eval.questions.reading import fingerprint
from eval.runs.manifest import Manifest
from eval.scores import Scores
from index.errors import AsktopicError
from rag.answer import SourceInfo

Line = TypeVar("Line", bound=BaseModel)


class BadRun(AsktopicError):
    """A folder holds no run, or not the one that was expected."""


class RunFolder:
    """Reads and writes the files of one run. Files are read when first asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def manifest(self) -> Manifest:
        """What produced the run. Raises `BadRun` where the folder has none."""
        file = self.path / "manifest.json"
        try:
            return Manifest.model_validate_json(file.read_bytes())
        except FileNotFoundError:
            raise BadRun(f"{self.path} holds no run; make one with `asktopic eval run`") from None
        except ValidationError as error:
            raise BadRun(f"{file} is no manifest of a run: {_first(error)}") from error
        except OSError as error:
            raise BadRun(f"{file} cannot be read: {error.strerror}") from error

    @cached_property
    def questions(self) -> tuple[EvalQuestion, ...]:
        return tuple(_lines(self.path / "questions.jsonl", EvalQuestion))

    def check_questions(self) -> None:
        """Raise `BadRun` where the questions are not those that the manifest says were asked."""
        if fingerprint(self.questions) != self.manifest.set.fingerprint:
            raise BadRun(
                f"{self.path / 'questions.jsonl'} is not the set that was asked ({len(self.questions):,} "
                f"questions, not {self.manifest.set.questions:,}); restore it, or ask anew"
            )

    @property
    def has_questions(self) -> bool:
        """Whether this is a run with its questions, and no baseline of scores alone."""
        return (self.path / "questions.jsonl").exists()

    @property
    def outcomes(self) -> Mapping[str, Outcome]:
        """Map question id to outcome, in the order they were written; read anew each time."""
        found = _lines(self.path / "outcomes.jsonl", Outcome, torn=True)
        return {outcome.question_id: outcome for outcome in found}

    @cached_property
    def sources(self) -> Mapping[str, SourceInfo]:
        return {source.id: source for source in _lines(self.path / "sources.jsonl", SourceInfo)}

    @cached_property
    def scores(self) -> Scores:
        return Scores.read(self.path / "scores.csv")


def write_lines(path: Path, lines: Iterable[BaseModel]) -> None:
    """Write JSON Lines, whole or not at all."""
    draft = path.with_suffix(path.suffix + ".part")
    with draft.open("w", encoding="utf-8") as file:
        file.writelines(line.model_dump_json(by_alias=True) + "\n" for line in lines)
    draft.replace(path)


def _lines(path: Path, kind: type[Line], *, torn: bool = False) -> Iterator[Line]:
    """Read JSON Lines; with `torn`, a last line that a killed run left in part is passed over.

    Raises `BadRun`, with the line, for whatever else is no line of this kind.
    """
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return
    except OSError as error:
        raise BadRun(f"{path} cannot be read: {error.strerror}") from error
    *whole, last = lines
    if last and not torn:
        raise BadRun(f"{path}:{len(lines)}: the file was cut short")
    for number, line in enumerate(whole, start=1):
        try:
            yield kind.model_validate_json(line)
        except ValidationError as error:
            raise BadRun(f"{path}:{number}: {_first(error)}") from error


def _first(error: ValidationError) -> str:
    """Say in one line what is wrong first."""
    found = error.errors()[0]
    return f"{'.'.join(map(str, found['loc'])) or 'line'}: {found['msg']}"
