"""RAGAS data sets: `user_input` and `reference`, or the older `question` and `ground_truth`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from eval.questions.gathering import Gathering
from eval.questions.importers.importer import Imported, QuestionIds, category, document, no_split
from eval.questions.question import EvalQuestion
from eval.questions.rows import Row, columns, first_keys, json_rows, plain_name, table_rows
from index.records import Paper
from index.sources.json_records import parse
from index.sources.validation import shown
from rag.answer import Turn

_OLD = {"ground_truth", "ground_truths", "contexts"}
_HUMAN = ("human", "user")


class Ragas:
    """JSON, JSON Lines or CSV. The reference is `gold_answer`; reference contexts become records.

    Reference contexts are relevant. Contexts that some system retrieved (`retrieved_contexts`; in the old
    names `contexts`, where the system's `answer` stands beside them) are documents, but nobody judged them.
    The system's own answer is left out.
    """

    name = "RAGAS data set (user_input and reference, or question and ground_truth)"

    def matches(self, path: Path) -> bool:
        keys = first_keys(path) or frozenset(columns(path) if _is_table(path) else ())
        return "user_input" in keys or ("question" in keys and bool(keys & _OLD))

    def read(self, path: Path, split: str | None) -> Imported:
        no_split(path, split)
        gathering, ids = Gathering(path), QuestionIds()
        records: dict[str, Paper] = {}
        for row in table_rows(path, gathering) if _is_table(path) else json_rows(path, gathering):
            with gathering.at(row.where):
                text, history = _asked(row)
                relevant, other = _contexts(row)
                records.update((paper.id, paper) for paper in (*relevant, *other))
                question = EvalQuestion(
                    id=row.string("id") or ids.next(text),
                    question=text,
                    history=history,
                    category=category(row.string("synthesizer_name", "evolution_type")),
                    relevant=dict.fromkeys((paper.id for paper in relevant), 1),
                    gold_answer=_reference(row),
                    source="RAGAS data set",
                )
                gathering.add(row.where, question)
        return Imported(gathering.done(), records=tuple(records.values()))


def _is_table(path: Path) -> bool:
    return path.is_file() and not first_keys(path) and plain_name(path).endswith((".csv", ".tsv"))


def _asked(row: Row) -> tuple[str, tuple[Turn, ...]]:
    """Return the question and what was said before it."""
    messages = row.values.get("user_input")
    if not isinstance(messages, list):
        return row.required("user_input", "question"), ()
    said: list[tuple[bool, str]] = []
    for message in messages:
        values = message if isinstance(message, dict) else {}
        content, kind = values.get("content"), values.get("type") or values.get("role")
        if not isinstance(content, str) or not isinstance(kind, str):
            raise ValueError(f"user_input: expected messages with a type and a content, got {shown(message)}")
        said.append((kind in _HUMAN, content))
    asked = [number for number, (human, _) in enumerate(said) if human]
    if not asked:
        raise ValueError("user_input: expected a message of type human, found none")
    turns = []
    for start, end in pairwise(asked):
        turns.append(
            Turn(question=said[start][1], answer=" ".join(text for _, text in said[start + 1 : end]))
        )
    return said[asked[-1]][1], tuple(turns)


def _reference(row: Row) -> str:
    several = row.values.get("ground_truths")
    if several and not row.values.get("ground_truth"):
        return " ".join(str(text) for text in _list(row, "ground_truths"))
    found = row.string("reference", "ground_truth")
    return "" if found == "nan" else found  # how pandas writes "none"


def _contexts(row: Row) -> tuple[Sequence[Paper], Sequence[Paper]]:
    """Return the documents that are relevant, and the others."""
    of_a_system = "retrieved_contexts" if "user_input" in row.values else "contexts"
    judged = [document("", text) for text in _texts(row, "reference_contexts")]
    keys = _list(row, "reference_context_ids")
    if len(keys) == len(judged):  # the documents' own ids, in a set that has them
        judged = [paper.model_copy(update={"id": str(key)}) for paper, key in zip(judged, keys, strict=True)]
    other = [document("", text) for text in _texts(row, of_a_system)]
    if of_a_system == "contexts" and not row.values.get("answer"):
        return judged + other, []  # a generated test set: the contexts it was generated from
    return judged, other


def _texts(row: Row, name: str) -> list[str]:
    found = _list(row, name)
    for text in found:
        if not isinstance(text, str):
            raise ValueError(f"{name}: expected a list of texts, got {shown(text)} in it")
    return [text for text in found if isinstance(text, str) and text.strip()]


def _list(row: Row, name: str) -> list[object]:
    """Return a list, which a table holds as JSON or as Python writes one."""
    value: Any = row.values.get(name)
    if isinstance(value, str) and value.strip() not in ("", "nan"):
        value = _parsed(name, value)
    elif isinstance(value, str):
        value = None
    if value is not None and not isinstance(value, list):
        raise ValueError(f"{name}: expected a list, got {shown(value)}")
    return value or []


def _parsed(name: str, text: str) -> object:
    try:
        return parse(text)
    except ValueError:
        pass
    try:
        return ast.literal_eval(text)  # literals only: it computes nothing
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise ValueError(f"{name}: expected a list in brackets, got {shown(text)}") from None
