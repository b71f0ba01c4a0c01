"""What a report shows, as one plain structure that every form of it is written from.

Sources are kept once, with no more than the fields that are quoted. Scores are columns: the n-th of each
question belongs to the n-th of `ReportData.metrics`.
"""

from __future__ import annotations

from typing import Literal

from eval.compare.comparison import Comparison
from eval.gate.gate import GateResult
from eval.model import Model
from eval.runs.manifest import Manifest
from eval.summary import Summary

Outcome = Literal[
    "right",
    "wrong",
    "answered",
    "refused",
    "rightly_refused",
    "unanswerable_answered",
    "crashed",
    "unknown",
]
"""What came of a question: `answered` where no metric says whether rightly, `unknown` where nothing does."""


class RankedView(Model):
    """A source of a ranking and its judgement; no grade means that nobody judged it."""

    id: str
    title: str
    grade: int | None
    rank: int | None = None


class CitationView(Model):
    """A citation. `found` says whether `quote` is what the stored field holds at `start` to `end`."""

    n: int
    source: str
    field: str
    start: int
    end: int
    quote: str
    found: bool
    grade: int | None


class VerdictView(Model):
    supported: bool
    coverage: float
    failed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class StatementView(Model):
    """A statement of an answer, `text[start:end]` in code points. Without citations there is no verdict."""

    start: int
    end: int
    citations: tuple[CitationView, ...]
    verdict: VerdictView | None


class AnswerView(Model):
    answered: bool
    text: str
    reason: str
    confidence: float
    notices: tuple[str, ...]
    statements: tuple[StatementView, ...]


class SupportView(Model):
    """How an answer states a nugget: 1 fully, 0.5 in part, 0 not, or `forbidden`: it states what is wrong."""

    support: float
    forbidden: bool


class Side(Model):
    """What one run made of a question.

    `kept` is False where a run kept its scores alone. `ranked` is the head of the ranking; `missed` are the
    relevant sources that are not in it, with their rank if they have one. The n-th of `nuggets` is about the
    question's n-th nugget.
    """

    outcome: Outcome
    kept: bool
    error: str = ""
    ask_ms: float | None = None
    answer: AnswerView | None = None
    ranked: tuple[RankedView, ...] = ()
    missed: tuple[RankedView, ...] = ()
    nuggets: tuple[SupportView, ...] = ()
    scores: tuple[float | None, ...]


class NuggetView(Model):
    text: str
    vital: bool


class QuestionView(Model):
    """A question with what each run made of it.

    `change` is the mean change over the primary metrics that it has in both runs, each turned so that more
    is better; None without any.
    """

    id: str
    question: str
    topic: str | None
    category: str
    answerable: bool
    why_not: str
    filters: str
    as_of: str
    history: tuple[tuple[str, str], ...]
    gold_answer: str
    must_cite: tuple[str, ...]
    nuggets: tuple[NuggetView, ...]
    candidate: Side
    baseline: Side | None = None
    change: float | None = None


class SourceView(Model):
    """A source that an answer cites; `fields` maps the fields it is quoted from to their texts."""

    title: str
    fields: dict[str, str]


class RiskPoint(Model):
    """Answering at this confidence and above answers `coverage` of the questions, `risk` of them wrongly."""

    coverage: float
    risk: float
    confidence: float


class Histogram(Model):
    """Questions by latency: `counts[n]` took from `edges[n]` to below `edges[n + 1]` milliseconds."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]
    baseline_counts: tuple[int, ...] = ()


class ReportData(Model):
    """A run, beside a baseline if there is one. `primary` names the metrics that decide."""

    title: str
    manifest: Manifest
    summary: Summary
    primary: tuple[str, ...]
    metrics: tuple[str, ...]
    questions: tuple[QuestionView, ...]
    sources: dict[str, SourceView]
    risk_coverage: tuple[RiskPoint, ...] = ()
    baseline_risk_coverage: tuple[RiskPoint, ...] = ()
    latency: Histogram | None = None
    baseline_manifest: Manifest | None = None
    comparison: Comparison | None = None
    gate: GateResult | None = None
