"""Writing an answer: sentences of the sources, verbatim and cited, each paper introduced where it speaks."""

from __future__ import annotations

from collections.abc import Sequence

from rag.answer import Citation
from rag.compose.arranging import BOTH, NEITHER, contradict, side_of
from rag.compose.phrases import CONTRASTED, NAMED, ON_BOTH, ONE_SIDED, named, on_side
from rag.evidence import Evidence
from rag.inert import inert
from rag.question import Question


def write(groups: Sequence[Sequence[Evidence]], question: Question) -> tuple[str, list[Citation]]:
    """Write the answer: each sentence followed by its marker, a paragraph a source.

    Sources are numbered 1, 2, 3 in order of first use. What introduces a paragraph is no part of a
    citation: `answer[start_index:end_index] == quote`.
    """
    parts: list[str] = []
    citations: list[Citation] = []
    length = 0
    for n, (group, opening) in enumerate(zip(groups, openings(groups, question), strict=True), start=1):
        for i, evidence in enumerate(group):
            before = " " if i else f"\n\n{opening}" if citations else opening
            start = length + len(before)
            piece = f"{before}{evidence.sentence.text} [{n}]"
            parts.append(piece)
            length += len(piece)
            citations.append(_cite(evidence, n, start))
    return "".join(parts), citations


def openings(groups: Sequence[Sequence[Evidence]], question: Question) -> list[str]:
    """Return what each paragraph begins with: which side it is on, and the paper that speaks.

    Papers are named where one of them speaks for itself, and where several are told apart: then all
    of them, for an answer in which some are and some are not reads as a heap.
    """
    by_name = question.kind == "list" or any(
        evidence.sentence.attributed or evidence.standing for group in groups for evidence in group
    )
    found: list[str] = []
    said = ""
    for i, (group, side) in enumerate(zip(groups, _sides(groups, question), strict=True)):
        if i and contradict(groups[i - 1], group):
            # Both have their names, and "by contrast" says enough of the sides.
            found[-1] = found[-1] or _named(groups[i - 1][0], NAMED)
            found.append(_named(group[0], CONTRASTED))
            continue
        # Said once for all paragraphs of a side.
        before = side if side != said else ""
        found.append(before + (_named(group[0], NAMED) if by_name else ""))
        said = side
    return found


def lacking(groups: Sequence[Sequence[Evidence]], question: Question) -> tuple[str, ...]:
    """Say which side of a comparison nothing that is quoted speaks of."""
    if not groups or question.sides is None:
        return ()
    covered = {side_of(group, question.sides) for group in groups}
    quoted = [evidence for group in groups for evidence in group]
    return tuple(
        ONE_SIDED.format(inert(side.name))
        for i, side in enumerate(question.sides)
        if not covered & {i, BOTH} and not any(side.held_by(each.sentence.sequence) for each in quoted)
    )


def _named(evidence: Evidence, template: str) -> str:
    record = evidence.passage.record
    if record.kind != "paper":
        return ""
    return template.format(named(record.title, record.date, evidence.standing))


def _sides(groups: Sequence[Sequence[Evidence]], question: Question) -> list[str]:
    """Return which side each paragraph is on, in words; nothing where they do not fall into sides."""
    none = [""] * len(groups)
    if question.sides is None:
        return none
    sides = [side_of(group, question.sides) for group in groups]
    if NEITHER in sides or set(sides) == {BOTH}:
        return none
    names = (*(on_side(side.name) for side in question.sides), ON_BOTH)
    return [names[side] for side in sides]


def _cite(evidence: Evidence, n: int, start: int) -> Citation:
    sentence, chunk = evidence.sentence, evidence.passage.chunk
    return Citation(
        n=n,
        source_id=evidence.source_id,
        start_index=start,
        end_index=start + len(sentence.text),
        quote=sentence.text,
        chunk_id=chunk.id,
        field=chunk.field,
        quote_start=sentence.start,
        quote_end=sentence.end,
        support="quoted",
        score=round(evidence.score, 4),
    )
