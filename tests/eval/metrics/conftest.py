"""Answers made by hand, over sources of a field each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

from eval.case import Case, Run, cases_of
from eval.outcome import Outcome
from eval.questions.question import EvalQuestion
from rag.answer import (
    Answer,
    Citation,
    FieldText,
    Filters,
    Provenance,
    Reason,
    SourceInfo,
    SourceRef,
    Understood,
)
from rag.verify import Verifier


@dataclass(frozen=True)
class Desk:
    """Texts by source id; makes citations of them, answers, cases and runs."""

    texts: dict[str, str] = field(default_factory=dict)

    def cite(self, source: str, quote: str, /, **altered: Any) -> Citation:
        """Cite a quote where it stands in its source; `altered` fields make it wrong."""
        start = self.texts.get(source, "").find(quote)
        fields: dict[str, Any] = {
            "n": 1,
            "source_id": source,
            "start_index": 0,
            "end_index": 0,
            "quote": quote,
            "chunk_id": "c",
            "field": "abstract",
            "quote_start": start,
            "quote_end": start + len(quote),
            "support": "terms",
            "score": 0.5,
        }
        return Citation(**(fields | altered))

    def answer(self, *statements: tuple[str, Iterable[Citation]], **fields: Any) -> Answer:
        """Write the statements one behind the other, each with its citations and their markers."""
        text = ""
        placed: list[Citation] = []
        numbers: dict[str, int] = {}
        for statement, citations in statements:
            start = len(text)
            end = start + len(statement)
            here = []
            for citation in citations:
                n = numbers.setdefault(citation.source_id, len(numbers) + 1)
                here.append(citation.model_copy(update={"n": n, "start_index": start, "end_index": end}))
            placed += here
            text += statement + "".join(f" [{citation.n}]" for citation in here) + " "
        sources = tuple(
            SourceRef(n=n, id=source, kind="paper", title=source, score=0.5) for source, n in numbers.items()
        )
        made: dict[str, Any] = {"answer": text.strip(), "citations": tuple(placed), "sources": sources}
        return _answer(answered=True, kind="passage", **(made | fields))

    def refusal(self, **fields: Any) -> Answer:
        reason = Reason(code="weak_evidence", message="The sources do not answer this well enough.")
        return _answer(answered=False, kind="refusal", **({"answer": "", "reason": reason} | fields))

    def run(self, *asked: tuple[EvalQuestion, Answer | None]) -> Run:
        """Join questions with what came of them; None is a crash."""
        outcomes = {
            question.id: Outcome(question_id=question.id, answer=answer, error="" if answer else "fell over")
            for question, answer in asked
        }
        sources = {
            source: SourceInfo(
                id=source,
                kind="paper",
                title=f"Title of {source}",
                fields=(FieldText(field="abstract", text=text),),
            )
            for source, text in self.texts.items()
        }
        questions = [question for question, _ in asked]
        return Run(cases_of(questions, outcomes), sources, Verifier(lambda term: 1.0))

    def case(self, question: EvalQuestion, answer: Answer | None) -> Case:
        return self.run((question, answer)).cases[0]


def _answer(**fields: Any) -> Answer:
    made: dict[str, Any] = {
        "id": "answer",
        "question": "?",
        "understood": Understood(text="?", topic=None, filters=Filters(), kind="finding"),
        "topic": None,
        "timing_ms": {},
        "provenance": Provenance(index="i", encoder="e", answerer="a", version="v"),
    }
    return Answer(**(made | fields))


@pytest.fixture
def desk() -> Callable[..., Desk]:
    """Lay sources on the desk by id: `desk(a="What a says.")`."""
    return lambda **texts: Desk(texts)


@pytest.fixture
def ask() -> Callable[..., EvalQuestion]:
    """Make a question; unanswerable ones get a reason."""

    def make(**fields: Any) -> EvalQuestion:
        made: dict[str, Any] = {"id": "q", "question": "What was found?"}
        if not fields.get("answerable", True):
            made["why_not"] = "no source says it"
        return EvalQuestion(**(made | fields))

    return make
