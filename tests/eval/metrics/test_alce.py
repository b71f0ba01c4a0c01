"""Citation recall and precision, against the published algorithm and case by case."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from eval.metrics import citation_precision, citation_recall
from eval.metrics.metric import Metric
from eval.metrics.quotes import Claim

RECALL = citation_recall.METRICS[0]
PRECISION = citation_precision.METRICS[0]
SAYS = "Fasting lowers blood pressure in mice."
OTHER = "Sleep improves memory in young flies."


def published(items: Sequence[Claim], supports: Callable[[str, list[str]], bool]) -> tuple[float, float]:
    """ALCE's program, line by line, with a table for its model. Every reference is in range."""
    entail = entail_prec = total_citations = 0
    for item in items:
        joint_entail = -1
        ref = list(range(len(item.passages)))
        if len(ref) == 0:
            joint_entail = 0
        else:
            total_citations += len(ref)
        if joint_entail == -1:
            joint_entail = int(supports(item.text, [str(item.passages[n]) for n in ref]))
        entail += joint_entail
        if joint_entail and len(ref) > 1:
            for n in ref:
                if not supports(item.text, [str(item.passages[n])]):
                    subset_exclude = copy.deepcopy(ref)
                    subset_exclude.remove(n)
                    if not supports(item.text, [str(item.passages[n]) for n in subset_exclude]):
                        entail_prec += 1
                else:
                    entail_prec += 1
        else:
            entail_prec += joint_entail
    return entail / len(items), entail_prec / total_citations if total_citations > 0 else 0


@pytest.mark.parametrize("seed", range(200))
def test_both_equal_the_published_program_whatever_the_judge_says(seed: int) -> None:
    draw = random.Random(seed)
    table: dict[tuple[str, tuple[str, ...]], bool] = {}

    def supports(claim: str, passages: Sequence[str]) -> bool:
        # A judge without reason: more passages may support less, as a model's may.
        return table.setdefault((claim, tuple(passages)), draw.random() < 0.5)

    claims = [
        Claim(f"s{n}", tuple(draw.choice("abcd") for _ in range(draw.randrange(5))))
        for n in range(draw.randrange(1, 7))
    ]
    recall, precision = published(claims, supports)
    assert citation_recall.citation_recall(claims, supports) == recall
    assert citation_precision.citation_precision(claims, supports) == precision


def needs(*wanted: str) -> Callable[[str, Sequence[str]], bool]:
    return lambda claim, passages: set(wanted) <= set(passages)


def test_citations_that_support_only_together_all_count() -> None:
    claims = [Claim("s", ("a", "b"))]
    assert citation_recall.citation_recall(claims, needs("a", "b")) == 1
    assert citation_precision.citation_precision(claims, needs("a", "b")) == 1


def test_one_that_adds_nothing_is_irrelevant() -> None:
    claims = [Claim("s", ("a", "b", "c"))]
    assert citation_precision.citation_precision(claims, needs("a")) == pytest.approx(1 / 3)


def test_citations_of_an_unsupported_statement_do_not_count() -> None:
    claims = [Claim("s", ("a",)), Claim("t", ("b", "c"))]
    assert citation_recall.citation_recall(claims, needs("a")) == 0.5
    assert citation_precision.citation_precision(claims, needs("a")) == pytest.approx(1 / 3)


def test_a_quote_that_does_not_stand_adds_nothing_and_counts_as_a_citation() -> None:
    claims = [Claim("s", ("a", None))]
    assert citation_recall.citation_recall(claims, needs("a")) == 1
    assert citation_precision.citation_precision(claims, needs("a")) == 0.5
    assert citation_precision.citation_precision([Claim("s", (None,))], needs()) == 0


@pytest.mark.parametrize("metric", [RECALL, PRECISION], ids=lambda metric: metric.name)
class TestAnswers:
    def score(self, metric: Metric, desk: Any, answer: Any, ask: Any) -> float | None:
        run = desk.run((ask(), answer))
        return metric.score(run.cases[0], run)

    def test_a_sentence_quoted_from_its_source_is_supported(
        self, metric: Metric, desk: Any, ask: Any
    ) -> None:
        table = desk(a=f"{OTHER} {SAYS}")
        answer = table.answer((SAYS, [table.cite("a", SAYS)]))
        assert self.score(metric, table, answer, ask) == 1.0

    def test_the_wrong_source_does_not_support_it(self, metric: Metric, desk: Any, ask: Any) -> None:
        table = desk(a=SAYS, b=OTHER)
        answer = table.answer((SAYS, [table.cite("b", OTHER)]))
        assert self.score(metric, table, answer, ask) == 0.0

    def test_a_quote_made_up_to_fit_does_not_support_it(self, metric: Metric, desk: Any, ask: Any) -> None:
        table = desk(a=OTHER)
        made_up = table.cite("a", SAYS, quote_start=0, quote_end=len(OTHER))
        assert self.score(metric, table, table.answer((SAYS, [made_up])), ask) == 0.0

    def test_a_dropped_not_is_not_supported(self, metric: Metric, desk: Any, ask: Any) -> None:
        quote = "Fasting does not lower blood pressure in mice."
        table = desk(a=quote)
        answer = table.answer(("Fasting does lower blood pressure in mice.", [table.cite("a", quote)]))
        assert self.score(metric, table, answer, ask) == 0.0

    def test_statements_without_any_citation_score_zero(self, metric: Metric, desk: Any, ask: Any) -> None:
        table = desk()
        assert self.score(metric, table, table.answer((SAYS, [])), ask) == 0.0

    def test_an_answer_that_states_nothing_scores_zero(self, metric: Metric, desk: Any, ask: Any) -> None:
        table = desk()
        assert self.score(metric, table, table.answer(), ask) == 0.0

    def test_a_refusal_has_none(self, metric: Metric, desk: Any, ask: Any) -> None:
        table = desk()
        assert self.score(metric, table, table.refusal(), ask) is None

    def test_it_applies_to_answerable_questions(self, metric: Metric, desk: Any, ask: Any) -> None:
        assert metric.applies(ask())
        assert not metric.applies(ask(answerable=False))


def test_citing_everything_lowers_precision_and_not_recall(desk: Any, ask: Any) -> None:
    table = desk(a=SAYS, b=OTHER, c="Trees grow slowly at the timber line.")
    cited = [table.cite("a", SAYS), table.cite("b", OTHER), table.cite("c", table.texts["c"])]
    run = table.run((ask(), table.answer((SAYS, cited))))
    assert RECALL.score(run.cases[0], run) == 1.0
    assert PRECISION.score(run.cases[0], run) == pytest.approx(1 / 3)
