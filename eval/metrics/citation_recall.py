"""Citation recall: the share of an answer's statements that what they cite supports.

    recall = |{statements with a citation whose passages, joined, support them}| / |statements|

Gao, Yen, Yu and Chen, "Enabling Large Language Models to Generate Text with Citations" (ALCE), EMNLP 2023,
section 3.3; the verifier judges in place of their entailment model. A passage is the quote as its source
holds it; one that does not stand there contributes nothing. A statement without a citation counts against
it. An answer that states nothing scores 0, a refusal is left to `answer_rate`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eval.case import Case, Run
from eval.metrics.metric import Metric
from eval.metrics.quotes import Claim, claims_of

Supports = Callable[[str, Sequence[str]], bool]
"""Whether the passages, taken together, support the claim. Never asked about no passages."""


def is_supported(claim: Claim, supports: Supports) -> bool:
    passages = [passage for passage in claim.passages if passage is not None]
    return bool(passages) and supports(claim.text, passages)


def citation_recall(claims: Sequence[Claim], supports: Supports) -> float:
    """Return the share of supported claims; 0 for none."""
    return sum(is_supported(claim, supports) for claim in claims) / len(claims) if claims else 0.0


def judge_of(run: Run) -> Supports:
    return lambda claim, passages: run.verifier.verify(claim, passages).supported


def _score(case: Case, run: Run) -> float | None:
    return citation_recall(claims_of(case, run), judge_of(run)) if case.words_sources else None


METRICS: tuple[Metric, ...] = (
    Metric(
        name="citation_recall",
        meaning="share of an answer's statements that the passages cited for them support",
        source="Gao et al. 2023 (ALCE), section 3.3; the verifier as judge",
        applies=lambda question: question.answerable,
        score=_score,
    ),
)
