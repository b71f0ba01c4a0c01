"""PubMedQA: titles that are questions, asked of abstracts without their conclusions (Jin et al., 2019)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from eval.questions.gathering import Gathering
from eval.questions.importers.importer import Imported, beside, category, no_split, opening_words
from eval.questions.question import EvalQuestion
from eval.questions.rows import MAX_DOCUMENT, Row, first_keys, json_lines
from index.records import Paper
from index.sources.json_records import parse
from index.sources.opening import read_text
from index.sources.validation import shown

_SOURCE = "PubMedQA (Jin et al., 2019)"
_LICENCE = "MIT"


class PubMedQA:
    """`questions.jsonl` with `decision` and `answer`, and `corpus.jsonl` with labelled `sections`.

    An abstract's title *is* the question, so it is not told: the abstract's first words stand for it. The
    authors' conclusion is `gold_answer`, and their decision (yes, no, maybe) the category.
    """

    name = "PubMedQA folder (questions.jsonl, corpus.jsonl with sections)"

    def matches(self, path: Path) -> bool:
        questions, corpus = beside(path, "questions.jsonl"), beside(path, "corpus.jsonl")
        return (
            questions is not None
            and corpus is not None
            and "decision" in first_keys(questions)
            and {"sections", "label"} <= first_keys(corpus)
        )

    def read(self, path: Path, split: str | None) -> Imported:
        no_split(path, split)
        gathering = Gathering(path)
        records: dict[str, Paper] = {}
        for row in json_lines(beside(path, "corpus.jsonl") or path / "corpus.jsonl", gathering):
            with gathering.at(row.where):
                paper = _paper(
                    row.required("id"),
                    [_section(section) for section in _list(row, "sections")],
                    [str(word) for word in _list(row, "keywords")],
                )
                records[paper.id] = paper
        for row in json_lines(beside(path, "questions.jsonl") or path / "questions.jsonl", gathering):
            with gathering.at(row.where):
                question = _question(row)
                missing = [source for source in question.relevant if source not in records]
                if missing:
                    raise ValueError(f"relevant names {missing[0]!r}, which the corpus does not hold")
                gathering.add(row.where, question)
        return Imported(gathering.done(), records=tuple(records.values()))


class PubMedQAOriginal:
    """The published `ori_pqal.json`: an object of items by PubMed id."""

    name = "PubMedQA's ori_pqal.json (QUESTION, CONTEXTS, LONG_ANSWER)"

    def matches(self, path: Path) -> bool:
        return path.is_file() and {"QUESTION", "CONTEXTS"} <= first_keys(path)

    def read(self, path: Path, split: str | None) -> Imported:
        no_split(path, split)
        gathering = Gathering(path)
        items: Any = {}
        with gathering.at(str(path)):
            items = parse(read_text(path, MAX_DOCUMENT))
            if not isinstance(items, dict):
                raise ValueError(f"expected an object of items by PubMed id, got {shown(items)}")
        gathering.stop()
        records: list[Paper] = []
        for key, values in items.items():
            where = f"{path}, item {key}"
            with gathering.at(where):
                if not isinstance(values, dict):
                    raise ValueError(f"expected an object, got {shown(values)}")
                row = Row(where, values)
                contexts = [str(text) for text in _list(row, "CONTEXTS")]
                records.append(_paper(key, contexts, [str(word) for word in _list(row, "MESHES")]))
                gathering.add(
                    where,
                    EvalQuestion(
                        id=key,
                        question=row.required("QUESTION"),
                        category=category(row.string("final_decision")),
                        relevant={key: 1},
                        must_cite=(key,),
                        gold_answer=row.string("LONG_ANSWER"),
                        source=_SOURCE,
                        licence=_LICENCE,
                    ),
                )
        return Imported(gathering.done(), records=tuple(records))


def _question(row: Row) -> EvalQuestion:
    relevant = row.values.get("relevant")
    if not isinstance(relevant, dict):
        raise ValueError(f"relevant: expected an object of grades by id, got {shown(relevant)}")
    return EvalQuestion(
        id=row.required("id"),
        question=row.required("question"),
        category=category(row.string("decision")),
        relevant=relevant,
        must_cite=tuple(source for source, grade in relevant.items() if grade),
        gold_answer=row.string("answer"),
        source=_SOURCE,
        licence=_LICENCE,
    )


def _paper(key: str, sections: Iterable[str], tags: Iterable[str]) -> Paper:
    # A line a section: the next one starts a sentence, whether or not the last ended in a full stop.
    abstract = "\n".join(text.strip() for text in sections if text.strip())
    if not abstract:
        raise ValueError("expected sections with text, found none")
    return Paper(id=key, title=opening_words(abstract), abstract=abstract, tags=tuple(tags))


def _section(value: object) -> str:
    text = value.get("text") if isinstance(value, dict) else None
    if not isinstance(text, str):
        raise ValueError(f"sections: expected objects with a text, got {shown(value)}")
    return text


def _list(row: Row, name: str) -> list[object]:
    value = row.values.get(name) or []
    if not isinstance(value, list):
        raise ValueError(f"{name}: expected a list, got {shown(value)}")
    return value
