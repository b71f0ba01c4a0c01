"""TREC run and qrels files, so that any evaluation tool of the field can check our figures.

    run     question  Q0  source  rank  score  tag
    qrels   question  0   source  grade

**Order.** For us the order of a ranking counts. TREC tools ignore order and rank: they sort by score, and
trec_eval holds scores as 32-bit floats and puts equal ones in falling order of their ids (others in rising
order). Scores that are equal, or that differ only beyond 32 bits, would therefore be read as another
ranking than ours. `falling_scores` says what is written instead.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from eval.outcome import Ranked
from eval.questions.question import EvalQuestion
from index.errors import AsktopicError

# A lone surrogate has no UTF-8 form; a NUL ends a string in C.
_COLUMN = re.compile(r"[^\s\x00-\x1f\ud800-\udfff]+")
_SMALLEST = float(np.finfo(np.float32).tiny)
"""The smallest 32-bit float that is not subnormal. Subnormals are never written: with flush-to-zero, which
numeric libraries switch on, they would all be read as 0, and tie."""
_LARGEST = 1e38
"""Where scores are clipped: a third of the largest 32-bit float, so that falling has room below."""


class BadTrec(AsktopicError):
    """A TREC file cannot be read, or something cannot stand in one."""


def write_run(path: Path, rankings: Mapping[str, Sequence[Ranked]], tag: str) -> None:
    """Write rankings, by question id, as a TREC run, whole or not at all.

    A question whose ranking is empty has no line, for the format has none to give it. To count it as 0,
    average over the questions of the qrels: ir_measures does, trec_eval does with `-c`.

    Raises `BadTrec` where an id or the tag has white space or control characters, a ranking names a source
    twice, a score is not finite, or the file cannot be written.
    """
    _write(path, _run_lines(rankings, _column(tag, "tag")))


def write_qrels(path: Path, questions: Iterable[EvalQuestion]) -> None:
    """Write the judgements of questions as TREC qrels, whole or not at all.

    Questions without a relevant source are left out. Ranking metrics do not apply to them, but tools
    would count each as 0 in their means. Raises `BadTrec` as `write_run` does.
    """
    _write(
        path,
        (
            f"{_column(question.id, 'question id')} 0 {_column(source, 'source id')} {grade}\n"
            for question in questions
            if question.positives
            for source, grade in question.relevant.items()
        ),
    )


def read_run(path: Path) -> dict[str, tuple[Ranked, ...]]:
    """Read a TREC run, each ranking in the order that trec_eval would give it (see `trec_order`).

    Raises `BadTrec`, with the line, where the file is not a run.
    """
    scores: dict[str, dict[str, float]] = {}
    for where, columns in _lines(path, 6):
        question, _, source, _, text, _ = columns
        score = _number(text)
        if not math.isfinite(score):
            raise BadTrec(f"{where}: the score {text!r} is not a finite number")
        ranking = scores.setdefault(question, {})
        if source in ranking:
            raise BadTrec(f"{where}: {source} stands twice in the ranking of {question}")
        ranking[source] = score
    return {
        question: tuple(Ranked(id=source, score=ranking[source]) for source in trec_order(ranking))
        for question, ranking in scores.items()
    }


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """Read TREC qrels: question id to source id to grade, as written (some tracks have negative ones).

    Raises `BadTrec`, with the line, where the file is not qrels or judges a source twice and differently.
    """
    judgements: dict[str, dict[str, int]] = {}
    for where, columns in _lines(path, 4):
        question, _, source, text = columns
        try:
            grade = int(text)
        except ValueError:
            raise BadTrec(f"{where}: the grade {text!r} is not a whole number") from None
        known = judgements.setdefault(question, {}).setdefault(source, grade)
        if known != grade:
            raise BadTrec(f"{where}: {source} is judged {grade} for {question}, and was {known} before")
    return judgements


def trec_order(scores: Mapping[str, float]) -> list[str]:
    """Return ids in the order trec_eval gives them: falling 32-bit score, ties by falling id."""
    with np.errstate(over="ignore"):  # what is too large becomes infinite there too, and ties
        single = np.array(list(scores.values()), np.float64).astype(np.float32).tolist()
    # Code points order strings as the bytes of their UTF-8 do, which is what trec_eval compares.
    return [source for _, source in sorted(zip(single, scores, strict=True), reverse=True)]


def falling_scores(scores: Iterable[float]) -> list[float]:
    """Return scores that fall strictly as 32-bit floats, for a ranking in this order.

    Each is the 32-bit float nearest to the score; where that does not lie below the one before, the next
    float below it. So a score that needs no change has none but rounding, ties part by one unit in the
    last place, and a score that rises against the order is held down.
    """
    found: list[float] = []
    for score in scores:
        value = float(np.float32(min(max(score, -_LARGEST), _LARGEST)))
        value = value if abs(value) >= _SMALLEST else 0.0
        found.append(value if not found or value < found[-1] else _next_below(found[-1]))
    return found


def _next_below(value: float) -> float:
    lower = float(np.nextafter(np.float32(value), np.float32(-np.inf)))
    if abs(lower) >= _SMALLEST:
        return lower
    return 0.0 if value > 0 else -_SMALLEST


def _run_lines(rankings: Mapping[str, Sequence[Ranked]], tag: str) -> Iterator[str]:
    for question, ranking in rankings.items():
        _column(question, "question id")
        seen: set[str] = set()
        for ranked in ranking:
            if not math.isfinite(ranked.score):
                raise BadTrec(f"{question}: the score of {ranked.id} is {ranked.score}")
            if ranked.id in seen:
                raise BadTrec(f"{question}: {ranked.id} stands twice in the ranking")
            seen.add(_column(ranked.id, "source id"))
        written = falling_scores(ranked.score for ranked in ranking)
        for rank, (ranked, score) in enumerate(zip(ranking, written, strict=True), start=1):
            # Nine significant digits tell any two 32-bit floats apart.
            yield f"{question} Q0 {ranked.id} {rank} {score:.9g} {tag}\n"


def _column(text: str, what: str) -> str:
    if not _COLUMN.fullmatch(text):
        raise BadTrec(
            f"the {what} {text!r} cannot stand in a TREC file: it is empty, or has white space, control "
            f"characters or what is no text"
        )
    return text


def _write(path: Path, lines: Iterable[str]) -> None:
    text = "".join(lines)  # what cannot be written is refused before a file is touched
    draft = path.with_suffix(path.suffix + ".part")
    try:
        draft.write_text(text, "utf-8", newline="\n")
        draft.replace(path)
    except OSError as error:
        raise BadTrec(f"{path} cannot be written: {error.strerror}") from error


def _lines(path: Path, columns: int) -> Iterator[tuple[str, list[str]]]:
    """Yield where each line stands, for messages, and its columns. Empty lines are passed over."""
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadTrec(f"{path} cannot be read: {error}") from error
    for number, line in enumerate(lines, start=1):
        found = line.split()
        if found and len(found) != columns:
            raise BadTrec(f"{path}:{number}: expected {columns} columns, found {len(found)}: {line[:80]!r}")
        if found:
            yield f"{path}:{number}", found


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
