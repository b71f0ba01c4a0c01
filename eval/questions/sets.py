"""Question sets by name or by path: the shipped ones, folders and files of ours, and foreign formats."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path

from eval.questions.gathering import BadQuestionSet
from eval.questions.importers.detect import importer_of, importers
from eval.questions.importers.importer import Imported, beside, no_split
from eval.questions.question import EvalQuestion
from eval.questions.reading import read_questions
from eval.questions.rows import first_keys, plain_name
from index.paths import starter_folder
from index.records import Record

QUESTIONS = "questions.jsonl"
CORPUS = "corpus.jsonl"
OVER_STARTER = frozenset({"starter", "dialogues-dev", "dialogues-starter"})
"""Shipped sets that are asked over the corpus which comes with the program."""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions to ask, and what has to be ingested before.

    `paths` are files and folders in formats that ingest reads; `records` are documents that an importer
    had to convert. Both are empty where the operator brings the corpus.
    """

    name: str
    questions: tuple[EvalQuestion, ...]
    paths: tuple[Path, ...] = ()
    records: tuple[Record, ...] = ()


def shipped_sets() -> dict[str, Path]:
    """Return the folders of the sets that come with the program, by name."""
    folder = Path(__file__).parents[1] / "sets"
    return {found.parent.name: found.parent for found in sorted(folder.glob(f"*/{QUESTIONS}"))}


def open_set(name_or_path: str, *, split: str | None = None) -> QuestionSet:
    """Open a set for a run; its drafts are left out.

    A shipped set's name comes before a path; write `./starter` for a folder of that name. A path is a
    `questions.jsonl`, a folder with one (and, if it has documents of its own, a `corpus.jsonl`), or any
    format that an importer knows. `split` is for formats that are divided, such as BEIR's.

    Raises `BadQuestionSet` where there is no such set, its format is unknown, it has faults, it has no
    such split, or all its questions are drafts.
    """
    shipped = shipped_sets()
    path = shipped.get(name_or_path) or Path(name_or_path).expanduser()
    if not path.exists():
        near = difflib.get_close_matches(name_or_path, shipped, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise BadQuestionSet(
            f"there is no question set {name_or_path!r}: expected the name of a shipped set "
            f"({', '.join(shipped)}) or the path of a file or folder{hint}"
        )
    importer = importer_of(path)
    if importer:
        found = importer.read(path, split)
    else:
        no_split(path, split)
        found = _ours(path)
    if name_or_path in OVER_STARTER:
        found = Imported(found.questions, (starter_folder(), *found.paths))
    return QuestionSet(_name(path, found.split), _finished(path, found.questions), found.paths, found.records)


def _ours(path: Path) -> Imported:
    if path.is_dir():
        questions, corpus = beside(path, QUESTIONS), beside(path, CORPUS)
        if questions:
            return Imported(read_questions(questions), (corpus,) if corpus else ())
    elif plain_name(path) == QUESTIONS or "question" in first_keys(path):
        return Imported(read_questions(path))
    known = "\n  ".join((f"{QUESTIONS}, or a folder with one", *(importer.name for importer in importers())))
    raise BadQuestionSet(f"{path}: expected a question set in one of these formats:\n  {known}")


def _finished(path: Path, questions: tuple[EvalQuestion, ...]) -> tuple[EvalQuestion, ...]:
    finished = tuple(question for question in questions if not question.draft)
    if not finished:
        raise BadQuestionSet(
            f"{path}: expected a question that is not a draft; all {len(questions):,} are: finish some, and "
            'delete "draft": true from their lines'
        )
    return finished


def _name(path: Path, split: str) -> str:
    """Return a name for people: the folder's or file's without endings, and the split."""
    resolved = path.resolve()
    base = resolved.name if resolved.is_dir() else resolved.name.partition(".")[0]
    if base == "questions":
        base = resolved.parent.name
    return f"{base}-{split}" if split else base
