"""How far judge and verifier agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import get_args

from eval.judge.records import Agreement, Judgement, Kind


def cohens_kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Agreement of two judges beyond chance: (p_o - p_e) / (1 - p_e) (Cohen, 1960).

    None without pairs, and where both always say the same one thing: chance alone would agree.
    """
    if not pairs:
        return None
    observed = sum(first == second for first, second in pairs) / len(pairs)
    first_yes = sum(first for first, _ in pairs) / len(pairs)
    second_yes = sum(second for _, second in pairs) / len(pairs)
    expected = first_yes * second_yes + (1 - first_yes) * (1 - second_yes)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def agreements(judgements: Iterable[Judgement]) -> tuple[Agreement, ...]:
    """Compare judge and verifier for each kind of item that has verdicts."""
    found = []
    judged = [judgement for judgement in judgements if judgement.verdict]
    for kind in get_args(Kind):
        here = [judgement for judgement in judged if judgement.kind == kind]
        pairs = [(judgement.verdict == "supported", judgement.verifier) for judgement in here]
        if pairs:
            found.append(
                Agreement(
                    kind=kind,
                    items=len(here),
                    supported=sum(judgement.verdict == "supported" for judgement in here),
                    partially=sum(judgement.verdict == "partially" for judgement in here),
                    unsupported=sum(judgement.verdict == "not" for judgement in here),
                    agreement=sum(first == second for first, second in pairs) / len(pairs),
                    kappa=cohens_kappa(pairs),
                )
            )
    return tuple(found)
