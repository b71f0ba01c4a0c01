"""Plain tables: CSV or TSV with a header, the form in which people keep questions in a spreadsheet."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from eval.questions.gathering import Gathering
from eval.questions.importers.beir import whole_number
from eval.questions.importers.importer import Imported, QuestionIds, category, no_split
from eval.questions.question import EvalQuestion
from eval.questions.rows import Row, columns, plain_name, table_rows
from index.sources.validation import as_date

COLUMNS = (
    "id",
    "question",
    "topic",
    "category",
    "answer",
    "relevant",
    "must_cite",
    "answerable",
    "why_not",
    "as_of",
    "source",
    "licence",
    "cluster",
)
_YES, _NO = ("yes", "true", "1", "y"), ("no", "false", "0", "n")


class Table:
    """Columns of `COLUMNS`, of which only `question` has to be there; others are notes, and ignored.

    `relevant` and `must_cite` hold ids parted by `;` or `|`; a grade may follow an id, as `id=2`.
    """

    name = "CSV or TSV with a header (question; optional id, topic, category, answer, relevant, answerable…)"

    def matches(self, path: Path) -> bool:
        # Not .jsonl: there the word "question" opens an object.
        return plain_name(path).endswith((".csv", ".tsv", ".txt")) and "question" in columns(path)

    def read(self, path: Path, split: str | None) -> Imported:
        no_split(path, split)
        gathering, ids = Gathering(path), QuestionIds()
        for name in columns(path):
            near = difflib.get_close_matches(name, COLUMNS, 1, cutoff=0.8)
            if near and near[0] != name:
                gathering.fault(f"{path}:1", f"column {name!r}: did you mean {near[0]!r}?")
        for row in table_rows(path, gathering):
            with gathering.at(row.where):
                gathering.add(row.where, _question(row, ids))
        return Imported(gathering.done())


def _question(row: Row, ids: QuestionIds) -> EvalQuestion:
    text = row.required("question")
    answerable = _flag(row.string("answerable"))
    return EvalQuestion(
        id=row.string("id") or ids.next(text),
        question=text,
        topic=row.string("topic") or None,
        category=category(row.string("category")),
        answerable=answerable,
        why_not=row.string("why_not") or ("" if answerable else "so says the table, without a reason"),
        as_of=as_date(row.string("as_of")) if row.string("as_of") else None,
        relevant=dict(_graded(item) for item in _items(row.string("relevant"))),
        must_cite=tuple(_items(row.string("must_cite"))),
        gold_answer=row.string("answer"),
        source=row.string("source"),
        licence=row.string("licence"),
        cluster=row.string("cluster"),
    )


def _flag(text: str) -> bool:
    if text.casefold() not in ("", *_YES, *_NO):
        raise ValueError(f"answerable: expected yes or no, got {text[:40]!r}")
    return text.casefold() not in _NO


def _items(text: str) -> list[str]:
    return [item.strip() for item in re.split(r"[;|]", text) if item.strip()]


def _graded(item: str) -> tuple[str, int]:
    source, mark, grade = item.rpartition("=")
    return (source, whole_number(grade)) if mark else (item, 1)
