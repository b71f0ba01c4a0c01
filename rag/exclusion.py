"""What a question leaves out: "How does it help robots, but not in games?"."""

from __future__ import annotations

import re

FEWEST = 2
"""Words before it that are left of a question."""

_ARE = r"(?:is|are|was|were|do|does|did|can|could|have|has)"
_LEFT_OUT = re.compile(
    r"(?:[,;(]\s*not\b|[,;(]?\s*\b(?:(?:but|though) not|not(?= (?:about|on|using|with|in)\b))"
    r"|[,;(]?\s*\b(?:but )?(?:except(?: for)?|excluding|other than|apart from|leaving out))\s+"
    rf"(?:(?:in|for|on|with|about|using|the|any)\s+)*(?P<what>[\w'’-]+(?:\s+[\w'’-]+){{0,2}}?)\)?(?=\W*$|,?\s+{_ARE}\b)",
    re.I,
)
_VERBAL = re.compile(rf"\b(?:{_ARE}|be|been|\w+ed|\w+ing|\w+ly)\b", re.I)


def excluded_from(text: str) -> tuple[str, str]:
    """Return a question without what it leaves out, and that; nothing where it leaves nothing out.

    Only a thing is left out: nothing by "Why does it work but not converge quickly?".
    """
    match = _LEFT_OUT.search(text)
    if match is None or _VERBAL.search(match["what"]):
        return text, ""
    before, after = text[: match.start()].rstrip(" ,;"), text[match.end() :].lstrip(" ,")
    if len(before.split()) < FEWEST:
        return text, ""
    return f"{before} {after}" if re.search(r"\w", after) else f"{before}?", match["what"]
