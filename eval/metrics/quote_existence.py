"""Quote existence: the share of citations whose quote is the stored text.

    existence = |{citations with quote == field[quote_start:quote_end]}| / |citations|

Undefined for an answer without citations, which citation recall is there to see. The promise is 1.
"""

from __future__ import annotations

from eval.case import Case, Run
from eval.metrics.metric import Metric
from eval.metrics.quotes import stored_quote


def _score(case: Case, run: Run) -> float | None:
    if not case.answered or case.answer is None or not case.answer.citations:
        return None
    citations = case.answer.citations
    return sum(stored_quote(citation, run) is not None for citation in citations) / len(citations)


METRICS: tuple[Metric, ...] = (
    Metric(
        name="quote_existence",
        meaning="share of citations whose quote is the source's text, character for character",
        source="the answer contract: quote == field[quote_start:quote_end]",
        applies=lambda _: True,
        score=_score,
    ),
)
