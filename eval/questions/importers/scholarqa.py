"""ScholarQABench (Asai et al., 2024): the rubrics of ScholarQA-CS, and the form of its other parts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eval.questions.gathering import Gathering
from eval.questions.importers.importer import Imported, QuestionIds, category, document, no_split
from eval.questions.question import EvalQuestion, Nugget
from eval.questions.rows import Row, first_keys, json_rows
from index.records import Paper
from index.sources.validation import shown

_SOURCE = "ScholarQABench (Asai et al., 2024)"
_LICENCE = "ODC-BY 1.0"


class ScholarQACS:
    """`test_configs_snippets.json`: `initial_prompt`, `case_id`, and criteria under `metric_config`.

    A criterion is a nugget, vital where the annotator called it most important, and the snippets the
    annotator gave for it are accepted phrasings. A criterion says what an answer should do ("should
    define…"): only a judge that reads can tell whether it did, so the literal nugget metrics stay low.
    Several annotators wrote criteria for one question: those questions are one cluster.
    """

    name = "ScholarQA-CS (JSON with initial_prompt and metric_config)"

    def matches(self, path: Path) -> bool:
        return path.is_file() and {"initial_prompt", "metric_config"} <= first_keys(path)

    def read(self, path: Path, split: str | None) -> Imported:
        no_split(path, split)
        gathering, ids = Gathering(path), QuestionIds()
        for row in json_rows(path, gathering):
            with gathering.at(row.where):
                text = row.required("initial_prompt")
                question = EvalQuestion(
                    id=row.string("case_id") or ids.next(text),
                    question=text,
                    category="rubric",
                    nuggets=_criteria(row),
                    source=_SOURCE,
                    licence=_LICENCE,
                    cluster=QuestionIds().next(text),
                )
                gathering.add(row.where, question)
        return Imported(gathering.done())


class ScholarQA:
    """`input` with `output` or `answer`, and the passages an answer was written from.

    `gold_ctx` and `gold_ctxs` are relevant. So are `ctxs` where an expert's `output` cites them; beside
    gold passages they are the rest of a paper, which nobody judged. A system's predictions are kept in the
    same form, and nothing in it tells them from an expert's answers: import the latter alone.
    """

    name = "ScholarQABench (JSON with input, and output, answer or ctxs)"

    def matches(self, path: Path) -> bool:
        if not path.is_file():
            return False
        keys = first_keys(path)
        return "input" in keys and "user_input" not in keys

    def read(self, path: Path, split: str | None) -> Imported:
        no_split(path, split)
        gathering, ids = Gathering(path), QuestionIds()
        records: dict[str, Paper] = {}
        for row in json_rows(path, gathering):
            with gathering.at(row.where):
                text = row.required("input")
                gold = [*_passages(row, "gold_ctx"), *_passages(row, "gold_ctxs")]
                other = _passages(row, "ctxs")
                records.update((paper.id, paper) for paper in (*gold, *other))
                question = EvalQuestion(
                    id=row.string("id", "case_id") or ids.next(text),
                    question=text,
                    category=category(row.string("subject")),
                    relevant=dict.fromkeys((paper.id for paper in gold or other), 1),
                    gold_answer=row.string("output", "answer"),
                    source=_SOURCE,
                    licence=_LICENCE,
                )
                gathering.add(row.where, question)
        return Imported(gathering.done(), records=tuple(records.values()))


def _criteria(row: Row) -> tuple[Nugget, ...]:
    config: Any = row.values.get("metric_config")
    config = config.get("config") if isinstance(config, dict) else None
    criteria = config.get("other_properties") if isinstance(config, dict) else None
    if not isinstance(criteria, list) or not all(isinstance(one, dict) for one in criteria):
        raise ValueError("metric_config.config.other_properties: expected a list of criteria")
    return tuple(_criterion(one) for one in criteria)


def _criterion(values: Mapping[str, Any]) -> Nugget:
    text, evidence = values.get("criterion"), values.get("evidence") or []
    if not isinstance(text, str) or not text.strip():
        raise ValueError(f"criterion: expected text that is not empty, got {shown(text)}")
    if not isinstance(evidence, list):
        raise ValueError(f"evidence: expected a list of snippets, got {shown(evidence)}")
    return Nugget(
        text=text,
        vital=str(values.get("name")).startswith("most_important"),
        accepted=tuple(one.strip() for one in evidence if isinstance(one, str) and one.strip()),
    )


def _passages(row: Row, name: str) -> list[Paper]:
    """Return the passages with text; in some files one is an object, in some a list, in some absent."""
    value = row.values.get(name) or []
    found = []
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict) or not isinstance(item.get("text"), str):
            raise ValueError(f"{name}: expected passages with a text, got {shown(item)}")
        if item["text"].strip():
            found.append(document(str(item.get("title") or ""), item["text"]))
    return found
