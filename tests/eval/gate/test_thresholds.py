"""Reading thresholds: what is taken, and that every mistake is named with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from eval.gate.thresholds import BadThresholds, Thresholds, load_thresholds
from eval.metrics.metric import Derived, Metric


def metric(name: str, *, higher_is_better: bool = True) -> Metric:
    return Metric(name, "", "", lambda _: True, lambda *_: None, higher_is_better=higher_is_better)


METRICS = (metric("recall@10"), metric("injected", higher_is_better=False))
DERIVED = (Derived("f1", "", "", ("recall@10",), lambda _: 0.0),)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "thresholds.yaml"


def load(path: Path, text: str) -> Thresholds:
    path.write_text(text, encoding="utf-8")
    return load_thresholds(path, metrics=METRICS, derived=DERIVED)


def test_every_kind_of_bound_is_read(path: Path) -> None:
    found = load(
        path,
        """
# comments are welcome
floors: {recall@10: 0.8, f1: 1}
ceilings:
  injected: 1e-3
regressions:
  recall@10: 0.02
zero_tolerance: [injected]
categories:
  follow up:
    recall@10: .5
""",
    )
    assert found == Thresholds(
        floors={"recall@10": 0.8, "f1": 1.0},
        ceilings={"injected": 0.001},
        regressions={"recall@10": 0.02},
        zero_tolerance=("injected",),
        categories={"follow up": {"recall@10": 0.5}},
    )


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("floors: {f1: 1}\nfloor: {f1: 1}", 2, "unknown key 'floor'; known are floors, ceilings"),
        ("floors:\n  recal@10: 0.8", 2, "unknown metric 'recal@10'; known are f1, injected, recall@10"),
        ("zero_tolerance:\n  - nothing", 2, "unknown metric 'nothing'"),
        ("categories:\n  a:\n    nothing: 1", 3, "unknown metric 'nothing'"),
        ("floors:\n  f1: 1\n  f1: 2", 3, "'f1' comes twice, first in line 2"),
        ("floors: {f1: 1}\nfloors: {f1: 2}", 2, "'floors' comes twice, first in line 1"),
        ("zero_tolerance: [injected,\n injected]", 2, "injected comes twice"),
        ("floors:\n  f1: high", 2, "floors: f1: expected a finite number"),
        ("floors:\n  f1: '0.8'", 2, "floors: f1: expected a finite number"),
        ("floors:\n  f1: true", 2, "floors: f1: expected a finite number"),
        ("floors:\n  f1: .nan", 2, "floors: f1: expected a finite number"),
        ("floors:\n  f1: nan", 2, "floors: f1: expected a finite number"),
        ("floors:\n  f1:", 2, "floors: f1: expected a finite number"),
        ("floors:\n  f1: [1]", 2, "floors: f1: expected a finite number"),
        ("\nfloors: [f1]", 2, "floors: expected keys and values"),
        ("floors: {f1: 1}\nregressions:", 2, "regressions: expected keys and values"),
        ("categories:\n  a: 1", 2, "categories: a: expected keys and values"),
        ("- f1", 1, "the file: expected keys and values"),
        ("zero_tolerance: injected", 1, "expected a list of metrics"),
        ("zero_tolerance: [[injected]]", 1, "expected a name"),
        ("zero_tolerance: [f1]", 1, "f1 has no value for a single question"),
        ("floors:\n  injected: 0.1", 2, "give it a ceiling, not a floor"),
        ("categories:\n  a:\n    injected: 0.1", 3, "give it a ceiling, not a floor"),
        ("regressions:\n  f1: -0.1", 2, "the tolerance of f1 must not be negative"),
        ("floors: {f1: 1}\n---\nfloors: {f1: 1}", 2, "not YAML"),
        ("floors:\n  f1: 1\n bad: {", 3, "not YAML"),
        ("floors: *missing", 1, "not YAML"),
        ("floors: &a\n  f1: *a", 1, "expected a finite number"),
        ("floors: {f1: 1}\n? [a]\n: 1", 2, "expected a name"),
    ],
)
def test_a_mistake_is_named_with_its_line(path: Path, text: str, line: int, message: str) -> None:
    with pytest.raises(BadThresholds) as caught:
        load(path, text)
    assert caught.value.message.startswith(f"{path}:{line}: ")
    assert message in caught.value.message


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "floors: {}", "categories: {a: {}}", "zero_tolerance: []"]
)
def test_a_gate_that_would_check_nothing_is_refused(path: Path, text: str) -> None:
    with pytest.raises(BadThresholds, match="lets everything pass"):
        load(path, text)


@pytest.mark.parametrize("content", [b"\xff\xfe\xfa", b"floors: \x00", b"[" * 5000])
def test_what_is_not_yaml_text_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(BadThresholds, match=r"thresholds\.yaml"):
        load_thresholds(path, metrics=METRICS, derived=DERIVED)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadThresholds, match=r"none\.yaml cannot be read"):
        load_thresholds(tmp_path / "none.yaml", metrics=METRICS, derived=DERIVED)
