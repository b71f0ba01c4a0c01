"""How the command line shows evaluations: tables for people, one JSON document for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from api.cli.output import print_json

if TYPE_CHECKING:
    from pathlib import Path

    from eval.compare.comparison import Comparison, MetricComparison
    from eval.gate.gate import GateResult
    from eval.judge.records import JudgeReport
    from eval.runs.folder import RunFolder
    from eval.summary import Summary

SHOWN_CRASHED = 10
LOG_WIDTH = 200
BY_CATEGORY = (
    "resolved",
    "nuggets_vital_strict",
    "must_cite",
    "answer_rate",
    "refusal_recall",
    "premise_corrected",
)
"""What is shown by category: followed, said, found, answered, refused, set right, each in one number."""


def _console() -> Console:
    # A log or a pipe has no width: there, names and figures are never cut.
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=LOG_WIDTH)


def summary(result: Summary, folder: RunFolder, comparison: Comparison | None, *, as_json: bool) -> None:
    """Show the figures of a run, beside how they changed if there is something to compare with."""
    if as_json:
        print_json(
            {
                "run": str(folder.path),
                "summary": result.model_dump(mode="json"),
                "comparison": comparison.model_dump(mode="json") if comparison else None,
            }
        )
        return
    console = _console()
    manifest = folder.manifest
    console.print(
        f"[bold]{escape(manifest.set.name)}[/bold]: {result.questions:,} questions, asked "
        f"{escape(manifest.system)}, {escape(manifest.corpus)}",
        soft_wrap=True,
    )
    if ", " in manifest.index:
        console.print("Note: the index changed while this run went on; its answers are of several.")
    if manifest.finished is None:
        console.print("Note: this run was interrupted; what was not asked counts as crashed.")
    changed = {change.metric: change for change in comparison.metrics} if comparison else {}
    table = Table(box=None, header_style="bold")
    table.add_column("metric")
    for name in ("value", "95% interval", "n", *(["change", "p"] if comparison else [])):
        table.add_column(name, justify="right")
    for figure in result.figures:
        change = changed.get(figure.metric)
        table.add_row(
            escape(figure.metric),
            _value(figure.value, figure.unit),
            f"{_value(figure.low, figure.unit)} – {_value(figure.high, figure.unit)}",
            f"{figure.n:,}",
            *([_signed(change.difference), _p(change)] if change else []),
        )
    console.print(table)
    _by_category(console, result)
    crashed = [outcome for outcome in folder.outcomes.values() if outcome.answer is None]
    for outcome in crashed[:SHOWN_CRASHED]:
        console.print(f"crashed {escape(outcome.question_id)}: {escape(outcome.error)}", soft_wrap=True)
    if len(crashed) > SHOWN_CRASHED:
        console.print(f"… and {len(crashed) - SHOWN_CRASHED} more; all stand in the report")
    console.print(f"report: {escape(str(folder.path / 'report.html'))}", soft_wrap=True)


def _by_category(console: Console, result: Summary) -> None:
    """Show a few figures by category, where there are several; the report has them all."""
    shown = [
        name
        for name in BY_CATEGORY
        if any(figure.metric == name for figures in result.categories.values() for figure in figures)
    ]
    if len(result.categories) < 2 or not shown:
        return
    table = Table(box=None, header_style="bold")
    table.add_column("category")
    for name in ("n", *shown):
        table.add_column(name, justify="right")
    for category, figures in result.categories.items():
        found = {figure.metric: figure for figure in figures}
        table.add_row(
            escape(category),
            f"{max((figure.n for figure in figures), default=0):,}",
            *(_value(found[name].value, found[name].unit) if name in found else "" for name in shown),
        )
    console.print(table)


def comparison(result: Comparison, *, as_json: bool) -> None:
    """Show what differs between two runs."""
    if as_json:
        print_json(result.model_dump(mode="json"))
        return
    console = _console()
    table = Table(box=None, header_style="bold")
    table.add_column("metric")
    for name in ("n", "before", "after", "change", "95% interval", "p", "Holm p", "w/t/l", "detectable"):
        table.add_column(name, justify="right")
    for row in result.metrics:
        table.add_row(
            escape(row.metric) + (" *" if row.primary else ""),
            f"{row.n:,}",
            f"{row.baseline:.3f}",
            f"{row.candidate:.3f}",
            _signed(row.difference),
            f"{_signed(row.low)} – {_signed(row.high)}",
            _p(row),
            "" if row.p_holm is None else f"{row.p_holm:.3f}",
            f"{row.wins}/{row.ties}/{row.losses}",
            "" if row.detectable is None else f"{row.detectable:.3f}",
        )
    console.print(table)
    console.print(f"* primary; {result.resamples:,} resamples, seed {result.seed}")
    for side, missing in (("before", result.only_baseline), ("after", result.only_candidate)):
        if missing:
            console.print(f"asked only {side}, not compared: {escape(_some(missing))}", soft_wrap=True)


def gate(result: GateResult, *, as_json: bool) -> None:
    """Show every check of the gate, those that failed first."""
    if as_json:
        print_json(result.model_dump(mode="json"))
        return
    console = _console()
    for check in sorted(result.checks, key=lambda check: check.passed):
        mark = "[green]pass[/green]" if check.passed else "[red]FAIL[/red]"
        console.print(f"{mark}  {escape(check.name)}: {escape(check.message)}", soft_wrap=True)
    failed = sum(not check.passed for check in result.checks)
    console.print(f"{len(result.checks)} checks, {failed} failed")


def judged(result: JudgeReport, folder: Path, *, as_json: bool) -> None:
    """Show what a model judged, and how far the verifier agrees with it."""
    if as_json:
        print_json(result.model_dump(mode="json"))
        return
    console = _console()
    table = Table(box=None, header_style="bold")
    table.add_column("judged")
    for name in ("n", "supported", "partially", "not", "agreement", "kappa"):
        table.add_column(name, justify="right")
    for row in result.agreement:
        table.add_row(
            f"{row.kind}s",
            f"{row.items:,}",
            f"{row.supported:,}",
            f"{row.partially:,}",
            f"{row.unsupported:,}",
            f"{row.agreement:.3f}",
            "" if row.kappa is None else f"{row.kappa:.3f}",
        )
    console.print(table)
    console.print(
        f"{escape(result.model)}: {result.judged:,} judged now, {result.reused:,} before, "
        f"{result.failed:,} without a verdict; {result.input_tokens:,} tokens in, "
        f"{result.output_tokens:,} out"
    )
    console.print(f"verdicts: {escape(str(folder / 'judge.csv'))}", soft_wrap=True)


def _value(value: float, unit: str) -> str:
    return f"{value:,.3f}" if not unit else f"{value:,.1f} {escape(unit)}"


def _signed(value: float) -> str:
    return f"{value:+.3f}"


def _p(row: MetricComparison) -> str:
    return f"{row.p:.3f}"


def _some(ids: Sequence[str], shown: int = 5) -> str:
    rest = len(ids) - shown
    return ", ".join(ids[:shown]) + (f" and {rest} more" if rest > 0 else "")
