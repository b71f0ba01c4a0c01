"""From run folders to what a report shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eval.case import Case, Run
from eval.compare.comparison import Comparison
from eval.evaluate import load_run
from eval.gate.gate import GateResult
from eval.metrics import PRIMARY
from eval.questions.question import EvalQuestion
from eval.report.figures import latency_histogram, risk_points
from eval.report.side import scored_side, side
from eval.report.view import NuggetView, QuestionView, ReportData, Side, SourceView
from eval.runs.folder import RunFolder
from eval.scores import Scores
from eval.summary import Summary


def report_data(
    folder: RunFolder,
    summary: Summary,
    *,
    baseline: RunFolder | None = None,
    comparison: Comparison | None = None,
    gate: GateResult | None = None,
    primary: Sequence[str] = PRIMARY,
) -> ReportData:
    """Gather what a report shows of a scored run, beside a baseline where one is given.

    Either folder may hold a manifest and scores alone: its questions are then shown by their ids and
    scores. Raises `BadRun` and `BadScores` for files that cannot be read.
    """
    scores = folder.scores
    before = baseline.scores if baseline else None
    metrics = tuple(scores.by_metric)
    run, old = load_run(folder), load_run(baseline) if baseline else None
    cases, old_cases = _by_question(folder, run), _by_question(baseline, old)
    higher = {figure.metric: figure.higher_is_better for figure in summary.figures}
    views = []
    for question in _questions(run, scores):
        candidate = _side(run, cases.get(question.id), question, scores, metrics)
        other = None
        if before is not None and question.id in before.cluster_of:
            other = _side(old, old_cases.get(question.id), question, before, metrics)
        views.append(_view(question, candidate, other, metrics, primary, higher))
    return ReportData(
        title=f"{folder.manifest.set.name}, {len(views):,} {'question' if len(views) == 1 else 'questions'}",
        manifest=folder.manifest,
        summary=summary,
        primary=tuple(name for name in primary if name in higher),
        metrics=metrics,
        questions=tuple(views),
        sources=_sources(views, [run, old]),
        risk_coverage=risk_points(scores),
        baseline_risk_coverage=risk_points(before) if before else (),
        latency=latency_histogram(scores, before),
        baseline_manifest=baseline.manifest if baseline else None,
        comparison=comparison,
        gate=gate,
    )


def _by_question(folder: RunFolder | None, run: Run | None) -> Mapping[str, Case]:
    """Map question id to case; empty for a folder that kept its scores alone."""
    if folder is None or run is None or not (folder.path / "outcomes.jsonl").exists():
        return {}
    return {case.question.id: case for case in run.cases}


def _questions(run: Run, scores: Scores) -> list[EvalQuestion]:
    """Return the questions of a run; those of which only scores were kept are called by their id."""
    asked = [case.question for case in run.cases]
    known = {question.id for question in asked}
    return asked + [
        EvalQuestion(id=name, question=name, category=category)
        for name, category in scores.category_of.items()
        if name not in known
    ]


def _side(
    run: Run | None, case: Case | None, question: EvalQuestion, scores: Scores, metrics: Sequence[str]
) -> Side:
    values = {name: scores.by_metric.get(name, {}).get(question.id) for name in scores.by_metric}
    if run is None or case is None:
        return scored_side(values, metrics)
    return side(run, case, values, metrics)


def _view(
    question: EvalQuestion,
    candidate: Side,
    baseline: Side | None,
    metrics: Sequence[str],
    primary: Sequence[str],
    higher: Mapping[str, bool],
) -> QuestionView:
    filters = question.filters.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    changes = []
    for name, after, before in zip(
        metrics, candidate.scores, baseline.scores if baseline else (), strict=False
    ):
        if name in primary and after is not None and before is not None:
            changes.append(after - before if higher.get(name, True) else before - after)
    return QuestionView(
        id=question.id,
        question=question.question,
        topic=question.topic,
        category=question.category,
        answerable=question.answerable,
        why_not=question.why_not,
        filters="; ".join(
            f"{name}: {', '.join(value) if isinstance(value, list) else value}"
            for name, value in filters.items()
        ),
        as_of=question.as_of.isoformat() if question.as_of else "",
        history=tuple((turn.question, turn.answer) for turn in question.history),
        gold_answer=question.gold_answer,
        must_cite=question.must_cite,
        nuggets=tuple(NuggetView(text=nugget.text, vital=nugget.vital) for nugget in question.nuggets),
        candidate=candidate,
        baseline=baseline,
        change=sum(changes) / len(changes) if changes else None,
    )


def _sources(views: Sequence[QuestionView], runs: Sequence[Run | None]) -> dict[str, SourceView]:
    """Keep each source that is cited once, with the fields that are quoted."""
    quoted: dict[str, set[str]] = {}
    for view in views:
        for each in (view.candidate, view.baseline):
            for statement in each.answer.statements if each and each.answer else ():
                for citation in statement.citations:
                    quoted.setdefault(citation.source, set()).add(citation.field)
    found = {}
    for name, fields in quoted.items():
        source = next((run.sources[name] for run in runs if run and name in run.sources), None)
        if source:
            texts = {entry.field: entry.text for entry in source.fields if entry.field in fields}
            if "title" in fields:  # may be quoted without being among the fields that are searched
                texts.setdefault("title", source.title)
            found[name] = SourceView(title=source.title, fields=texts)
    return found
