"""A report as one JSON document, for programs."""

from __future__ import annotations

import json
from typing import Any

from eval.report.view import QuestionView, ReportData, Side


def to_json(data: ReportData) -> str:
    """Return what produced the run, its figures, the comparison, the gate and each question's scores.

    `comparison` and `gate` are null without a baseline and thresholds. A question has a score for those
    metrics alone that apply to it.
    """
    report = data.model_dump(
        mode="json", include={"manifest", "baseline_manifest", "summary", "comparison", "gate", "primary"}
    )
    report["questions"] = [_question(view, data.metrics) for view in data.questions]
    return json.dumps(report, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _question(view: QuestionView, metrics: tuple[str, ...]) -> dict[str, Any]:
    entry = {"id": view.id, "category": view.category, **_side(view.candidate, metrics)}
    if view.baseline:
        entry |= {"baseline": _side(view.baseline, metrics), "change": view.change}
    return entry


def _side(side: Side, metrics: tuple[str, ...]) -> dict[str, Any]:
    scores = {name: value for name, value in zip(metrics, side.scores, strict=True) if value is not None}
    return {"outcome": side.outcome, "error": side.error, "scores": scores}
