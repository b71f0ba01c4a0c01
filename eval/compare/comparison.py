"""Comparing two runs, metric by metric, on the questions that both have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from eval.compare.bootstrap import bootstrap_interval
from eval.compare.clusters import cluster_sums
from eval.compare.derived import derived_difference, groups_of
from eval.compare.detectable import detectable_difference, standard_error
from eval.compare.holm import holm
from eval.compare.sign_flip import sign_flip
from eval.metrics import DERIVED, METRICS, PRIMARY
from eval.metrics.metric import Derived, Metric
from eval.model import Model
from eval.scores import Scores


class MetricComparison(Model):
    """One metric in two runs. `difference` is candidate minus baseline, with its 95% bootstrap interval.

    For a metric of single questions, `n` counts the questions with a value in both runs, and all figures are
    theirs alone; a question is a win where the candidate is better. A derived figure is that of each run's
    own rows, `n` counts the questions with rows in both, and wins, ties and losses are zero. `p_holm` is
    adjusted over the primary metrics; None for others. `detectable` is the smallest difference that so many
    questions would show at p < 0.05 in four of five experiments; None where nothing varies.
    """

    metric: str
    n: int
    baseline: float
    candidate: float
    difference: float
    low: float
    high: float
    p: float
    p_holm: float | None = None
    primary: bool = False
    wins: int = 0
    ties: int = 0
    losses: int = 0
    detectable: float | None = None
    higher_is_better: bool = True


class Comparison(Model):
    """Two runs compared. `unpaired` names metrics that have values in a run but no question in common."""

    metrics: tuple[MetricComparison, ...]
    questions: int
    only_baseline: tuple[str, ...] = ()
    only_candidate: tuple[str, ...] = ()
    unpaired: tuple[str, ...] = ()
    seed: int
    resamples: int


def compare(
    baseline: Scores,
    candidate: Scores,
    *,
    metrics: Sequence[Metric] = METRICS,
    derived: Sequence[Derived] = DERIVED,
    primary: Sequence[str] = PRIMARY,
    seed: int = 0,
    resamples: int = 10_000,
) -> Comparison:
    """Compare two runs over the questions both have; where they cluster otherwise, as the candidate does.

    The same scores and seed give the same figures, in any order of rows and in every process.
    """
    shared = sorted(baseline.cluster_of.keys() & candidate.cluster_of.keys())
    found: list[MetricComparison] = []
    for metric in metrics:
        compared = _metric(metric, shared, baseline, candidate, seed, resamples)
        found += [compared] if compared else []
    for figure in derived:
        compared = _derived(figure, shared, baseline, candidate, seed, resamples)
        found += [compared] if compared else []
    names = {compared.metric for compared in found}
    present = baseline.by_metric.keys() | candidate.by_metric.keys()
    return Comparison(
        metrics=_adjusted(found, frozenset(primary)),
        questions=len(shared),
        only_baseline=tuple(sorted(baseline.cluster_of.keys() - candidate.cluster_of.keys())),
        only_candidate=tuple(sorted(candidate.cluster_of.keys() - baseline.cluster_of.keys())),
        unpaired=tuple(m.name for m in metrics if m.name in present and m.name not in names),
        seed=seed,
        resamples=resamples,
    )


def _metric(
    metric: Metric, shared: Sequence[str], baseline: Scores, candidate: Scores, seed: int, resamples: int
) -> MetricComparison | None:
    old, new = (scores.by_metric.get(metric.name, {}) for scores in (baseline, candidate))
    questions = [question for question in shared if question in old and question in new]
    if not questions:
        return None
    before, after = (scores.column(metric.name, questions) for scores in (baseline, candidate))
    # Values that are equal but for rounding are equal: they are ties and move no sign.
    differences = np.where(np.isclose(before, after, rtol=1e-9, atol=1e-12), 0.0, after - before)
    gains = differences if metric.higher_is_better else -differences
    by_cluster = cluster_sums(differences, [candidate.cluster_of[question] for question in questions])
    low, high = bootstrap_interval(by_cluster, seed=seed, resamples=resamples)
    return MetricComparison(
        metric=metric.name,
        n=len(questions),
        baseline=float(before.mean()),
        candidate=float(after.mean()),
        difference=by_cluster.mean,
        low=low,
        high=high,
        p=sign_flip(by_cluster.sums, seed=seed, resamples=resamples),
        wins=int((gains > 0).sum()),
        ties=int((gains == 0).sum()),
        losses=int((gains < 0).sum()),
        detectable=detectable_difference(standard_error(by_cluster)),
        higher_is_better=metric.higher_is_better,
    )


def _derived(
    derived: Derived, shared: Sequence[str], baseline: Scores, candidate: Scores, seed: int, resamples: int
) -> MetricComparison | None:
    old, new = (_needed(derived, scores) for scores in (baseline, candidate))
    members = defaultdict(list)
    for question in shared:
        members[candidate.cluster_of[question]].append(question)
    # A cluster without a row in either run is no part of what the figure describes.
    clusters = [
        members[name] for name in sorted(members) if any(_has(old, q) or _has(new, q) for q in members[name])
    ]
    if not clusters:
        return None
    compared = derived_difference(
        derived,
        groups_of(clusters, old),
        groups_of(clusters, new),
        seed=seed,
        resamples=resamples,
    )
    if compared is None:
        return None
    return MetricComparison(
        metric=derived.name,
        n=sum(_has(old, question) and _has(new, question) for question in shared),
        baseline=compared.baseline,
        candidate=compared.candidate,
        difference=compared.candidate - compared.baseline,
        low=compared.low,
        high=compared.high,
        p=compared.p,
        detectable=detectable_difference(compared.standard_error),
        higher_is_better=derived.higher_is_better,
    )


def _needed(derived: Derived, scores: Scores) -> Mapping[str, Mapping[str, float]]:
    return {name: scores.by_metric.get(name, {}) for name in derived.needs}


def _has(columns: Mapping[str, Mapping[str, float]], question: str) -> bool:
    return all(question in column for column in columns.values())


def _adjusted(found: Sequence[MetricComparison], primary: frozenset[str]) -> tuple[MetricComparison, ...]:
    """Return the comparisons with the primary ones marked and their p adjusted."""
    chosen = [compared for compared in found if compared.metric in primary]
    adjusted = dict(zip((c.metric for c in chosen), holm([c.p for c in chosen]), strict=True))
    return tuple(
        compared.model_copy(update={"primary": True, "p_holm": adjusted[compared.metric]})
        if compared.metric in adjusted
        else compared
        for compared in found
    )
