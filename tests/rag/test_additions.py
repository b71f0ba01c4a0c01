"""A claim that keeps its evidence's words and turns them round, or adds to them, is not supported."""

from __future__ import annotations

import pytest

from rag.verify import Verifier

EVIDENCE = "PPO with clipped ratios outperforms TRPO on the hopper task after long training with many seeds."
verifier = Verifier(lambda term: 1.0)


@pytest.mark.parametrize(
    "claim",
    [
        f"It is false that {EVIDENCE}",
        f"It cannot be said that {EVIDENCE}",
        f"Contrary to the claim, {EVIDENCE}",
        f"It would be a myth that {EVIDENCE}",
        f"{EVIDENCE.rstrip('.')}, which cures insomnia in adults.",
        f"{EVIDENCE.rstrip('.')}, which made the results worse.",
        "TRPO outperforms PPO on the hopper task after long training with many seeds.",
    ],
)
def test_what_turns_it_round_or_adds_to_it_is_named(claim: str) -> None:
    verdict = verifier.verify(claim, [EVIDENCE])
    assert not verdict.supported
    assert "additions" in verdict.failed


@pytest.mark.parametrize(
    "claim",
    [
        EVIDENCE,
        "On the hopper task PPO with clipped ratios outperforms TRPO after long training with many seeds.",
        "TRPO is outperformed by PPO with clipped ratios on the hopper task after training with many seeds.",
    ],
)
def test_the_same_in_another_order_is_no_addition(claim: str) -> None:
    assert "additions" not in verifier.verify(claim, [EVIDENCE]).failed


def test_what_the_evidence_denies_itself_may_be_denied() -> None:
    evidence = "It is not true that PPO learns faster with larger batches in this task."
    assert verifier.verify("It is not true that PPO learns faster with larger batches.", [evidence]).supported
