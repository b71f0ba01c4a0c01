"""The bounds a run must keep, from a YAML file."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import Field

from eval.metrics import DERIVED, METRICS
from eval.metrics.metric import Derived, Metric
from eval.model import Model
from index.errors import AsktopicError


class BadThresholds(AsktopicError):
    """A file of thresholds cannot be used."""


class Thresholds(Model):
    """Bounds by metric; `categories` maps a category to floors of its own.

    A regression's number is the tolerance: the drop (for a metric where lower is better, the rise) that is
    let pass. A zero-tolerance metric must be perfect for every single question.
    """

    floors: dict[str, float] = Field(default_factory=dict)
    ceilings: dict[str, float] = Field(default_factory=dict)
    regressions: dict[str, float] = Field(default_factory=dict)
    zero_tolerance: tuple[str, ...] = ()
    categories: dict[str, dict[str, float]] = Field(default_factory=dict)


def load_thresholds(
    path: Path, *, metrics: Sequence[Metric] = METRICS, derived: Sequence[Derived] = DERIVED
) -> Thresholds:
    """Read a file of thresholds.

    Raises `BadThresholds`, with the file and line, for what is not YAML, a key that is unknown or comes
    twice, a metric that does not exist or cannot be bound so, and a bound that is not a finite number; and
    for a file without a single bound, since a gate that checks nothing lets everything pass.
    """
    every: Sequence[Metric | Derived] = (*metrics, *derived)
    reading = _Reading(
        path,
        known=frozenset(metric.name for metric in every),
        single=frozenset(metric.name for metric in metrics),
        lower_is_better=frozenset(metric.name for metric in every if not metric.higher_is_better),
    )
    root = _compose(path)
    if root is None:
        raise BadThresholds(f"{path}: empty: a gate without bounds lets everything pass")
    read = reading.thresholds(root)
    if not any(
        (read.floors, read.ceilings, read.regressions, read.zero_tolerance, *read.categories.values())
    ):
        raise BadThresholds(f"{path}: no bounds: a gate that checks nothing lets everything pass")
    return read


def _compose(path: Path) -> yaml.Node | None:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadThresholds(f"{path} cannot be read: {error}") from error
    try:
        return yaml.compose(text, yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        raise BadThresholds(f"{where}: not YAML: {error.problem}") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise BadThresholds(f"{path}: not YAML: {error}") from error


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads nodes rather than values: nodes know their lines, and a key that comes twice."""

    path: Path
    known: Collection[str]
    single: Collection[str]
    lower_is_better: Collection[str]

    def thresholds(self, root: yaml.Node) -> Thresholds:
        entries = self._mapping(root, "the file")
        for key, (name, _) in entries.items():
            if key not in Thresholds.model_fields:
                raise self._bad(name, f"unknown key {key!r}; known are {', '.join(Thresholds.model_fields)}")
        nodes = {key: value for key, (_, value) in entries.items()}
        return Thresholds(
            floors=self._floors(nodes.get("floors"), "floors"),
            ceilings=self._bounds(nodes.get("ceilings"), "ceilings"),
            regressions=self._tolerances(nodes.get("regressions")),
            zero_tolerance=self._names(nodes.get("zero_tolerance")),
            categories=self._categories(nodes.get("categories")),
        )

    def _categories(self, node: yaml.Node | None) -> dict[str, dict[str, float]]:
        entries = self._mapping(node, "categories")
        return {name: self._floors(value, f"categories: {name}") for name, (_, value) in entries.items()}

    def _floors(self, node: yaml.Node | None, what: str) -> dict[str, float]:
        for metric, (name, _) in self._mapping(node, what).items():
            if metric in self.lower_is_better:
                raise self._bad(name, f"{metric} is better when lower: give it a ceiling, not a floor")
        return self._bounds(node, what)

    def _tolerances(self, node: yaml.Node | None) -> dict[str, float]:
        bounds = self._bounds(node, "regressions")
        for metric, (_, value) in self._mapping(node, "regressions").items():
            if bounds[metric] < 0:
                raise self._bad(value, f"the tolerance of {metric} must not be negative")
        return bounds

    def _bounds(self, node: yaml.Node | None, what: str) -> dict[str, float]:
        found = {}
        for metric, (name, value) in self._mapping(node, what).items():
            self._check_metric(name, metric)
            found[metric] = self._number(value, f"{what}: {metric}")
        return found

    def _names(self, node: yaml.Node | None) -> tuple[str, ...]:
        if node is None:
            return ()
        if not isinstance(node, yaml.SequenceNode):
            raise self._bad(node, "zero_tolerance: expected a list of metrics")
        found: list[str] = []
        for entry in node.value:
            name = self._word(entry, "zero_tolerance")
            self._check_metric(entry, name)
            if name not in self.single:
                raise self._bad(entry, f"zero_tolerance: {name} has no value for a single question")
            if name in found:
                raise self._bad(entry, f"zero_tolerance: {name} comes twice")
            found.append(name)
        return tuple(found)

    def _mapping(self, node: yaml.Node | None, what: str) -> Mapping[str, tuple[yaml.Node, yaml.Node]]:
        """Map each key to its node and its value's; an absent node is an empty mapping."""
        if node is None:
            return {}
        if not isinstance(node, yaml.MappingNode):
            raise self._bad(node, f"{what}: expected keys and values, as in 'name: value'")
        found: dict[str, tuple[yaml.Node, yaml.Node]] = {}
        for key, value in node.value:
            name = self._word(key, what)
            if name in found:
                first = found[name][0].start_mark.line + 1
                raise self._bad(key, f"{what}: {name!r} comes twice, first in line {first}")
            found[name] = (key, value)
        return found

    def _word(self, node: yaml.Node, what: str) -> str:
        if not isinstance(node, yaml.ScalarNode) or not node.value:
            raise self._bad(node, f"{what}: expected a name")
        return str(node.value)

    def _number(self, node: yaml.Node, what: str) -> float:
        # A quoted number is text. YAML 1.1 takes 1e-3 for text too, as it lacks a point; it is read as meant.
        plain = isinstance(node, yaml.ScalarNode) and node.style is None
        try:
            number = float(node.value) if plain else math.nan
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self._bad(node, f"{what}: expected a finite number")
        return number

    def _check_metric(self, node: yaml.Node, name: str) -> None:
        if name not in self.known:
            raise self._bad(node, f"unknown metric {name!r}; known are {', '.join(sorted(self.known))}")

    def _bad(self, node: yaml.Node, message: str) -> BadThresholds:
        return BadThresholds(f"{self.path}:{node.start_mark.line + 1}: {message}")
