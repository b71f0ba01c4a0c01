"""Choosing the sentences of an answer from the ranked evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag.compose.repetition import repeats
from rag.compose.sides import choose_sides
from rag.evidence import Evidence
from rag.findings import fit_of_amounts
from rag.question import Question, QuestionKind

COVERING = 0.5
"""Share of the first sentence's coverage that one of another source needs."""
ACCOMPANYING, ACCOMPANYING_COSINE = 0.36, 0.3
"""Share, and likeness to the question, that the second sentence needs if it is of the same source."""
DANGLING = 0.08
"""Taken from the score of a sentence that opens with "It", "However" and the like, unless the
sentence before it is chosen too."""
CONTINUING = 0.05
"""Added to the score of an explainer's sentence right behind a chosen one, which it goes on from."""
OUTDATED = 0.2
"""Taken from the score of a sentence whose paper was retracted or superseded."""
REPORTED = 0.6
"""How much a sentence has to look like a finding (`rag.findings`) to be the result of its paper."""
IN_WORDS = 0.5
"""What a result in words is worth where an amount is asked for: "How well does it do?" may have no other."""
MIN_SENTENCES = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """How long an answer to a kind of question is, and how it spreads over sources.

    `supporting` is the share of the best sentence's score that a further one needs.
    """

    sentences: int
    per_source: int
    supporting: float = 0.78


_PLANS: dict[QuestionKind, Plan] = {
    "definition": Plan(4, 3),
    "introduction": Plan(3, 2),
    "quantity": Plan(3, 3),
    "comparison": Plan(5, 3),
    "reason": Plan(4, 3),
    "method": Plan(4, 3),
    "list": Plan(5, 1, supporting=0.65),
    "finding": Plan(4, 3),
}

_OF_ONE_SOURCE = Plan(5, 5, supporting=0.55)
"""Where one source is asked about: more of what it says, since no other has to be left room for."""


def choose(
    ranked: Sequence[Evidence],
    question: Question,
    max_sources: int,
    max_sentences: int,
    *,
    of_one_source: bool = False,
) -> list[Evidence]:
    """Pick the sentences of an answer from the ranked evidence, best first.

    A sentence is passed over where it repeats a chosen one, where its source has said enough, or
    where it is far weaker than the best; the second is taken at a lower bar from the same source,
    so that an answer has at least two where that source says more. `of_one_source` says that the question
    is about one.
    """
    plan = _OF_ONE_SOURCE if of_one_source else _PLANS[question.kind]
    limit = min(plan.sentences, max_sentences)
    pool, chosen = list(ranked), list[Evidence]()
    if question.sides:
        chosen, tells = choose_sides(ranked, question.sides, max_sources, limit)
        # Beside what speaks of the sides there is room for what the source adds that tells them apart, or
        # that would stand with one sentence.
        if chosen:
            more = tells or len(chosen) < MIN_SENTENCES
            pool = [item for item in pool if more and item.source_id == chosen[0].source_id]
    per_source = Counter(evidence.source_id for evidence in chosen)

    def has_room(evidence: Evidence) -> bool:
        said = per_source[evidence.source_id]
        return said < plan.per_source and (said > 0 or len(per_source) < max_sources)

    def standing(evidence: Evidence) -> float:
        continues = any(evidence.follows(other) for other in chosen)
        bonus = CONTINUING if continues and evidence.passage.record.kind != "paper" else 0.0
        penalty = DANGLING if evidence.sentence.dangling and not continues else 0.0
        return evidence.score + bonus - penalty - (OUTDATED if evidence.standing else 0.0)

    def is_new(evidence: Evidence) -> bool:
        """Whether a sentence can be quoted, and repeats none that is chosen."""
        return evidence.sentence.is_quotable and not any(repeats(evidence, other) for other in chosen)

    def next_best() -> Evidence | None:
        # Few sentences come so far: this order spares most of them the closer look.
        return next(filter(is_new, sorted(filter(has_room, pool), key=standing, reverse=True)), None)

    def supports(evidence: Evidence) -> bool:
        """Whether a further sentence is near enough to the first in score and in what it covers."""
        lead = chosen[0]
        on_topic = evidence.coverage >= COVERING * lead.coverage or evidence.source_id == lead.source_id
        return on_topic and standing(evidence) >= plan.supporting * lead.score

    def accompanies(evidence: Evidence) -> bool:
        """Whether a sentence of the first one's source may be the second of an answer."""
        near = evidence.source_id == chosen[0].source_id and evidence.cosine >= ACCOMPANYING_COSINE
        return near and standing(evidence) >= ACCOMPANYING * chosen[0].score

    while len(chosen) < limit:
        best = next_best()
        if best is None:
            break
        if chosen and not supports(best):
            if len(chosen) >= MIN_SENTENCES:
                break
            pool = [evidence for evidence in pool if accompanies(evidence)]
            best = next_best()
            if best is None:
                break
        taken = [best, *filter(is_new, _antecedent(best, pool, chosen))]
        chosen += taken
        per_source.update(evidence.source_id for evidence in taken)
    chosen = chosen[:limit]
    if (result := _result_missing(chosen, question, filter(is_new, ranked))) is not None:
        # It comes with the paper that is answered from, in place of the last sentence where all are taken.
        chosen = [*chosen[: limit - 1], result] if limit > 1 else [result]
    return chosen


def _result_missing(
    chosen: Sequence[Evidence], question: Question, others: Iterable[Evidence]
) -> Evidence | None:
    """Return the sentence of the first source that has the amount or result asked for, if none chosen has.

    The sentence most like a question is the paper's aim; what came of it stands a sentence or two on.
    """
    if not chosen or not question.asks_result:
        return None

    def holds(evidence: Evidence) -> float:
        """How well a sentence has what was asked for: an amount, or failing that a result in words."""
        reported = evidence.sentence.finding if evidence.sentence.finding >= REPORTED else 0.0
        if question.kind == "quantity":
            return max(fit_of_amounts(evidence.sentence.text, question.units), IN_WORDS * reported)
        return reported

    lead = chosen[0].source_id
    had = max(holds(evidence) for evidence in chosen if evidence.source_id == lead)
    if had > IN_WORDS or (had and question.kind != "quantity"):
        return None
    results = [
        (holds(other) + other.score, other)
        for other in others
        if other.source_id == lead and holds(other) > had
    ]
    return max(results, key=lambda scored: scored[0])[1] if results else None


def _antecedent(evidence: Evidence, pool: Sequence[Evidence], chosen: Sequence[Evidence]) -> list[Evidence]:
    """Return the sentence that a dangling one points back to, if it can be quoted and is not chosen."""
    if not evidence.sentence.dangling or any(evidence.follows(other) for other in chosen):
        return []
    return [other for other in pool if evidence.follows(other)]
