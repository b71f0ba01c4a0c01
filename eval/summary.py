"""A run in figures, each with its interval: over all questions and by category."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np

from eval.compare.bootstrap import bootstrap_interval
from eval.compare.clusters import cluster_sums
from eval.compare.derived import derived_interval, figure, groups_of
from eval.compare.wilson import wilson
from eval.metrics import DERIVED, METRICS
from eval.metrics.metric import Derived, Metric
from eval.model import Model
from eval.scores import Scores

# Categories hold a tenth of the questions, with intervals so wide that the noise of 200 draws is lost in
# them; a dozen categories with all derived figures at 1,000 draws would take longer than all else together.
CATEGORY_DERIVED_RESAMPLES = 200


class Figure(Model):
    """A metric's mean, or a derived figure, with its 95% interval, over `n` questions.

    The interval is Wilson's where every value is 0 or 1 and each question stands alone; else a bootstrap
    over clusters.
    """

    metric: str
    value: float
    low: float
    high: float
    n: int
    interval: Literal["wilson", "bootstrap"]
    higher_is_better: bool = True
    unit: str = ""
    meaning: str = ""


class Summary(Model):
    """The figures of a run. A metric that has no value for any question has no figure."""

    questions: int
    crashed: int
    figures: tuple[Figure, ...]
    categories: dict[str, tuple[Figure, ...]]
    seed: int


def summarise(
    scores: Scores,
    *,
    metrics: Sequence[Metric] = METRICS,
    derived: Sequence[Derived] = DERIVED,
    seed: int = 0,
    resamples: int = 2_000,
) -> Summary:
    """Sum up a run over all questions and by category; the empty category is none."""
    members = defaultdict(list)
    for question, category in scores.category_of.items():
        members[category].append(question)

    def figures(questions: Sequence[str], derived_resamples: int) -> tuple[Figure, ...]:
        means = (_mean(metric, scores, questions, seed, resamples) for metric in metrics)
        others = (_derived(one, scores, questions, seed, derived_resamples) for one in derived)
        return tuple(found for found in (*means, *others) if found)

    return Summary(
        questions=len(scores.cluster_of),
        crashed=sum(value > 0 for value in scores.by_metric.get("crashed", {}).values()),
        figures=figures(list(scores.cluster_of), resamples),
        categories={
            name: figures(members[name], min(resamples, CATEGORY_DERIVED_RESAMPLES))
            for name in sorted(members)
            if name
        },
        seed=seed,
    )


def _mean(
    metric: Metric, scores: Scores, questions: Sequence[str], seed: int, resamples: int
) -> Figure | None:
    column = scores.by_metric.get(metric.name, {})
    kept = sorted(question for question in questions if question in column)
    if not kept:
        return None
    values = scores.column(metric.name, kept)
    by_cluster = cluster_sums(values, [scores.cluster_of[question] for question in kept])
    ones, count = float(values.sum()), len(by_cluster.sums)
    # A unit says that the values are amounts: tokens may all be 0, and are no rate for that.
    is_rate = not metric.unit and bool(np.isin(values, (0.0, 1.0)).all())
    if is_rate and ones in (0, len(kept)):
        # All alike: a bootstrap would claim certainty. Each cluster counts once.
        low, high = wilson(count if ones else 0, count)
    elif is_rate and count == len(kept):
        low, high = wilson(ones, count)
    else:
        is_rate = False
        low, high = bootstrap_interval(by_cluster, seed=seed, resamples=resamples)
    return Figure(
        metric=metric.name,
        value=float(values.mean()),
        low=low,
        high=high,
        n=len(kept),
        interval="wilson" if is_rate else "bootstrap",
        higher_is_better=metric.higher_is_better,
        unit=metric.unit,
        meaning=metric.meaning,
    )


def _derived(
    derived: Derived, scores: Scores, questions: Sequence[str], seed: int, resamples: int
) -> Figure | None:
    columns: Mapping[str, Mapping[str, float]] = {n: scores.by_metric.get(n, {}) for n in derived.needs}
    members = defaultdict(list)
    for question in sorted(questions):
        if all(question in column for column in columns.values()):
            members[scores.cluster_of[question]].append(question)
    if not members:
        return None
    groups = groups_of([members[name] for name in sorted(members)], columns)
    value = figure(derived, groups.columns)
    interval = derived_interval(derived, groups, seed=seed, resamples=resamples)
    if interval is None or np.isnan(value):
        return None
    return Figure(
        metric=derived.name,
        value=value,
        low=interval[0],
        high=interval[1],
        n=int(groups.sizes.sum()),
        interval="bootstrap",
        higher_is_better=derived.higher_is_better,
        unit=derived.unit,
        meaning=derived.meaning,
    )
