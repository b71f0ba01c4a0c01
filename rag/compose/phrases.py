"""All that an answer of quotes says in words of its own, and nothing else: a closed set of templates.

    *Truly Proximal Policy Optimization* (2019): We show … [1]
    By contrast, *On Trust Regions* (2021): Larger steps … [2]
    As for DDPG: *Addressing Function Approximation Error* (2018): We find … [3]

What stands in a template is the title and the year of the source cited behind it, or one side of the
comparison that was asked for, as the question has it. `lead_ins` returns every form that a source may be
introduced by, so that an answer can be checked word by word.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator

from rag.answer import Answer, SourceRef
from rag.inert import inert
from rag.instructions import holds_instruction
from rag.orders import is_order
from rag.standing import Standing

NAMED, CONTRASTED = "{}: ", "By contrast, {}: "
ON_BOTH = "As for both: "
SIDE = "As for {}: "  # "On on-policy" would be no English
UNNAMED = "One paper"
"""What stands for a title that is an order to a model: an answer repeats none."""
MARKED: dict[Standing, str] = {
    "retracted": "Source [{}] has been retracted.",
    "superseded": "Source [{}] is an earlier version of a paper that is here in a later one.",
}
"""The notice on a source that no longer stands as it is."""
ONE_SIDED = "Nothing that could be quoted was found on “{}”."
LONG_TITLE, LONGEST_TITLE = 90, 120
"""Characters from which a title stands by what is before its colon (a quarter of the titles are as long),
and at which any other is cut: the sources give it in full."""
LONGEST_NAME = 40
"""Characters of a side's name in an answer; a longer one is a description, and is not repeated."""

_EMPHASIS = re.compile(r"\*([^*\n]+)\*(?= \(|:)")
_PROTECTED = re.compile(r"\\\(.*?\\\)")


def named(title: str, date: dt.date | None, standing: Standing = "") -> str:
    """Return a paper's name as an answer writes it: `*Title* (2019)`, `*Title* (2019, retracted)`."""
    shown = UNNAMED if holds_instruction(title) or is_order(title) else f"*{short_title(title)}*"
    remarks = [*([str(date.year)] if date else ()), *([standing] if standing else ())]
    return shown + (f" ({', '.join(remarks)})" if remarks else "")


def short_title(title: str) -> str:
    """Return a title without what could act as markup, a long one by what is before its colon."""
    title = " ".join(inert(title).split()).rstrip(" .:")
    if len(title) > LONG_TITLE and ": " in title:
        title = title.partition(": ")[0]
    if len(title) > LONGEST_TITLE and not _PROTECTED.search(title):
        title = title[:LONGEST_TITLE].rpartition(" ")[0].rstrip(" ,;:-–—") + "…"
    return title


def on_side(name: str) -> str:
    """Return the words before what is said of one side; none for a side with too long a name."""
    return SIDE.format(name) if is_nameable(name) else ""


def is_nameable(name: str) -> bool:
    """Whether a side of a comparison may be named in an answer in the words of the question."""
    return len(name) <= LONGEST_NAME and inert(name) == name


def lead_ins(answer: Answer, source: SourceRef) -> Iterator[str]:
    """Return every form in which an answer may introduce a sentence of a source."""
    asked = [name for name in answer.understood.sides if name in answer.understood.text]
    sides = (ON_BOTH, *map(on_side, asked)) if asked else ()
    standing: Standing = next(
        (mark for mark, notice in MARKED.items() if notice.format(source.n) in answer.notices), ""
    )
    name = named(source.title, source.date, standing)
    for template in (NAMED, CONTRASTED):
        lead = template.format(name)
        yield lead
        if template == NAMED:
            yield from (side + lead for side in sides if side)
    yield from filter(None, sides)


def emphasised(text: str, quoted: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Return the spans of the titles that an answer emphasises, stars included; none inside of a quote."""
    spans = tuple(quoted)
    for match in _EMPHASIS.finditer(text):
        if not any(start < match.end() and match.start() < end for start, end in spans):
            yield match.span()
