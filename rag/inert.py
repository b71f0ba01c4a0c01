"""Text of a record written into an answer by us: nothing in it may act where the answer is rendered."""

from __future__ import annotations

# What would be a marker, a link, emphasis or markup, and what stands for it. A citation's quote holds the
# text as it is.
_INERT = str.maketrans({"[": "(", "]": ")", "<": "‹", ">": "›", "`": "′", "*": "∗", "|": "¦", "\n": " "})


def inert(text: str) -> str:
    """Return text with nothing left that could be a marker, markup or a link."""
    return text.translate(_INERT).replace("://", ": //")
