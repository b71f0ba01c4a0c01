"""Holding a run against its thresholds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from eval.compare.comparison import MetricComparison, compare
from eval.gate.thresholds import Thresholds
from eval.metrics import DERIVED, METRICS
from eval.metrics.metric import Derived, Metric
from eval.model import Model
from eval.scores import Scores
from eval.summary import Figure, summarise

Kind = Literal["floor", "ceiling", "regression", "zero_tolerance"]

# A mean of values that meets its bound on paper may miss it by rounding.
ROUNDING = 1e-9

# More names than this make a message unreadable; the check holds all of them.
NAMED = 5


class Check(Model):
    """One bound and whether it is kept.

    `value` is the run's figure, for a regression the change against the baseline; None where there is none,
    and then the check has failed. `questions` are those at fault, where single questions can be.
    """

    name: str
    metric: str
    kind: Kind
    passed: bool
    value: float | None = None
    bound: float | None = None
    message: str
    questions: tuple[str, ...] = ()


class GateResult(Model):
    passed: bool
    checks: tuple[Check, ...]


def check_gate(
    thresholds: Thresholds,
    scores: Scores,
    baseline: Scores | None = None,
    *,
    metrics: Sequence[Metric] = METRICS,
    derived: Sequence[Derived] = DERIVED,
    seed: int = 0,
    resamples: int = 10_000,
) -> GateResult:
    """Check every threshold; the run passes if all are kept.

    What cannot be checked fails: a metric without values, a regression without a baseline. A regression needs
    both a 95% interval of the paired difference that lies beyond zero on the worse side and a mean change
    beyond the tolerance: neither chance nor a trifle stops a release.
    """
    by_category = {name for floors in thresholds.categories.values() for name in floors}
    bounded = thresholds.floors.keys() | thresholds.ceilings.keys() | by_category
    summary = summarise(
        scores,
        metrics=[m for m in metrics if m.name in bounded],
        derived=[d for d in derived if d.name in bounded],
        seed=seed,
    )
    overall = {figure.metric: figure for figure in summary.figures}
    checks = [_floor(metric, bound, overall) for metric, bound in thresholds.floors.items()]
    checks += [_ceiling(metric, bound, overall) for metric, bound in thresholds.ceilings.items()]
    for category, floors in thresholds.categories.items():
        figures = {figure.metric: figure for figure in summary.categories.get(category, ())}
        checks += [_floor(metric, bound, figures, category) for metric, bound in floors.items()]
    single = {metric.name: metric for metric in metrics}
    checks += [
        _zero_tolerance(metric, single.get(metric), scores.by_metric.get(metric, {}))
        for metric in thresholds.zero_tolerance
    ]
    if thresholds.regressions and baseline is None:
        checks += [
            _unchecked(metric, "regression", tolerance, "there is no baseline to compare with")
            for metric, tolerance in thresholds.regressions.items()
        ]
    elif baseline is not None:
        comparison = compare(
            baseline,
            scores,
            metrics=[m for m in metrics if m.name in thresholds.regressions],
            derived=[d for d in derived if d.name in thresholds.regressions],
            primary=(),
            seed=seed,
            resamples=resamples,
        )
        changes = {change.metric: change for change in comparison.metrics}
        checks += [
            _regression(metric, tolerance, changes.get(metric), len(comparison.only_baseline))
            for metric, tolerance in thresholds.regressions.items()
        ]
    return GateResult(passed=all(check.passed for check in checks), checks=tuple(checks))


def _floor(metric: str, bound: float, figures: Mapping[str, Figure], category: str = "") -> Check:
    return _bound("floor", metric, bound, figures, category)


def _ceiling(metric: str, bound: float, figures: Mapping[str, Figure]) -> Check:
    return _bound("ceiling", metric, bound, figures, "")


def _bound(
    kind: Literal["floor", "ceiling"], metric: str, bound: float, figures: Mapping[str, Figure], category: str
) -> Check:
    figure = figures.get(metric)
    if figure is None:
        return _unchecked(metric, kind, bound, "the run has no value for it", category)
    above = figure.value - bound if kind == "floor" else bound - figure.value
    passed = above >= -ROUNDING
    side = (
        ("at or above" if passed else "below") if kind == "floor" else ("at or below" if passed else "above")
    )
    return Check(
        name=_name(kind, metric, category),
        metric=metric,
        kind=kind,
        passed=passed,
        value=figure.value,
        bound=bound,
        message=f"{figure.value:.6g} is {side} the {kind} of {bound:.6g} "
        f"(n = {figure.n}, 95% interval {figure.low:.4g} to {figure.high:.4g})",
    )


def _zero_tolerance(name: str, metric: Metric | None, values: Mapping[str, float]) -> Check:
    if metric is None or not values:
        return _unchecked(name, "zero_tolerance", None, "the run has no value for it")
    perfect = 1.0 if metric.higher_is_better else 0.0
    offending = tuple(question for question, value in values.items() if abs(value - perfect) > ROUNDING)
    if offending:
        rest = f" and {len(offending) - NAMED} more" if len(offending) > NAMED else ""
        message = (
            f"{len(offending)} of {len(values)} questions are not at {perfect:g}: "
            f"{', '.join(offending[:NAMED])}{rest}"
        )
    else:
        message = f"all {len(values)} questions are at {perfect:g}"
    return Check(
        name=_name("zero_tolerance", name),
        metric=name,
        kind="zero_tolerance",
        passed=not offending,
        value=sum(values.values()) / len(values),
        bound=perfect,
        message=message,
        questions=offending,
    )


def _regression(metric: str, tolerance: float, change: MetricComparison | None, lost: int) -> Check:
    if change is None:
        return _unchecked(metric, "regression", tolerance, "no question has a value for it in both runs")
    if change.higher_is_better:
        bound, worsening, beyond_chance = -tolerance, -change.difference, change.high < 0
    else:
        bound, worsening, beyond_chance = tolerance, change.difference, change.low > 0
    beyond_tolerance = worsening > tolerance + ROUNDING
    if worsening <= 0:
        verdict = "not worse"
    elif not beyond_tolerance:
        verdict = f"within the tolerance of {tolerance:.6g}"
    elif not beyond_chance:
        verdict = f"beyond the tolerance of {tolerance:.6g}, but the interval reaches zero"
    else:
        verdict = f"worse beyond the tolerance of {tolerance:.6g}, and beyond chance"
    missing = f"; {lost} questions of the baseline are not in this run" if lost else ""
    return Check(
        name=_name("regression", metric),
        metric=metric,
        kind="regression",
        passed=not (beyond_tolerance and beyond_chance),
        value=change.difference,
        bound=bound,
        message=f"{change.baseline:.6g} to {change.candidate:.6g}, a change of {change.difference:+.4g} "
        f"(n = {change.n}, 95% interval {change.low:+.4g} to {change.high:+.4g}): {verdict}{missing}",
    )


def _unchecked(metric: str, kind: Kind, bound: float | None, why: str, category: str = "") -> Check:
    return Check(
        name=_name(kind, metric, category),
        metric=metric,
        kind=kind,
        passed=False,
        bound=bound,
        message=f"cannot be checked: {why}",
    )


def _name(kind: Kind, metric: str, category: str = "") -> str:
    words = f"{kind.replace('_', ' ')} {metric}"
    return f"{words} in {category}" if category else words
