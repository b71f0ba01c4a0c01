"""Questions for what one author says of something: "What did Sutton find about policy gradients?"."""

from __future__ import annotations

import re

from rag.facts.reading import Names, may_be_a_name

_FORM = re.compile(
    r"^\W*what (?:do|does|did|has|have) (?P<person>.+?)(?: et al\.?)? "
    r"(?:find|found|say|said|show|shown|report|reported|think|conclude|concluded|argue|argued)"
    r" (?P<about>about|on|of|regarding) (?P<what>.+?)\W*$",
    re.I,
)


def said_by(text: str, names: Names) -> tuple[str, str] | None:
    """Return the author whose papers are asked, and the question to them; None for another question."""
    match = _FORM.match(text)
    if match is None or not may_be_a_name(match["person"]) or not names.is_author(match["person"]):
        return None
    return match["person"], f"What was found {match['about']} {match['what']}?"
