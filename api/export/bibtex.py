"""References as BibTeX entries, in UTF-8 as biber and current BibTeX read it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from api.export.reference import Reference, keys_of

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_FORMULA = re.compile(r"\\\((.+?)\\\)|\\\[(.+?)\\\]|\$\$(.+?)\$\$|\$([^$\n]+)\$", re.DOTALL)


def bibtex(references: Sequence[Reference]) -> str:
    """One entry for each reference, in their order; no two have the same key."""
    keys = keys_of(references)
    return "\n".join(_entry(key, each) for key, each in zip(keys, references, strict=True))


def _entry(key: str, reference: Reference) -> str:
    authors = " and ".join([*map(_name, reference.authors), *([] if reference.is_whole else ["others"])])
    kind, held_by = ("misc", "")
    if reference.venue:
        kind, held_by = ("article", "journal") if reference.is_journal else ("inproceedings", "booktitle")
    date = reference.date
    fields = {
        "title": f"{{{{{escaped(reference.title)}}}}}",
        "author": f"{{{authors}}}" if authors else "",
        held_by: f"{{{escaped(reference.venue)}}}" if held_by else "",
        "year": f"{{{date.year}}}" if date else "",
        "month": _MONTHS[date.month - 1] if date else "",
        "url": f"{{{_address(reference.url)}}}" if reference.url else "",
    }
    lines = [f"  {name} = {value}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{key},", *lines, "}", ""])


def escaped(text: str) -> str:
    """Text as TeX sets it: special characters escaped, balanced formulas kept between dollar signs."""
    parts, start = [], 0
    for match in _FORMULA.finditer(text):
        tex = next(group for group in match.groups() if group)
        if not _is_balanced(tex):
            continue
        parts += [_plain(text[start : match.start()]), f"${tex.strip()}$"]
        start = match.end()
    return "".join([*parts, _plain(text[start:])])


def _plain(text: str) -> str:
    return "".join(_SPECIAL.get(char, char) for char in text)


def _name(name: str) -> str:
    """A name in one piece where BibTeX would cut it: at a comma, or at a word "and"."""
    shown = _plain(name)
    return f"{{{shown}}}" if "," in name or re.search(r"\band\b", name, re.I) else shown


def _address(url: str) -> str:
    """A URL in which no brace can end the field."""
    return url.replace("{", "%7B").replace("}", "%7D").replace("\\", "%5C")


def _is_balanced(tex: str) -> bool:
    depth = 0
    for char in re.sub(r"\\.", "", tex, flags=re.DOTALL):
        depth += (char == "{") - (char == "}")
        if depth < 0 or char in "$%#":
            return False
    return depth == 0
