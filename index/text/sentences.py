r"""Sentence boundaries of repaired English scientific text.

Rules rather than a trained model: nupunkt's model, trained on law, misses a boundary after "tasks." or
"series." and makes one after "w.r.t.", and a library that updates would silently move spans that are
stored in the index. A candidate is a run of terminators, closing quotes and brackets, and a space; it is
rejected inside formulas, after abbreviations and initials, and where the sentence plainly goes on.
"""

from __future__ import annotations

import re

from index.text.formulas import formula_spans

_BREAKS = re.compile(
    r"""\n+"""
    # Terminators, closers, perhaps a reference set after them, and a space; a few words betray a
    # boundary whose space was lost. Possessive, and only from a run's start: linear on any input.
    r"""|(?<![.!?…])(?P<end>[.!?…]++)(?P<close>["'”’»)\]}]*+(?:\[\d[\d,; –-]{0,40}\])?)"""
    r"""(?P<gap>\s+|(?=(?:The|This|These|We|In|Our|To|It|However|Moreover|Furthermore|Finally)\s))"""
    r"""|(?P<wide>[。！？]++[」』”）]*+\s*)"""  # full-width terminators need no space
    r"""|(?<=[.!?])(?P<formula>\s?\\[\])]\s+(?=[A-Z]))"""  # a formula that ends in its sentence's period
)
_CODE = re.compile(r"^[ \t]*```.*?(?:^[ \t]*```[ \t]*$|\Z)", re.DOTALL | re.MULTILINE)
_OPENERS = "\"'“‘«([{`*_"
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,3}\Z")
_MIXED_CASE = re.compile(r"[a-z]+[-\d]*[A-Z]|[a-z]-[A-Z]|[a-z]+\d")
_ENUMERATOR = re.compile(r"\(?(?:\d{1,3}|[ivxIVX]{1,5}|[A-Za-z])\)?\Z")
_LISTED = re.compile(r"\([a-z]{1,4}\)\s")
_ROMAN = re.compile(r"[IVXivx]+\Z")
_LONGEST_TOKEN = 40
"""How far back the word before a period is read; no abbreviation is longer."""
_SHORTEST_LAST_WORD = 4
"""Before a lower-case word, a shorter one with a period is more likely an unknown abbreviation."""

# Followed by more of the sentence whatever comes next.
_NEVER_LAST = frozenset({
    "e.g", "i.e", "eg", "ie", "cf", "vs", "viz", "et", "dr", "prof", "mr", "mrs", "ms", "mt", "st", "ph.d",
    "a.k.a", "aka", "ca", "approx", "appr", "incl", "esp",
})  # fmt: skip
# Parts of a document: followed by their number.
_NUMBERED = frozenset({
    "fig", "figs", "figure", "eq", "eqs", "eqn", "eqns", "sec", "secs", "sect", "ref", "refs", "tab", "thm",
    "theor", "def", "defs", "prop", "lem", "lemma", "cor", "alg", "app", "ch", "chap", "no", "nos", "vol",
    "pp", "p", "ed", "art", "ex", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct",
    "nov", "dec",
})  # fmt: skip
# May end a sentence; does if what follows can only begin one.
_SOMETIMES_LAST = frozenset({
    "al", "etc", "w.r.t", "wrt", "i.i.d", "iid", "resp", "s.t", "inc", "ltd", "co", "corp", "jr", "sr",
    "dept", "univ", "u.s", "u.k", "u.s.a", "std", "avg", "dev", "max", "min", "a.s", "w.h.p", "w.l.o.g",
    "wlog", "a.e",
})  # fmt: skip
# Capitalised function words: they begin a sentence and are never a surname or a proper noun.
_STARTERS = frozenset({
    "The", "This", "These", "Those", "That", "We", "Our", "Ours", "It", "Its", "In", "On", "At", "For",
    "From", "To", "With", "By", "As", "An", "A", "However", "Moreover", "Furthermore", "Finally", "First",
    "Firstly", "Second", "Secondly", "Third", "Additionally", "Further", "Here", "There", "Then", "Thus",
    "Therefore", "Hence", "While", "When", "Where", "Whereas", "Although", "Though", "Since", "Because",
    "Despite", "Unlike", "Such", "Both", "Each", "All", "Many", "Most", "Some", "Several", "Recent",
    "Recently", "Existing", "Experiments", "Experimental", "Results", "Extensive", "Empirically",
    "Specifically", "Instead", "Also", "If", "Given", "Using", "Based", "Through", "They", "Their", "He",
    "She", "You", "I", "One", "Two", "Three", "Another", "Other", "No", "Not", "Nor", "And", "But", "Or",
    "So", "Yet", "Code", "Note", "How", "What", "Why", "Which", "Who", "Can", "Does", "Is", "Are", "Do",
    "After", "Before", "During", "Under", "Over", "Between", "Without", "Within", "Among", "Beyond", "Upon",
    "Until", "Once", "Only", "Even", "Still", "Compared", "Building", "Overall", "Traditional", "Current",
    "Previous", "Prior", "Typically", "Unfortunately", "Interestingly", "Importantly", "Consequently",
    "Accordingly", "Similarly", "Conversely", "Nevertheless", "Nonetheless", "Meanwhile",
})  # fmt: skip
_BEFORE_INITIALS = frozenset({"by", "and", "of", "with", "see", "from", "to", "&", "for", "in", "after"})


def sentences(text: str) -> list[tuple[int, int]]:
    r"""Return the sentences' half-open spans in code points, trimmed, in order, not overlapping.

    Every non-space character lies in exactly one span. The text is repaired, so a newline ends a
    sentence (a list item, a heading, a line of code, a paragraph), except inside `\(…\)` or `\[…\]`.
    Lines of fenced code are not cut further.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for cut in [*_cuts(text), len(text)]:
        piece = text[start:cut]
        if piece and not piece.isspace():
            left, right = start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
            if spans and not any(map(str.isalnum, piece)) and "\n" not in text[spans[-1][1] : left]:
                spans[-1] = spans[-1][0], right  # a quotation mark left over, a bullet
            else:
                spans.append((left, right))
        start = cut
    return spans


def _cuts(text: str) -> list[int]:
    """Positions at which a sentence ends, in order."""
    code = [match.span() for match in _CODE.finditer(text)] if "```" in text else []
    formulas = formula_spans(text)
    cuts: list[int] = []
    start = in_code = in_formula = 0
    for match in _BREAKS.finditer(text):
        at, newline = match.start(), match[0][0] == "\n"
        while in_code < len(code) and code[in_code][1] <= at:
            in_code += 1
        while in_formula < len(formulas) and formulas[in_formula][1] <= at:
            in_formula += 1
        if in_code < len(code) and code[in_code][0] <= at:
            ends = newline or "\n" in match[0]
        elif in_formula < len(formulas) and formulas[in_formula][0] <= at:
            ends = match["formula"] is not None
        else:
            ends = match["end"] is None or _ends(text, start, match)
        if ends:
            start = match.end()
            cuts.append(start)
    return cuts


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the sentence begun at `start` ends with this run of terminators."""
    at, terminators, closers, gap = match.start(), match["end"], match["close"], match["gap"]
    if "\n" in gap or match.end() == len(text):
        return True
    before = text[max(start, at - _LONGEST_TOKEN) : at]
    token = before.split()[-1].lstrip(_OPENERS) if before and not before[-1].isspace() else ""
    if not gap:
        return token.isalpha() and token.islower() and len(token) >= _SHORTEST_LAST_WORD
    following = text[match.end() : match.end() + _LONGEST_TOKEN]
    opened = following.lstrip(_OPENERS)
    found = _WORD.match(opened)
    word = found[0] if found else ""
    if following[0] in ",;:.)]":
        return False
    if word[:1].islower() and not _LISTED.match(following):
        return _ends_before_lower(token, terminators, closers, opened)
    if "?" in terminators:
        return bool(token) or not closers
    if "!" in terminators:  # "Yahoo! Answers", "GraspIt! [16]"
        return word in _STARTERS or not (token[:1].isupper() and (word[:1].isupper() or opened != following))
    if terminators != ".":
        return word in _STARTERS
    if closers[:1] in (")", "]") and _abbreviated(token):
        return False
    return _ends_with(
        token, before, word, following, first=before.strip() == token and at - len(before) <= start
    )


def _ends_before_lower(token: str, terminators: str, closers: str, following: str) -> bool:
    """A name such as "pFedMe" may open a sentence; other lower-case words seldom do."""
    if closers or _abbreviated(token):
        return False
    if _MIXED_CASE.match(following):
        return True
    return terminators == "." and len(token) >= _SHORTEST_LAST_WORD and token.replace("-", "").isalpha()


def _ends_with(token: str, before: str, word: str, following: str, *, first: bool) -> bool:
    """Whether "token." before an upper-case word, a number or a sign ends its sentence.

    `first`: the token is all there is of the sentence so far.
    """
    words = before.split()
    previous = words[-2] if len(words) > 1 else ""
    if _ENUMERATOR.match(token) and (first or previous[-1:] in (":", ";")):
        return False
    lowered = token.rsplit("-", 1)[-1].lower()
    if lowered in _NEVER_LAST:
        return False
    if lowered in _NUMBERED:
        is_number = word[:1].isdigit() or len(word) == 1 or _ROMAN.match(word) or following[0] in "([\\"
        return not is_number
    if lowered == "etc":
        return word[:1].isupper()
    if lowered in _SOMETIMES_LAST or _DOTTED.match(lowered):
        return word in _STARTERS
    if len(token) == 1 and token.isupper() and word not in _STARTERS:
        return not (first or previous[:1].isupper() or previous in _BEFORE_INITIALS or previous[-1:] in ".,")
    return True


def _abbreviated(token: str) -> bool:
    lowered = token.rsplit("-", 1)[-1].lower()
    return (
        len(token) <= 1
        or lowered in _NEVER_LAST
        or lowered in _SOMETIMES_LAST
        or lowered in _NUMBERED
        or _DOTTED.match(lowered) is not None
    )
