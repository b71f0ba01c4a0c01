"""Instructions to a model around a question, which are no part of it."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"<!--.*?(-->|\Z)", re.DOTALL)
_TURN = re.compile(r"<\|[^|>]*\|>|\[/?(?:INST|SYS)\]|<</?SYS>>|</?s>", re.I)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_INSTRUCTION = re.compile(
    r"^\W*(system|assistant|developer)\s*:"
    r"|\b(ignore|disregard|forget|override|bypass)\b.*\b(sources?|instructions?|prompts?|rules?|guidelines"
    r"|previous|above|everything)\b"
    r"|^\W*(you are now|from now on|pretend|act as)\b",
    re.I,
)


def without_instructions(text: str) -> str:
    """Return a question without comments, turn markers and orders to a model beside it.

    Nothing here would follow them; they would be looked for in the sources like any other words. A text
    that would be empty without them, or in which no sentence asks anything, stays as it is.
    """
    bare = " ".join(_TURN.sub(" ", _COMMENT.sub(" ", text)).split())
    sentences = _SENTENCE.split(bare)
    asked = [sentence for sentence in sentences if sentence.endswith("?")]
    if asked and any(_INSTRUCTION.search(sentence) for sentence in sentences if sentence not in asked):
        bare = " ".join(asked)
    return bare or text
