"""Greetings, thanks and asides around a question, which are no part of it."""

from __future__ import annotations

import re

_BEFORE = re.compile(
    r"^\W*(?:(?:hi|hello|hey|dear all|good (?:morning|afternoon|evening|day)|thanks|thank you|thx"
    r"|many thanks|cheers|ok|okay|great|nice|cool|interesting|perfect|wow|hm+|got it|i see|excuse me|sorry)"
    r"(?: (?:there|all|everyone|again|a lot|so much|very much|for that|for this))?\s*[,.!:;–—-]+\s*)+",
    re.I,
)
_BEHIND = re.compile(
    r"\s*(?:[,;.!?–—-]\s*|\s)(?:please|thanks(?: a lot)?|thank you(?: very much)?|thx|cheers)\W*$", re.I
)
FEWEST = 2
"""Words that are left of a question: "Thanks, bye!" is none."""


def without_courtesy(text: str) -> str:
    """Return a question without greetings and thanks: "Hi, what is PPO? Thanks!" asks what PPO is."""
    rest = _BEFORE.sub("", text)
    if behind := _BEHIND.search(rest):
        asks = rest[: behind.start()].rstrip(" ,;.!?")
        rest = f"{asks}?" if "?" in rest else asks
    return rest if len(rest.split()) >= FEWEST else text
