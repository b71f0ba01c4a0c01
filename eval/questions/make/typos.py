"""The same questions with the slips of a hurried typist."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Set

from eval.questions.question import EvalQuestion
from index.text.formulas import convert_dollars, formula_spans

MOST = 2
"""Slips a question: a person corrects a line with more."""
SHORTEST = 5
"""Letters of a word that may be misspelt; a slip in a shorter one leaves too little to know it by."""

_NEIGHBOURS = {
    "a": "qswz", "b": "vghn", "c": "xdfv", "d": "serfcx", "e": "wsdr", "f": "drtgvc", "g": "ftyhbv",
    "h": "gyujnb", "i": "ujko", "j": "huikmn", "k": "jiolm", "l": "kop", "m": "njk", "n": "bhjm",
    "o": "iklp", "p": "ol", "q": "wa", "r": "edft", "s": "awedxz", "t": "rfgy", "u": "yhji", "v": "cfgb",
    "w": "qase", "x": "zsdc", "y": "tghu", "z": "asx",
}  # fmt: skip
"""Keys beside each other on a QWERTY keyboard."""

_TOKEN = re.compile(r"\S+")
_PLAIN = re.compile(r"[\"'“‘(\[]*([a-z]+)[\"'”’)\],.;:?!]*")
_NEVER = frozenset("without never neither nothing cannot hardly except unless".split())
"""Words of negation: misspelt, the question would ask for the opposite."""
_CONFUSABLE = frozenset(
    "angel angle bath batch bead bread board broad casual causal dairy diary except expect lager large later"
    " latter layer lean learn marital martial modal model place plan plane plant police policy quiet quite"
    " sacred scare scared score shirt short shot sort stale stare stat state store scale than then theses"
    " these thin thing think three there trail trial united untied value valves values were where while whole"
    " word world".split()
)
"""Words that one slip makes of another: they would ask something else."""


def typos(
    questions: Iterable[EvalQuestion], *, seed: int = 0, words: Set[str] = frozenset()
) -> list[EvalQuestion]:
    """Return the questions with one or two slips each, as `<id>~typo` in the original's cluster.

    A slip is a neighbouring key, two letters swapped, one left out or one doubled, in a word of at least
    five small letters and never its first one. Names, numbers, formulas, compounds and negations stay, and
    no slip makes one of the questions' own words or of `words`, such as a corpus holds. Drafts, and
    questions without a word that may be misspelt, are left out.
    """
    asked = [question for question in questions if not question.draft]
    known = {word for question in asked for word in re.findall(r"[a-z]+", question.question.lower())}
    avoid = _CONFUSABLE | _NEVER | known | words
    made = []
    for question in asked:
        rng = random.Random(f"{seed} {question.id}")  # noqa: S311 - a draw, no secret
        slipped = _with_slips(question.question, rng, avoid)
        if slipped:
            made.append(
                question.model_copy(
                    update={
                        "id": f"{question.id}~typo",
                        "question": slipped,
                        "category": "typo",
                        "cluster": question.group,
                    }
                )
            )
    return made


def _with_slips(text: str, rng: random.Random, avoid: Set[str]) -> str:
    """Return the text with its slips, "" where no word may be misspelt."""
    places = _places(text)
    rng.shuffle(places)
    wanted = rng.randint(1, MOST)
    edits = []
    for start, end in places:
        slipped = _misspell(text[start:end], rng, avoid)
        if slipped:
            edits.append((start, end, slipped))
        if len(edits) == wanted:
            break
    for start, end, slipped in sorted(edits, reverse=True):
        text = text[:start] + slipped + text[end:]
    return text if edits else ""


def _places(text: str) -> list[tuple[int, int]]:
    """Half-open spans of the words that may be misspelt."""
    formulas = formula_spans(text)
    if convert_dollars(text) != text:
        formulas.append((text.index("$"), text.rindex("$") + 1))
    found = []
    for token in _TOKEN.finditer(text):
        match = _PLAIN.fullmatch(token[0])
        if match is None or len(match[1]) < SHORTEST or match[1] in _NEVER:
            continue
        start, end = token.start() + match.start(1), token.start() + match.end(1)
        if not any(first < end and start < last for first, last in formulas):
            found.append((start, end))
    return found


def _misspell(word: str, rng: random.Random, avoid: Set[str]) -> str:
    """Return the word with one slip; "" if every kind drawn leaves it, or makes a word to avoid of it."""
    # Not the first letter: slips are rare there (Pollock and Zamora, 1984).
    at = rng.randrange(1, len(word))
    # The last one makes another form of the word ("compared", "learner"), and has none to swap with.
    inner = min(at, len(word) - 2)
    slips = [
        word[:inner] + rng.choice(_NEIGHBOURS[word[inner]]) + word[inner + 1 :],
        word[:inner] + word[inner + 1] + word[inner] + word[inner + 2 :],
        word[:inner] + word[inner + 1 :],
        word[: at + 1] + word[at:],
    ]
    rng.shuffle(slips)
    return next((slip for slip in slips if slip != word and slip not in avoid), "")
