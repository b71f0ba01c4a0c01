"""The same questions in other words, to see whether the answers stay the same."""

from __future__ import annotations

import random
from collections.abc import Iterable

from eval.questions.make.wording import rewordings
from eval.questions.question import EvalQuestion
from rag.answer import MAX_QUESTION


def paraphrases(questions: Iterable[EvalQuestion], *, each: int = 2, seed: int = 0) -> list[EvalQuestion]:
    """Return up to `each` rewordings of every question, drawn by the seed, with all that is known of it.

    Ids are `<id>~p1`, `<id>~p2`; the cluster is the original's, so that `stability` compares them with it.
    What is drawn for a question depends on nothing but its id, its text and the seed. Drafts are left out.
    Raises `ValueError` if `each` is below 1.
    """
    if each < 1:
        raise ValueError(f"each is {each}; ask for at least one paraphrase of each question")
    made = []
    for question in questions:
        if question.draft:
            continue
        rng = random.Random(f"{seed} {question.id}")  # noqa: S311 - a draw, no secret
        chosen = _draw(question.question, each, rng)
        made += [
            question.model_copy(
                update={
                    "id": f"{question.id}~p{n}",
                    "question": wording,
                    "category": "paraphrase",
                    "cluster": question.group,
                }
            )
            for n, wording in enumerate(chosen, start=1)
        ]
    return made


def _draw(text: str, count: int, rng: random.Random) -> list[str]:
    """Draw wordings in another form; framed ones only where those do not suffice."""
    found = rewordings(text)
    chosen: list[str] = []
    for wordings in (found.recast, found.framed):
        usable = [wording for wording in wordings if len(wording) <= MAX_QUESTION]
        chosen += rng.sample(usable, min(count - len(chosen), len(usable)))
    return chosen
