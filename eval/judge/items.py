"""What there is to judge in a run: each quoted statement, and each nugget of an answered question."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from eval.case import Case, Run
from eval.judge.prompt import PROMPT_VERSION
from eval.judge.records import Kind
from eval.judge.settings import JudgeSettings

_MARKER = re.compile(r"\s*\[\d+\]")


@dataclass(frozen=True, slots=True)
class Item:
    """Whether the `passages` support the `claim`: a statement by its quotes, a nugget by the answer."""

    question: str
    kind: Kind
    number: int
    claim: str
    passages: tuple[str, ...]
    verifier: bool

    def key(self, settings: JudgeSettings) -> str:
        """Hash everything that a verdict depends on."""
        asked = [
            PROMPT_VERSION,
            settings.model,
            settings.seed,
            self.question,
            self.kind,
            self.number,
            self.claim,
            self.passages,
        ]
        return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:32]


def items_of(run: Run) -> Iterator[Item]:
    """Yield the items of a run in order. A statement without a quote has nothing to be judged by."""
    for case in run.cases:
        if case.answered:
            yield from _statements(case, run)
            yield from _nuggets(case, run)


def _statements(case: Case, run: Run) -> Iterator[Item]:
    for number, statement in enumerate(case.statements):
        quotes = tuple(dict.fromkeys(citation.quote for citation in statement.citations))
        if quotes:
            supported = run.verifier.verify(statement.text, quotes).supported
            yield Item(case.question.id, "statement", number, statement.text, quotes, supported)


def _nuggets(case: Case, run: Run) -> Iterator[Item]:
    answer = _MARKER.sub("", case.answer.answer) if case.answer else ""
    for number, nugget in enumerate(case.question.nuggets):
        supported = run.verifier.verify(nugget.text, [answer]).supported
        yield Item(case.question.id, "nugget", number, nugget.text, (answer,), supported)
