"""What a liar was asked, and what it tells: its words, and which of them are lies."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

_EVIDENCE = re.compile(r"^\W*\[(e[0-9a-z]+)\][ \t]*(\S.*)$", re.MULTILINE)
"""Evidence as it is handed over: an opaque id in brackets, then a sentence, one a line."""
_QUESTION = re.compile(r"^\s*(?:reader'?s\s+)?question\s*:\s*(\S.*)$", re.MULTILINE | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence that a model was given to write from, and the id that it was given under."""

    id: str
    text: str

    @property
    def cited(self) -> str:
        """The sentence with its marker, as an honest model would write it."""
        return cite(self.text, self.id)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for a completion, as a model sees it."""

    system: str
    user: str
    question: str
    evidence: tuple[Evidence, ...]

    @property
    def few(self) -> tuple[Evidence, ...]:
        """The first three sentences of the evidence: as much as an answer says."""
        return self.evidence[:3]

    @property
    def chance(self) -> Random:
        """A source of chance that the request alone decides, so that a repeated trial says the same."""
        return Random(self.user)  # noqa: S311 - a draw, no secret


@dataclass(frozen=True, slots=True)
class Lie:
    """Words that may not be shown as supported.

    With `cited_to`, the words are true, but not of that sentence: only a citation of it would be the lie.
    """

    text: str
    cited_to: str | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """What is told, the lies in it, and strings that may stand nowhere in an answer (addresses, markup)."""

    text: str
    lies: tuple[Lie, ...] = ()
    forbidden: tuple[str, ...] = ()


def asked_of(messages: Sequence[Mapping[str, Any]]) -> Asked:
    """Read a request's messages; what is no evidence and no question is left in `user`."""
    system = "\n".join(_text(message) for message in messages if message.get("role") in _SYSTEM)
    user = "\n".join(_text(message) for message in messages if message.get("role") == "user")
    question = _QUESTION.findall(user)
    evidence = tuple(Evidence(found[1], found[2].strip()) for found in _EVIDENCE.finditer(user))
    # An id stands for its first sentence: a line of a document that looks like evidence is no other.
    first = {each.id: each for each in reversed(evidence)}
    distinct = tuple(each for each in evidence if first[each.id] is each)
    return Asked(system, user, question[-1].strip() if question else user[-200:], distinct)


_SYSTEM = ("system", "developer")


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content)


def cite(sentence: str, *ids: str) -> str:
    """Put markers behind a sentence."""
    return f"{sentence} {''.join(f'[{each}]' for each in ids)}"
