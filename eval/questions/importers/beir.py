"""BEIR folders: `corpus.jsonl`, `queries.jsonl` and `qrels/SPLIT.tsv` (Thakur et al., 2021)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from eval.questions.gathering import Gathering
from eval.questions.importers.importer import Imported, beside, chosen_split, judged, opening_words
from eval.questions.question import EvalQuestion
from eval.questions.rows import Row, json_lines
from index.records import Paper
from index.sources.opening import read_text

DEFAULT_SPLIT = "test"

MAX_QRELS = 256 * 1024 * 1024
"""Largest file of judgements taken, in bytes: MS MARCO's training judgements have 10 MB."""

Judgements = Mapping[str, Mapping[str, int]]
"""Grades by query and document."""


class Beir:
    """A query is a question when the split judges it; its grades are `relevant`."""

    name = "BEIR folder (corpus.jsonl, queries.jsonl, qrels/*.tsv)"

    def matches(self, path: Path) -> bool:
        return path.is_dir() and beside(path, "queries.jsonl") is not None and bool(splits(path))

    def read(self, path: Path, split: str | None) -> Imported:
        chosen = chosen_split(path, split, splits(path), DEFAULT_SPLIT)
        gathering = Gathering(path)
        for where, key, text, grades in judged_queries(path, chosen, gathering):
            with gathering.at(where):
                gathering.add(
                    where,
                    EvalQuestion(id=key, question=text, relevant=dict(grades), source=f"BEIR {path.name}"),
                )
        paths, records = corpus(path, gathering)
        return Imported(gathering.done(), paths, records, chosen)


def splits(folder: Path) -> dict[str, Path]:
    """Return the files of judgements by split."""
    return {file.stem: file for file in sorted((folder / "qrels").glob("*.tsv"))}


def judged_queries(
    folder: Path, split: str, gathering: Gathering
) -> list[tuple[str, str, str, Mapping[str, int]]]:
    """Return where it stands, id, text and grades of each query that the split judges, in file order."""
    judgements = read_qrels(splits(folder)[split], gathering)
    queries = beside(folder, "queries.jsonl")
    found: list[tuple[str, str, str, Mapping[str, int]]] = []
    if queries is None:
        gathering.fault(str(folder), "expected queries.jsonl, found none")
        return found
    for row in json_lines(queries, gathering):
        with gathering.at(row.where):
            key = row.required("_id", "id")
            if key in judgements:
                found.append((row.where, key, row.required("text"), judgements[key]))
    unknown = sorted(judgements.keys() - {key for _, key, _, _ in found})
    if unknown:
        gathering.fault(
            str(splits(folder)[split]),
            f"expected judgements of queries in {queries.name}; {len(unknown):,} are of others, "
            f"{unknown[0]!r} the first",
        )
    return found


def read_qrels(path: Path, gathering: Gathering) -> Judgements:
    """Read three columns, query, document and grade, with or without a header."""
    found: dict[str, dict[str, int]] = {}
    lines: list[str] = []
    with gathering.at(str(path)):
        lines = read_text(path, MAX_QRELS).split("\n")
    for number, line in enumerate(lines, 1):
        cells = line.split("\t") if "\t" in line else line.split()
        if not line.strip() or (number == 1 and cells[-1].strip() in ("score", "relevance")):
            continue
        with gathering.at(f"{path}:{number}"):
            if len(cells) != 3:
                raise ValueError(f"expected three columns (query, document, grade), got {len(cells)}")
            query, source, grade = (cell.strip() for cell in cells)
            found.setdefault(query, {}).update(judged([(source, whole_number(grade))]))
    return found


def whole_number(text: str) -> int:
    """Return a grade. Raises `ValueError` in words."""
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"grade: expected a whole number, got {text[:40]!r}") from None


def corpus(folder: Path, gathering: Gathering) -> tuple[tuple[Path, ...], tuple[Paper, ...]]:
    """Return the corpus as a file to ingest; as records where documents lack the title that a paper needs.

    The title is then the text's first words.
    """
    file = beside(folder, "corpus.jsonl")
    if file is None:
        gathering.fault(str(folder), "expected corpus.jsonl, plain, .gz or .xz; found none")
        return (), ()
    # What is wrong in a file that is ingested as it is, ingest reports.
    if all(str(row.values.get("title") or "").strip() for row in json_lines(file, Gathering(file))):
        return (file,), ()
    records = []
    for row in json_lines(file, gathering):
        with gathering.at(row.where):
            records.append(_paper(row))
    return (), tuple(records)


def _paper(row: Row) -> Paper:
    text = row.string("text", "abstract")
    title = row.string("title").strip() or opening_words(text)
    return Paper(id=row.required("_id", "id"), title=title, abstract=text)
