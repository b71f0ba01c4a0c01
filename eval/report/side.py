"""One run's side of a question: what was found, what was answered, and what was made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eval.case import Case, Run
from eval.metrics import nuggets
from eval.metrics.quotes import Claim, claims_of, stored_quote
from eval.report.view import (
    AnswerView,
    CitationView,
    Outcome,
    RankedView,
    Side,
    StatementView,
    SupportView,
    VerdictView,
)
from rag.answer import Citation

RANKED_SHOWN = 10
"""Sources of a ranking that are shown: what most ranking metrics look at."""

Values = Mapping[str, float | None]


def side(run: Run, case: Case, values: Values, metrics: Sequence[str]) -> Side:
    """Return a run's side of a question from its outcome and its scores."""
    return Side(
        outcome=outcome_of(values, case),
        kept=True,
        error=case.outcome.error,
        ask_ms=case.outcome.ask_ms,
        answer=_answer(run, case),
        ranked=_ranked(case),
        missed=_missed(run, case),
        nuggets=tuple(
            SupportView(support=match.support, forbidden=match.forbidden) for match in nuggets.matches(case)
        ),
        scores=tuple(values.get(name) for name in metrics),
    )


def scored_side(values: Values, metrics: Sequence[str]) -> Side:
    """Return the side of a run that kept its scores alone."""
    return Side(outcome=outcome_of(values), kept=False, scores=tuple(values.get(name) for name in metrics))


def outcome_of(values: Values, case: Case | None = None) -> Outcome:
    """Say what came of a question, by its scores; by its answer where they do not say."""
    if values.get("crashed") or (case is not None and case.crashed):
        return "crashed"
    # `refusal_recall` scores the questions that cannot be answered, `answer_rate` those that can.
    refused_rightly, answered = values.get("refusal_recall"), values.get("answer_rate")
    if refused_rightly is None and case is not None and not case.question.answerable:
        refused_rightly = float(not case.answered)
    if refused_rightly is not None:
        return "rightly_refused" if refused_rightly else "unanswerable_answered"
    if answered is None and case is not None:
        answered = float(case.answered)
    if answered == 0:
        return "refused"
    wrong = values.get("wrong")
    if wrong is not None:
        return "wrong" if wrong else "right"
    return "unknown" if answered is None else "answered"


def _ranked(case: Case) -> tuple[RankedView, ...]:
    relevant = case.question.relevant
    return tuple(
        RankedView(id=each.id, title=each.title, grade=relevant.get(each.id), rank=rank)
        for rank, each in enumerate(case.outcome.ranked[:RANKED_SHOWN], start=1)
    )


def _missed(run: Run, case: Case) -> tuple[RankedView, ...]:
    ranks = {each.id: (rank, each.title) for rank, each in enumerate(case.outcome.ranked, start=1)}
    missed = []
    for name, grade in case.question.relevant.items():
        rank, title = ranks.get(name, (None, ""))
        if grade > 0 and (rank is None or rank > RANKED_SHOWN):
            known = run.sources.get(name)
            title = title or (known.title if known else "")
            missed.append(RankedView(id=name, title=title, grade=grade, rank=rank))
    return tuple(sorted(missed, key=lambda each: (each.rank is None, each.rank or 0, -(each.grade or 0))))


def _answer(run: Run, case: Case) -> AnswerView | None:
    answer = case.answer
    if answer is None:
        return None
    claims = claims_of(case, run)
    return AnswerView(
        answered=answer.answered,
        text=answer.answer,
        reason=answer.reason.message if answer.reason else "",
        confidence=answer.confidence,
        notices=answer.notices,
        statements=tuple(
            StatementView(
                start=statement.start,
                end=statement.end,
                citations=tuple(_citation(run, case, citation) for citation in statement.citations),
                verdict=_verdict(run, claim),
            )
            for statement, claim in zip(case.statements, claims, strict=True)
        ),
    )


def _citation(run: Run, case: Case, citation: Citation) -> CitationView:
    return CitationView(
        n=citation.n,
        source=citation.source_id,
        field=citation.field,
        start=citation.quote_start,
        end=citation.quote_end,
        quote=citation.quote,
        found=stored_quote(citation, run) is not None,
        grade=case.question.relevant.get(citation.source_id),
    )


def _verdict(run: Run, claim: Claim) -> VerdictView | None:
    """Judge a statement as citation recall does: by the quotes that stand in their sources."""
    if not claim.passages:
        return None
    passages = [passage for passage in claim.passages if passage is not None]
    if not passages:
        return VerdictView(supported=False, coverage=0.0, notes=("no quote stands in its source",))
    found = run.verifier.verify(claim.text, passages)
    return VerdictView(
        supported=found.supported, coverage=found.coverage, failed=found.failed, notes=found.notes
    )
