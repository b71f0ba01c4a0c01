"""What a judge said, line by line, and what it comes to."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from eval.model import Model

Kind = Literal["statement", "nugget"]
VerdictWord = Literal["supported", "partially", "not"]


class Judgement(Model):
    """One item judged. `verdict` is None where no reply could be read; `failure` then says why.

    `key` is a hash over what was asked of which model: an item is judged anew only if that changes.
    `number` counts the statements or nuggets of a question from 0. `verifier` is what the model-free
    verifier says of the same item.
    """

    key: str
    question: str
    kind: Kind
    number: int
    model: str
    verdict: VerdictWord | None
    reason: Annotated[str, Field(description="the judge's, in its words")] = ""
    failure: str = ""
    verifier: bool
    input_tokens: int = 0
    output_tokens: int = 0


class Agreement(Model):
    """Judge against verifier, over the items of a kind that have a verdict.

    "supported" counts as yes, "partially" and "not" as no. `kappa` is None where chance alone agrees.
    """

    kind: Kind
    items: int
    supported: int
    partially: int
    unsupported: int
    agreement: float
    kappa: float | None


class JudgeReport(Model):
    """What came of judging a run. `reused` were judged before; `failed` have no verdict."""

    model: str
    items: int
    judged: int
    reused: int
    failed: int
    agreement: tuple[Agreement, ...]
    input_tokens: int
    output_tokens: int
