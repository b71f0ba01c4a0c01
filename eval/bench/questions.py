"""Questions made from the papers themselves, each with the paper that it was made from.

They measure speed, and guard against a system that is fast by finding nothing; they are no test of
quality, since people do not ask in the words of an abstract.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count as count_from
from typing import Literal

from index.records import Paper
from index.text.sentences import sentences
from rag.words import FUNCTION_WORDS

Form = Literal["title", "words", "sentence"]
FORMS: tuple[Form, ...] = ("title", "words", "sentence")

FEWEST_WORDS = 6
"""A shorter sentence ("Code is available.") could stand in any paper."""
LONGEST_SENTENCE = 400
"""In code points: nobody types a longer question."""


@dataclass(frozen=True, slots=True)
class BenchQuestion:
    """A question and the id of the paper that it was made from."""

    text: str
    paper_id: str
    form: Form


def make_questions(papers: Sequence[Paper], count: int, seed: int) -> list[BenchQuestion]:
    """Make up to `count` different questions; fewer where the papers do not give as many.

    The papers are taken in an order that the seed shuffles, and the three forms in turn: the title
    quoted, the title's content words shuffled, an inner sentence of the abstract (or summary). The
    same papers and seed give the same questions, in whatever order the papers come.
    """
    shuffled = sorted(papers, key=lambda paper: paper.id)
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - a sample, not a secret
    made: dict[str, BenchQuestion] = {}
    for cycle in count_from():
        before = len(made)
        for turn in range(len(FORMS)):
            for place, paper in enumerate(shuffled):
                form = FORMS[(place + turn) % len(FORMS)]
                text = _text(paper, form, cycle, seed)
                if text is not None:
                    made.setdefault(text, BenchQuestion(text, paper.id, form))
                if len(made) == count:
                    return list(made.values())
        if len(made) == before:
            return list(made.values())
    raise AssertionError("unreachable: counting does not end")


def _text(paper: Paper, form: Form, cycle: int, seed: int) -> str | None:
    """The paper's question of a form; `cycle` counts from 0 how often that form came round."""
    match form:
        case "title":
            return f"What did “{paper.title}” find?" if cycle == 0 else None
        case "words":
            return _words_question(paper, seed) if cycle == 0 else None
        case "sentence":
            inner = _inner_sentences(paper.abstract or paper.summary)
            return _sentence_question(inner[cycle]) if cycle < len(inner) else None


def _words_question(paper: Paper, seed: int) -> str | None:
    words = [word for word in re.findall(r"\w[\w-]*", paper.title) if word.lower() not in FUNCTION_WORDS]
    if len(words) < 2:
        return None
    # Seeded by the paper too, so that its question does not depend on which others are there.
    random.Random(f"{seed} {paper.id}").shuffle(words)  # noqa: S311 - a sample, not a secret
    return f"Which paper studies {' '.join(words)}?"


def _sentence_question(sentence: str) -> str:
    first, _, rest = sentence.partition(" ")
    # "We show" goes on in lower case, "SAC learns" and "Q-learning is" keep theirs.
    if first.istitle() and "-" not in first:
        first = first.lower()
    return f"Is it known that {first} {rest.rstrip('.!? ')}?"


def _inner_sentences(text: str) -> list[str]:
    """Sentences but the first and the last, from the middle outwards: what is neither aim nor close."""
    spans = sentences(text)
    middle = (len(spans) - 1) / 2
    order = sorted(range(1, len(spans) - 1), key=lambda position: (abs(position - middle), position))
    found = [" ".join(text[slice(*spans[position])].split()) for position in order]
    return [
        sentence
        for sentence in found
        if len(sentence.split()) >= FEWEST_WORDS and len(sentence) <= LONGEST_SENTENCE
    ]
