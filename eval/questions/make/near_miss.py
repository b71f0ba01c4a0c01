"""Questions that a collection almost answers: the papers that answer them are left out of it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from eval.questions.make.writing import CannotMake
from eval.questions.question import EvalQuestion
from index.records import Record, Topic, title_id
from index.sources.base import Read
from index.sources.detect import read

CATEGORY = "near_miss"


@dataclass(frozen=True)
class NearMisses:
    """A set in which some questions can no longer be answered, and the ids of the sources it is without."""

    questions: tuple[EvalQuestion, ...]
    left_out: frozenset[str]


def near_misses(
    questions: Iterable[EvalQuestion],
    *,
    share: float = 0.5,
    seed: int = 0,
    papers: Mapping[str, str] | None = None,
) -> NearMisses:
    """Make about `share` of the answerable questions unanswerable, drawn by the seed; the others stay.

    A question is drawn with all the sources that answer it (judged relevant, or to be cited). Every other
    question that needs no other source becomes a near-miss with it; one that keeps some of its sources and
    loses others is left out of the set, since nobody knows whether it can still be answered. So is an
    answerable question of which no source is known, and a draft. A draw that would make more near-misses
    than asked for is passed over: where many questions stand on one source there may be fewer.

    A near-miss is called `<id>~near-miss`, stays in its cluster, keeps no judgement, and says in `why_not`
    which source is gone. `papers` maps the ids of what may be left out to titles; give it, since what an
    explainer says many papers say again, and without it any source may go. Raises `ValueError` unless
    0 < share <= 1. That no *other* source answers a near-miss is likely, and not checked: read them.
    """
    if not 0 < share <= 1:
        raise ValueError(f"share is {share}; expected a share above 0, and 1 at most")
    asked = [question for question in questions if not question.draft]
    needs = {question.id: _needed(question) for question in asked if question.answerable}
    eligible = sorted(
        name for name, sources in needs.items() if sources and (papers is None or sources <= papers.keys())
    )
    wanted = max(1, round(share * len(eligible))) if eligible else 0
    left_out = _draw({name: needs[name] for name in eligible}, wanted, seed)
    made = []
    for question in asked:
        needed = needs.get(question.id, frozenset())
        if not question.answerable or (needed and not needed & left_out):
            made.append(question)
        elif needed and needed <= left_out:
            made.append(_unanswerable(question, needed, papers or {}))
    return NearMisses(tuple(made), left_out)


def corpus_without(
    paths: Sequence[Path], left_out: Set[str], *, topic: str | None = None
) -> Iterator[Record]:
    """Yield the records of a corpus but for some ids, and for other records of the same title.

    A paper that lies there twice, under two ids, would still answer. A topic to be left out keeps its name
    and loses its description. `paths` and `topic` are as for
    ingest; what cannot be read is passed over, as ingest does. Reads the corpus twice, and holds none of
    it. Raises `CannotMake` where an id to be left out is not in the corpus: it is not the one that the
    questions were asked of.
    """
    found: set[str] = set()
    titles: set[str] = set()
    for record in _records(paths, topic):
        if record.id in left_out:
            found.add(record.id)
            titles.add(title_id(record.kind, record.title))
    missing = sorted(left_out - found)
    if missing:
        raise CannotMake(
            f"the corpus has no {missing[0]!r}, which is to be left out"
            + (f" (nor {len(missing) - 1:,} others)" if missing[1:] else "")
            + "; give the corpus that the questions are asked over"
        )
    return _kept(_records(paths, topic), left_out, titles)


def _kept(records: Iterable[Record], left_out: Set[str], titles: Set[str]) -> Iterator[Record]:
    for record in records:
        if isinstance(record, Topic):
            # Questions are asked inside it: it stays, without what it says.
            yield record.model_copy(update={"description": ""}) if record.id in left_out else record
        elif record.id not in left_out and title_id(record.kind, record.title) not in titles:
            yield record


def _records(paths: Sequence[Path], topic: str | None) -> Iterator[Record]:
    return (item.record for path in paths for item in read(path, topic) if isinstance(item, Read))


def _needed(question: EvalQuestion) -> frozenset[str]:
    return question.positives | frozenset(question.must_cite)


def _draw(needs: Mapping[str, frozenset[str]], wanted: int, seed: int) -> frozenset[str]:
    """Draw questions until `wanted` of them have lost all their sources; return the sources."""
    order = list(needs)
    random.Random(seed).shuffle(order)  # noqa: S311 - a draw, no secret
    left_out: frozenset[str] = frozenset()
    reached = 0
    for name in order:
        if reached == wanted:
            break
        wider = left_out | needs[name]
        count = sum(sources <= wider for sources in needs.values())
        if reached < count <= wanted:
            left_out, reached = wider, count
    return left_out


def _unanswerable(question: EvalQuestion, gone: Set[str], titles: Mapping[str, str]) -> EvalQuestion:
    named = [f"“{titles[name]}” ({name})" if name in titles else name for name in sorted(gone)]
    return question.model_copy(
        update={
            "id": f"{question.id}~near-miss",
            "category": CATEGORY,
            "answerable": False,
            "why_not": f"left out of the corpus, which held nothing else to answer it: {', '.join(named)}",
            "without": tuple(sorted(gone)),
            "relevant": {},
            "must_cite": (),
            "nuggets": (),
            "gold_answer": "",
            "cluster": question.group,
        }
    )
