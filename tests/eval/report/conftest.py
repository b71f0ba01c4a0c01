"""A run of five questions, one for each thing that can come of one, as it lies on disk."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest

from eval.evaluate import load_run
from eval.outcome import Outcome, Ranked
from eval.questions.question import EvalQuestion, Nugget
from eval.runs.folder import RunFolder, write_lines
from eval.runs.manifest import Code, Manifest, SetInfo
from eval.scoring import score
from rag.answer import Answer, Citation, FieldText, Filters, Provenance, Reason, SourceInfo, Understood

MakeRun = Callable[..., RunFolder]

FINDING = "Curiosity bonuses raise scores by 12% in mazes."
ABSTRACT = f"Rewards 😀 are rare in mazes. {FINDING} Nothing else does."
HOSTILE = "</script><img src=x onerror=alert(1)> | @someone \x00\x1b\ufffe"

QUESTIONS = (
    EvalQuestion(
        id="right",
        question="What do curiosity bonuses do?",
        category="finding",
        relevant={"paper-a": 2, "paper-b": 0, "paper-c": 1},
        nuggets=(Nugget(text=FINDING), Nugget(text="Every agent learns to cook soup.", vital=False)),
        filters=Filters(venues=("NeurIPS",)),
    ),
    EvalQuestion(id="wrong", question="Which maze is hardest?", category="finding", must_cite=("paper-b",)),
    EvalQuestion(id="refused", question="Why are rewards rare?", category="concept"),
    EvalQuestion(
        id="impossible", question="Who won in 1950?", category="none", answerable=False, why_not="not there"
    ),
    EvalQuestion(id="crashed", question=HOSTILE, category="none", answerable=False, why_not="not there"),
)
SOURCES = (
    SourceInfo(
        id="paper-a",
        kind="paper",
        title="Curiosity",
        fields=(FieldText(field="abstract", text=ABSTRACT), FieldText(field="summary", text="Never quoted.")),
    ),
)


def _answer(question: EvalQuestion, text: str, citations: tuple[Citation, ...] = ()) -> Answer:
    return Answer(
        id=question.id,
        question=question.question,
        understood=Understood(text=question.question, topic=None, filters=Filters(), kind="question"),
        topic=None,
        answered=bool(text),
        kind="passage" if text else "refusal",
        answer=text,
        citations=citations,
        confidence=0.8 if text else 0.1,
        reason=None if text else Reason(code="no_evidence", message="Nothing speaks of it."),
        timing_ms={"total": 5.0},
        provenance=Provenance(index="i", encoder="e", answerer="a", version="0"),
    )


def _citation(start: int, end: int, quote: str) -> Citation:
    at = ABSTRACT.index(FINDING)
    return Citation(
        n=1,
        source_id="paper-a",
        start_index=start,
        end_index=end,
        quote=quote,
        chunk_id="c",
        field="abstract",
        quote_start=at,
        quote_end=at + len(FINDING),
        support="quoted",
        score=0.9,
    )


def _outcomes() -> list[Outcome]:
    right, wrong, refused, impossible, crashed = QUESTIONS
    ranked = (
        Ranked(id="paper-b", title="Mazes", score=2.0),
        Ranked(id="paper-a", title="Curiosity", score=1.0),
        Ranked(id="paper-x", score=0.5),
    )
    said = f"{FINDING} [1]"
    other = "The hardest maze is in Versailles. [1]"
    return [
        Outcome(
            question_id=right.id,
            ranked=ranked,
            answer=_answer(right, said, (_citation(0, len(FINDING), FINDING),)),
            ask_ms=5.0,
        ),
        Outcome(
            question_id=wrong.id,
            answer=_answer(wrong, other, (_citation(0, len(other) - 4, "Something else."),)),
            ask_ms=80.0,
        ),
        Outcome(question_id=refused.id, answer=_answer(refused, ""), ask_ms=6.0),
        Outcome(question_id=impossible.id, answer=_answer(impossible, ""), ask_ms=7.0),
        Outcome(question_id=crashed.id, error=f"TimeoutError: {HOSTILE}"),
    ]


@pytest.fixture
def make_run(tmp_path: Path) -> MakeRun:
    """Write a run; with `scores_only` what is kept of a baseline, `without` some questions' outcomes."""

    def make(name: str = "run", *, scores_only: bool = False, without: tuple[str, ...] = ()) -> RunFolder:
        folder = tmp_path / name
        folder.mkdir()
        write_lines(folder / "questions.jsonl", QUESTIONS)
        write_lines(folder / "outcomes.jsonl", [o for o in _outcomes() if o.question_id not in without])
        write_lines(folder / "sources.jsonl", SOURCES)
        manifest = Manifest(
            system="in process",
            code=Code(version="0.1.0", fingerprint="c0de"),
            set=SetInfo(name="small", fingerprint="5e7", questions=len(QUESTIONS)),
            started=dt.datetime(2026, 1, 2, tzinfo=dt.UTC),
        )
        (folder / "manifest.json").write_text(manifest.model_dump_json(), "utf-8")
        score(load_run(RunFolder(folder))).write(folder / "scores.csv")
        if scores_only:
            for file in ("questions.jsonl", "outcomes.jsonl", "sources.jsonl"):
                (folder / file).unlink()
        return RunFolder(folder)

    return make
