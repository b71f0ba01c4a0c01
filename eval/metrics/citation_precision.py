"""Citation precision: the share of an answer's citations that their statement needs.

    precision = |{citations that count}| / |citations|

A citation counts if its statement is supported by all its passages together, and it is not irrelevant; it
is irrelevant if its passage alone does not support the statement, and the others without it still do.

Gao, Yen, Yu and Chen, "Enabling Large Language Models to Generate Text with Citations" (ALCE), EMNLP 2023,
section 3.3; the verifier judges in place of their entailment model. As in their program, an answer without
citations scores 0. Unlike there, all citations of a statement are judged, not the first three alone, and one
whose quote its source does not hold counts as a citation with an empty passage.
"""

from __future__ import annotations

from collections.abc import Sequence

from eval.case import Case, Run
from eval.metrics.citation_recall import Supports, is_supported, judge_of
from eval.metrics.metric import Metric
from eval.metrics.quotes import Claim, claims_of


def citation_precision(claims: Sequence[Claim], supports: Supports) -> float:
    """Return the share of citations that count; 0 for none."""
    total = sum(len(claim.passages) for claim in claims)
    return sum(_counting(claim, supports) for claim in claims) / total if total else 0.0


def _counting(claim: Claim, supports: Supports) -> int:
    if not is_supported(claim, supports):
        return 0
    if len(claim.passages) == 1:
        return 1
    return sum(not _is_irrelevant(claim, n, supports) for n in range(len(claim.passages)))


def _is_irrelevant(claim: Claim, n: int, supports: Supports) -> bool:
    alone = Claim(claim.text, claim.passages[n : n + 1])
    rest = Claim(claim.text, claim.passages[:n] + claim.passages[n + 1 :])
    return not is_supported(alone, supports) and is_supported(rest, supports)


def _score(case: Case, run: Run) -> float | None:
    return citation_precision(claims_of(case, run), judge_of(run)) if case.words_sources else None


METRICS: tuple[Metric, ...] = (
    Metric(
        name="citation_precision",
        meaning="share of an answer's citations that their statement needs and is supported with",
        source="Gao et al. 2023 (ALCE), section 3.3; the verifier as judge",
        applies=lambda question: question.answerable,
        score=_score,
    ),
)
