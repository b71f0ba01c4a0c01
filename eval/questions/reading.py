"""Read and write `questions.jsonl`: one question a line, what is left out being the default."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from eval.questions.gathering import BadQuestionSet, Gathering
from eval.questions.question import EvalQuestion
from eval.questions.rows import json_lines

__all__ = ["BadQuestionSet", "fingerprint", "read_questions", "write_questions"]


def read_questions(path: Path) -> tuple[EvalQuestion, ...]:
    """Read a set's questions in file order, drafts among them; plain, gzip or xz.

    Raises `BadQuestionSet` with the first 20 faults of the whole file, each with its line: a line that is
    not UTF-8 or not JSON, a field that is unknown or of a wrong type, an id that occurs twice, no question.
    """
    gathering = Gathering(path)
    for row in json_lines(path, gathering):
        with gathering.at(row.where):
            # Strict: the word "no" is not false, and 1 is no id.
            gathering.add(row.where, EvalQuestion.model_validate_json(row.text, strict=True))
    return gathering.done()


def write_questions(path: Path, questions: Iterable[EvalQuestion]) -> None:
    """Write a set, whole or not at all; what equals a default is left out, so that lines stay short."""
    draft = path.with_name(path.name + ".part")
    with draft.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(_plain(question), ensure_ascii=False) + "\n" for question in questions)
    draft.replace(path)


def fingerprint(questions: Iterable[EvalQuestion]) -> str:
    """Name a set's content in 16 hexadecimal digits, whatever the order of its questions and keys.

    Defaults are left out of it: a field that a later version adds does not rename the sets of today.
    """
    ordered = sorted(questions, key=lambda question: question.id)
    canonical = json.dumps([_plain(question) for question in ordered], sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(canonical.encode(), digest_size=8).hexdigest()


def _plain(question: EvalQuestion) -> dict[str, Any]:
    return question.model_dump(mode="json", by_alias=True, exclude_defaults=True)
