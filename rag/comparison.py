"""What a question compares: "PPO against SAC" has two sides, and an answer speaks of both."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from index.stores.lexical import analyze
from rag.wording import Equivalent

LONGEST_SIDE = 8
"""Words of a side at most: what is longer is a clause that the forms below cut in the wrong place."""
PHRASE = 2
"""Terms up to which a side has to stand in a text word by word; a longer one is put in other words."""
HELD = 2 / 3
"""Share of a longer side's terms that a text has to hold, and the first, which tells it from its like."""

_SIDE = r"(?P<{}>[^,;:?!]{{2,80}}?)"
_A, _B = _SIDE.format("a"), _SIDE.format("b")
_TO = r"(?:with|to|and|against|versus|vs\.?)"
_DO = r"(?:perform|work|learn|do|generali[sz]e|scale|be)s?"
_END = (
    r"(?:\s*[?.!]*$|\s*[,;:]\s.*$|\s+(?:in|for|on|at|when|under|with|regarding|concerning|during|within|across|if"
    r"|as|while)\s.*$)"
)
_BE = r"(?:is|are|was|were|does|do|did|can|could|will|would|should|has|have)"
_HOW = r"(?:better|worse|superior|inferior|(?!rather|other)\w{2,}er|(?:more|less) [\w-]+(?: [\w-]+)?)"
# Tried in order, where the question holds a word by which things are compared.
_FORMS = tuple(
    re.compile(form, re.I)
    for form in (
        rf"\b(?:differences?|distinctions?|comparisons?|contrast) between {_A} and {_B}{_END}",
        rf"\b(?:compar(?:e|es|ing|ison of)|contrast(?:ing)?) {_A} {_TO} {_B}{_END}",
        rf"\bhow {_BE} {_A} (?:compared? {_TO}|differ(?:ent)? (?:from|to|than)) {_B}{_END}",
        rf"\b(?:distinguish(?:es)?|sets|separates|makes?) {_A} (?:apart |different )?from {_B}{_END}",
        rf"\b(?:(?:dis)?advantages?|benefits?|drawbacks?) of {_A} (?:over|compared {_TO}|against) {_B}{_END}",
        rf"\bwhich (?:is|are|one is|does|works?|performs?|learns?) [\w\s-]{{2,30}}?[,:]? "
        rf"{_A},? or {_B}{_END}",
        rf"^\W*{_BE} {_A} or {_B} {_HOW}{_END}",
        rf"^\W*(?:and |but |so |why |when |how )?{_BE} {_A} (?:{_DO} )?{_HOW} than {_B}{_END}",
        rf"^\W*{_BE} {_A} (?:outperform|beat|surpass) {_B}{_END}",
        rf"^\W*(?:what about |how about |explain |describe |compare )?{_A} "
        rf"(?:vs\.?|versus|against|compared (?:with|to)) {_B}{_END}",
    )
)
_COMPARES = re.compile(
    r"\b(differ|compar|contrast|distin|separat|sets\b|versus|vs\b|against|than\b|between|advantage|disadvantage"
    r"|benefit|drawback|outperform|beat|surpass|which|better|worse)",
    re.I,
)
_ARTICLE = re.compile(r"^(?:the|a|an|using|use of)\s+", re.I)
# What a side is, which texts leave out: "policy gradient methods" are "policy gradients" too.
_GENERIC = re.compile(r"\s+(?:methods?|algorithms?|approach(?:es)?|agents?|techniques?|models?|ones?)$", re.I)
_LEARNING = re.compile(r"(?<=\w-)(\w+)\s+(?:learning|RL|reinforcement learning)$", re.I)
# No thing by its name: a clause, or whatever there is besides.
_NO_NAME = re.compile(
    r"\b(?:is|are|was|were|does|do|did|that|this|its?|they|their|which|who|how|what|why|and|or|than|to)\b"
    r"|^(?:all|any|each|every|existing|previous|prior|other|others|baselines?|state-of-the-art|standard|traditional"
    r"|conventional|alternative|current|earlier) ?(?:the )?(?:other |previous |existing )?"
    r"(?:baselines?|methods?|approach(?:es)?|algorithms?|works?|techniques?|models?|agents?|ones?)?$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Side:
    """One of the things compared. `name` is as the question has it; `phrases` the ways it is written, as
    terms in order."""

    name: str
    phrases: tuple[tuple[str, ...], ...]

    def held_by(self, sequence: Sequence[str]) -> bool:
        """Whether a text, as its terms in order, speaks of this side."""
        text = f" {' '.join(sequence)} "
        held = set(sequence)
        return any(
            f" {' '.join(phrase)} " in text
            or (
                len(phrase) > PHRASE
                and phrase[0] in held
                and len(held.intersection(phrase)) >= HELD * len(phrase)
            )
            for phrase in self.phrases
        )


Sides = tuple[Side, Side]


def sides_of(text: str, equivalents: Sequence[Equivalent] = ()) -> Sides | None:
    """Return the two sides that a question compares, or nothing where its form does not show them."""
    if not _COMPARES.search(text):
        return None
    for form in _FORMS:
        if match := form.search(text):
            first = _side(match["a"], equivalents)
            second = _side(_named(match["b"], match["a"]), equivalents)
            if first and second and not set(first.phrases) & set(second.phrases):
                return first, second
    return None


def _named(second: str, first: str) -> str:
    """Return a second side with the first one's noun for "one": a stochastic policy for a stochastic one."""
    return re.sub(r"\bones?\s*$", first.split()[-1], second.strip()) if first.split() else second


def _side(text: str, equivalents: Sequence[Equivalent]) -> Side | None:
    name = _ARTICLE.sub("", text.strip(" \"'“”‘’()."))
    if not name or len(name.split()) > LONGEST_SIDE or _NO_NAME.search(name):
        return None
    bare = _GENERIC.sub("", name)
    own = tuple(analyze(_LEARNING.sub(r"\1", bare)))
    if not own:
        return None
    phrases = [own]
    for equivalent in equivalents:
        if (equivalent.short,) == own:
            phrases.append(equivalent.long)
        elif equivalent.long == own:
            phrases.append((equivalent.short,))
    return Side(name, tuple(phrases))
