"""Writing a run's report, in every form that is asked for."""

from __future__ import annotations

from pathlib import Path

from eval.compare.comparison import Comparison, compare
from eval.gate.gate import check_gate
from eval.gate.thresholds import load_thresholds
from eval.report.data import report_data
from eval.report.html import write_html
from eval.report.json_report import to_json
from eval.report.junit import to_junit
from eval.report.markdown import to_markdown
from eval.runs.folder import RunFolder
from eval.summary import Summary, summarise


def write_report(
    folder: RunFolder,
    page: Path,
    *,
    baseline: RunFolder | None = None,
    summary: Summary | None = None,
    comparison: Comparison | None = None,
    thresholds: Path | None = None,
    json_file: Path | None = None,
    junit: Path | None = None,
    markdown: Path | None = None,
) -> tuple[Path, ...]:
    """Write the report of a scored run, and return the files written.

    `page` is the HTML. The `summary` and, with a baseline, the `comparison` are computed unless
    they are given; with thresholds the gate's verdict is shown.
    Raises `BadRun`, `BadScores` and `BadThresholds` for files that cannot be used.
    """
    before = baseline.scores if baseline else None
    if before and comparison is None:
        comparison = compare(before, folder.scores)
    data = report_data(
        folder,
        summary or summarise(folder.scores),
        baseline=baseline,
        comparison=comparison,
        gate=check_gate(load_thresholds(thresholds), folder.scores, before) if thresholds else None,
    )
    write_html(data, page)
    written = [page]
    for path, form in ((json_file, to_json), (junit, to_junit), (markdown, to_markdown)):
        if path is not None:
            path.write_text(form(data), encoding="utf-8", newline="\n")
            written.append(path)
    return tuple(written)
