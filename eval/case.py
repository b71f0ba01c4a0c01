"""What a metric looks at: one question, what came of it, and the run it belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from eval.outcome import Outcome
from eval.questions.question import EvalQuestion
from eval.statements import Statement, statements_of
from rag.answer import Answer, SourceInfo
from rag.verify import Verifier


@dataclass(frozen=True)
class Case:
    """One question and what a system made of it. `statements` is empty where there is no answer."""

    question: EvalQuestion
    outcome: Outcome
    statements: tuple[Statement, ...] = ()

    @property
    def answer(self) -> Answer | None:
        return self.outcome.answer

    @property
    def answered(self) -> bool:
        return self.outcome.answer is not None and self.outcome.answer.answered

    @property
    def words_sources(self) -> bool:
        """Whether there is an answer in words, which what it cites must support.

        One computed from the catalog is none: a title says nothing about how many there are. Whether it is
        right is told by its numbers and nuggets.
        """
        return self.answer is not None and self.answered and self.answer.kind != "catalog"

    @property
    def crashed(self) -> bool:
        return self.outcome.answer is None

    @cached_property
    def ranking(self) -> tuple[str, ...]:
        """Source ids, best first."""
        return tuple(ranked.id for ranked in self.outcome.ranked)

    @cached_property
    def cited(self) -> frozenset[str]:
        """Ids of the sources that the answer cites."""
        return (
            frozenset(citation.source_id for citation in self.answer.citations)
            if self.answer
            else frozenset()
        )


@dataclass(frozen=True)
class Run:
    """The cases of one run, the stored texts of what they cite, and what judges their support."""

    cases: Sequence[Case]
    sources: Mapping[str, SourceInfo]
    verifier: Verifier

    @cached_property
    def clusters(self) -> Mapping[str, Sequence[Case]]:
        """The cases by cluster."""
        found: dict[str, list[Case]] = defaultdict(list)
        for case in self.cases:
            found[case.question.group].append(case)
        return found

    def field_text(self, source_id: str, name: str) -> str | None:
        """Return a stored field of a source; None if the run has no such source or field."""
        source = self.sources.get(source_id)
        return next((entry.text for entry in source.fields if entry.field == name), None) if source else None


def cases_of(questions: Iterable[EvalQuestion], outcomes: Mapping[str, Outcome]) -> list[Case]:
    """Join questions with outcomes; a question without one counts as crashed, and is never dropped."""
    found = []
    for question in questions:
        outcome = outcomes.get(question.id) or Outcome(question_id=question.id, error="was never asked")
        found.append(Case(question, outcome, statements_of(outcome.answer)))
    return found
