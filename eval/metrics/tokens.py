"""Tokens that a model read and wrote, as its endpoint counts them, and what they cost.

    tokens_total = sum of all;  cost = (input · price_in + output · price_out) / 10^6

Zero for extractive answers. Prices change and differ by endpoint, so `cost` is made with them, and is not
among the figures computed by themselves. A crash has no row: what it spent is not known.
"""

from __future__ import annotations

from collections.abc import Mapping

from eval.case import Case, Run
from eval.metrics.metric import Column, Derived, Metric

PER_TOKENS = 1_000_000
"""Prices are published for so many tokens."""


def _input(case: Case, _: Run) -> float | None:
    return case.answer.usage.input_tokens if case.answer else None


def _output(case: Case, _: Run) -> float | None:
    return case.answer.usage.output_tokens if case.answer else None


def _total(columns: Mapping[str, Column]) -> float:
    return float(columns["input_tokens"].sum() + columns["output_tokens"].sum())


def cost(input_price: float, output_price: float, currency: str = "USD") -> Derived:
    """Make the figure for what a run cost, of prices for a million tokens. Raises `ValueError` below 0."""
    if input_price < 0 or output_price < 0:
        raise ValueError(f"a price cannot be negative: {min(input_price, output_price)}")

    def value(columns: Mapping[str, Column]) -> float:
        spent = columns["input_tokens"].sum() * input_price + columns["output_tokens"].sum() * output_price
        return float(spent / PER_TOKENS)

    return Derived(
        name="cost",
        meaning="price of all tokens of the run",
        source=f"{input_price:g} and {output_price:g} {currency} for a million tokens read and written",
        needs=("input_tokens", "output_tokens"),
        value=value,
        higher_is_better=False,
        unit=currency,
    )


METRICS: tuple[Metric, ...] = (
    Metric(
        name="input_tokens",
        meaning="tokens that a model read for an answer",
        source="usage as the model's endpoint counts it",
        applies=lambda _: True,
        score=_input,
        higher_is_better=False,
        crashed=None,
        unit="tokens",
    ),
    Metric(
        name="output_tokens",
        meaning="tokens that a model wrote for an answer",
        source="usage as the model's endpoint counts it",
        applies=lambda _: True,
        score=_output,
        higher_is_better=False,
        crashed=None,
        unit="tokens",
    ),
)
DERIVED: tuple[Derived, ...] = (
    Derived(
        name="tokens_total",
        meaning="tokens that a model read and wrote in the whole run",
        source="sum over the answers",
        needs=("input_tokens", "output_tokens"),
        value=_total,
        higher_is_better=False,
        unit="tokens",
    ),
)
