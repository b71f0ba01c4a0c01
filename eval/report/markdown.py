"""A report as Markdown, for a comment on a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from eval.compare.comparison import MetricComparison
from eval.gate.gate import GateResult
from eval.report.view import QuestionView, ReportData
from eval.summary import Figure

LIMIT = 65_536
"""Characters that a comment on GitHub may have."""

WORST_SHOWN = 20
"""Questions shown of those that got worse: what one reads in a pull request."""

QUESTION_SHOWN = 140
"""Characters of a question that are shown: a line or two of a table."""

FACT_SHOWN, MESSAGE_SHOWN = 200, 500
"""Characters shown of a name and of a gate's message, so that the parts that are always there fit."""

# Mentions, references and bare links are found in the finished text, past all escaping; a space of no
# width breaks them.
_LINKED = re.compile(r"(?<!\w)@(?=\w)|#(?=\d)|(?<=\w):(?=//)|(?<=www)\.", re.IGNORECASE)
_NO_WIDTH = "\u200b"
_MARKUP = re.compile(r"[\\`*_\[\]<>#|~&$]")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}
_LIST = re.compile(r"^(?:\d+(?=[.)](?:\s|$))|(?=[-+]))")


def to_markdown(data: ReportData) -> str:
    """Return the gate's verdict, the headline with changes, and the questions that got worst.

    Never more than GitHub takes: details are left out, last ones first, where they do not fit.
    """
    parts = [
        f"## Evaluation of {escaped(data.title, FACT_SHOWN)}\n",
        *([_verdict(data.gate)] if data.gate else []),
        _headline(data),
        _asked(data),
    ]
    for detail in (_checks(data.gate), _worst(data.questions), _others(data)):
        if detail and len("\n".join([*parts, detail])) <= LIMIT:
            parts.append(detail)
    return "\n".join(parts)


def escaped(text: str, limit: int | None = None) -> str:
    """Return text that Markdown and HTML show as it is, on one line, cut to a number of characters."""
    flat = " ".join(text.split())
    if limit is not None and len(flat) > limit:
        flat = flat[: limit - 1].rstrip() + "…"
    apart = _LINKED.sub(lambda match: match[0] + _NO_WIDTH, flat)
    marked = _MARKUP.sub(lambda match: _ENTITIES.get(match[0], "\\" + match[0]), apart)
    return _LIST.sub(lambda match: match[0] + "\\", marked)


def _verdict(gate: GateResult) -> str:
    failed = [check for check in gate.checks if not check.passed]
    if not failed:
        return f"✅ **Gate passed**: {len(gate.checks)} checks\n"
    lines = [f"- {escaped(check.name)}: {escaped(check.message, MESSAGE_SHOWN)}" for check in failed]
    return "\n".join(
        [f"❌ **Gate failed**: {len(failed)} of {len(gate.checks)} checks\n", *lines[:WORST_SHOWN], ""]
    )


def _headline(data: ReportData) -> str:
    chosen = [figure for figure in data.summary.figures if figure.metric in data.primary]
    return _figures(chosen or data.summary.figures, data)


def _figures(figures: Sequence[Figure], data: ReportData) -> str:
    changes = {change.metric: change for change in data.comparison.metrics} if data.comparison else {}
    header = ["metric", "value", "95% interval", "n"]
    rows = [
        [
            f"`{figure.metric}`",
            _number(figure.value, figure.unit),
            f"{_number(figure.low, figure.unit)} to {_number(figure.high, figure.unit)}",
            str(figure.n),
        ]
        for figure in figures
    ]
    if changes:
        header += ["change", "95% interval", "p", ""]
        for row, figure in zip(rows, figures, strict=True):
            row += _change(changes.get(figure.metric), figure.unit)
    return _table(header, rows)


def _change(change: MetricComparison | None, unit: str) -> list[str]:
    if change is None:
        return ["–", "–", "–", ""]
    p = change.p if change.p_holm is None else change.p_holm
    return [
        _signed(change.difference, unit),
        f"{_signed(change.low, unit)} to {_signed(change.high, unit)}",
        "< 0.001" if p < 0.001 else f"{p:.3f}",
        verdict(change),
    ]


def verdict(change: MetricComparison) -> str:
    """Say in words what a change is: it counts where its interval leaves out zero."""
    if change.difference == 0:
        return "= no change"
    arrow = "▲" if change.difference > 0 else "▼"
    if not (change.low > 0 or change.high < 0):
        return f"{arrow} no clear change"
    better = (change.difference > 0) == change.higher_is_better
    return f"{arrow} **{'better' if better else 'worse'}**"


def _asked(data: ReportData) -> str:
    manifest = data.manifest
    facts = [
        f"{data.summary.questions:,} questions, {data.summary.crashed:,} crashed",
        f"asktopic {escaped(f'{manifest.code.version} ({manifest.code.fingerprint})', FACT_SHOWN)}",
        f"index {escaped(manifest.index, FACT_SHOWN)}" if manifest.index else "",
        f"model {escaped(manifest.model, FACT_SHOWN)}" if manifest.model else "",
        f"seed {manifest.seed}",
    ]
    if data.comparison:
        facts.append(f"compared on {data.comparison.questions:,} questions; p of primary metrics after Holm")
    return "\n" + "; ".join(fact for fact in facts if fact) + "\n"


def _checks(gate: GateResult | None) -> str:
    if gate is None:
        return ""
    rows = [
        [
            escaped(check.name),
            "passed" if check.passed else "**failed**",
            escaped(check.message, MESSAGE_SHOWN),
        ]
        for check in gate.checks
    ]
    return _details("All checks of the gate", _table(["check", "result", "in words"], rows))


def _worst(questions: Sequence[QuestionView]) -> str:
    changed = [(view.change, view) for view in questions if view.change is not None and view.change < 0]
    worst = sorted(changed, key=lambda pair: (pair[0], pair[1].id))[:WORST_SHOWN]
    rows = [
        [
            escaped(view.id, QUESTION_SHOWN),
            escaped(view.question, QUESTION_SHOWN),
            _signed(change),
            _words(view),
        ]
        for change, view in worst
    ]
    if not rows:
        return ""
    title = f"{len(changed)} {'question' if len(changed) == 1 else 'questions'} got worse"
    if len(changed) > len(rows):
        title += f", the worst {len(rows)}"
    return _details(title, _table(["id", "question", "overall change", "outcome"], rows))


def _words(view: QuestionView) -> str:
    after = view.candidate.outcome.replace("_", " ")
    before = view.baseline.outcome.replace("_", " ") if view.baseline else after
    return after if after == before else f"{before} → {after}"


def _others(data: ReportData) -> str:
    return _details("All figures", _figures(data.summary.figures, data)) if data.primary else ""


def _details(summary: str, body: str) -> str:
    return f"<details><summary>{escaped(summary)}</summary>\n\n{body}\n</details>\n"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _number(value: float, unit: str = "") -> str:
    """Three decimals for a share, about three digits for an amount, with its unit."""
    if not unit:
        return f"{value:.3f}".replace("-", "−")
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f} {unit}".replace("-", "−")


def _signed(value: float, unit: str = "") -> str:
    return f"+{_number(value, unit)}" if value > 0 else _number(value, unit)
