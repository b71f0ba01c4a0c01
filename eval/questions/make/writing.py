"""Write a question set as a folder: `questions.jsonl`, and `corpus.jsonl` where it has its own documents."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from eval.questions.question import EvalQuestion
from eval.questions.reading import read_questions, write_questions
from eval.questions.sets import CORPUS, QUESTIONS
from eval.runs.folder import write_lines
from index.errors import AsktopicError
from index.records import Record


class CannotMake(AsktopicError):
    """No questions can be made of what was given, or they cannot be written where they should go."""

    code = "cannot_make"
    status = 422


def write_set(
    folder: Path, questions: Iterable[EvalQuestion], records: Iterable[Record] = (), *, replace: bool = False
) -> int:
    """Write a set folder and return its number of questions; `records` may be read from a file as it goes.

    The corpus is written first and each file whole or not at all, so a folder with questions is complete.
    Raises `CannotMake` if there is no question, two share an id, or the folder holds a set already and
    `replace` is not given; an earlier corpus does not outlive the questions it belonged to.
    """
    made = list(questions)
    if not made:
        raise CannotMake("no question can be made of what was given")
    ids = [question.id for question in made]
    if len(set(ids)) < len(ids):
        twice = next(name for name in ids if ids.count(name) > 1)
        raise CannotMake(f"two of the questions would have the id {twice!r}")
    present = [name for name in (QUESTIONS, CORPUS) if (folder / name).exists()]
    if present and not replace:
        raise CannotMake(f"{folder} holds a {present[0]} already; name another folder, or say to replace it")
    folder.mkdir(parents=True, exist_ok=True)
    # The old questions go first: they must never stand beside the new corpus.
    (folder / QUESTIONS).unlink(missing_ok=True)
    write_lines(folder / CORPUS, records)
    if not (folder / CORPUS).stat().st_size:
        (folder / CORPUS).unlink()
    write_questions(folder / QUESTIONS, made)
    return len(read_questions(folder / QUESTIONS))
