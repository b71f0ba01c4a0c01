"""The scores of a run, question by question, in long form: one row a question and metric."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from index.errors import AsktopicError

HEADER = ("question", "cluster", "category", "metric", "value")


class BadScores(AsktopicError):
    """A file of scores cannot be read."""


@dataclass(frozen=True, slots=True)
class Row:
    question: str
    cluster: str
    category: str
    metric: str
    value: float


@dataclass(frozen=True)
class Scores:
    """All rows of a run. Everything that compares, gates or sums up a run stands on these alone."""

    rows: Sequence[Row]

    @cached_property
    def by_metric(self) -> Mapping[str, Mapping[str, float]]:
        """Map metric to question to value, in the order of the rows."""
        found: dict[str, dict[str, float]] = {}
        for row in self.rows:
            found.setdefault(row.metric, {})[row.question] = row.value
        return found

    @cached_property
    def cluster_of(self) -> Mapping[str, str]:
        return {row.question: row.cluster for row in self.rows}

    @cached_property
    def category_of(self) -> Mapping[str, str]:
        return {row.question: row.category for row in self.rows}

    def questions(self, metrics: Sequence[str]) -> list[str]:
        """Return the questions that have a value for every one of the metrics, in order of appearance."""
        if not metrics:
            return []
        columns = [self.by_metric.get(name, {}) for name in metrics]
        return [question for question in columns[0] if all(question in column for column in columns[1:])]

    def column(self, metric: str, questions: Sequence[str]) -> NDArray[np.float64]:
        """Return the values of a metric for these questions. Raises `KeyError` where one has none."""
        values = self.by_metric[metric]
        return np.array([values[question] for question in questions], np.float64)

    def write(self, path: Path) -> None:
        """Write a CSV file. Values are written so that reading gives the very same numbers."""
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(HEADER)
            writer.writerows((r.question, r.cluster, r.category, r.metric, repr(r.value)) for r in self.rows)

    @classmethod
    def read(cls, path: Path) -> Scores:
        """Read a CSV file. Raises `BadScores`, with the line, where it is not one of ours."""
        try:
            with path.open(encoding="utf-8", newline="") as file:
                return cls(tuple(_rows(csv.reader(file), path)))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise BadScores(f"{path} cannot be read: {error}") from error


def _rows(lines: Iterable[Sequence[str]], path: Path) -> Iterable[Row]:
    for number, line in enumerate(lines, start=1):
        if number == 1:
            if tuple(line) != HEADER:
                raise BadScores(f"{path}: expected the columns {', '.join(HEADER)}")
            continue
        try:
            question, cluster, category, metric, value = line
            row = Row(question, cluster, category, metric, float(value))
        except ValueError:
            raise BadScores(f"{path}:{number}: not a row of scores: {','.join(line)[:80]}") from None
        if not math.isfinite(row.value):
            raise BadScores(f"{path}:{number}: {metric} of {question} is {value}")
        yield row
