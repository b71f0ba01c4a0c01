r"""Formulas in running text: where they lie, and dollar signs turned into `\(…\)` and `\[…\]`.

Everything is one pass over the text: no input makes it slower than linear.
"""

from __future__ import annotations

import re
from collections.abc import Callable

# An escaped backslash first, so that the "\\[2pt]" of an array does not open a formula.
_DELIMITER = re.compile(r"\\\\|\\[()\[\]]")
_CLOSER = {r"\(": r"\)", r"\[": r"\]"}
_DOLLAR = re.compile(r"\\.|\$\$?", re.DOTALL)

_TEX_SIGN = re.compile(r"[\\^_={}<>|]")
_PROSE = re.compile(r"[A-Za-z]{2,}[,.;]? +[A-Za-z]{2,}")
_TEX_COMMAND = re.compile(r"\\[A-Za-z]+")
# Exporters that read "\\times" as a tab and "imes": the rest of the command is all that is left.
_EATEN = re.compile(
    r"(?<![\\A-Za-z])\s?(?:(imes|heta|riangle|(?:ext(?:bf|it|tt|rm|sc)?|ilde)(?=\{))|(ightarrow)|(rac(?=\{)))"
    r"(?![a-z])"
)
_EATEN_WHOLE = {" au": r"\tau", " o": r"\to", " op": r"\top", " ho": r"\rho"}
_MONEY_AFTER = re.compile(r" ?\d")
_VARIABLE_AFTER = re.compile(r"[A-Z_]{2,}\b|\{[A-Z_]+\}")
_LONGEST_FORMULA = 2_000
"""Beyond this many characters two dollar signs do not belong together."""


def formula_spans(text: str) -> list[tuple[int, int]]:
    r"""Half-open spans of `\(…\)` and `\[…\]`, delimiters included, in order.

    A formula ends at its first closing delimiter, never crosses a blank line, and an opening
    delimiter that is opened again counts from the later one.
    """
    if "\\" not in text:
        return []
    spans: list[tuple[int, int]] = []
    start, closer = -1, ""
    for match in _DELIMITER.finditer(text):
        token = match[0]
        if token in _CLOSER:
            start, closer = match.start(), _CLOSER[token]
        elif start >= 0 and token == closer:
            if "\n\n" not in text[start : match.end()]:
                spans.append((start, match.end()))
            start = -1
    return spans


def outside_formulas(text: str, change: Callable[[str], str]) -> str:
    """Apply `change` to the stretches of text between formulas."""
    spans = formula_spans(text)
    if not spans:
        return change(text)
    parts: list[str] = []
    at = 0
    for start, end in spans:
        parts += [change(text[at:start]), text[start:end]]
        at = end
    parts.append(change(text[at:]))
    return "".join(parts)


def convert_dollars(text: str) -> str:
    r"""Turn `$…$` into `\(…\)` and `$$…$$` into `\[…\]`; money and shell variables stay.

    A dollar sign left over (a formula cut short, a stray one glued to a word) is dropped.
    Formulas already in `\(…\)` keep their contents.
    """
    if "$" not in text:
        return text
    spans = formula_spans(text)
    signs = [
        (match.start(), match[0])
        for match in _DOLLAR.finditer(text)
        if match[0][0] == "$" and not _inside(spans, match.start())
    ]
    signs.reverse()
    parts: list[str] = []
    at = 0
    while signs:
        start, sign = signs.pop()
        after = start + len(sign)
        parts.append(text[at:start])
        closing = signs[-1] if signs else None
        if closing is None or not _pair(text, after, sign, closing):
            parts.append(_lone(text, start, after))
            at = after
            continue
        end, closer = signs.pop()
        body = _restored(text[after:end]).strip()
        parts.append(rf"\[{body}\]" if len(sign) == 2 else rf"\({body}\)")
        at = end + len(sign)
        if len(closer) > len(sign):  # "$a$$b$": the second half of "$$" opens the next formula
            signs.append((at, "$"))
    parts.append(text[at:])
    return "".join(parts)


def _inside(spans: list[tuple[int, int]], position: int) -> bool:
    low, high = 0, len(spans)
    while low < high:
        middle = (low + high) // 2
        if spans[middle][1] <= position:
            low = middle + 1
        else:
            high = middle
    return low < len(spans) and spans[low][0] <= position


def _pair(text: str, after: int, sign: str, closing: tuple[int, str]) -> bool:
    """Whether the dollar sign ending at `after` and the next one delimit a formula."""
    end, closer = closing
    body = text[after:end]
    if len(body) > _LONGEST_FORMULA or "\n\n" in body or not body.strip():
        return False
    if len(sign) == 2:
        return closer == sign
    return _is_math(_restored(body), text[end + 1 : end + 2])


def _restored(body: str) -> str:
    """Give back the first letters of commands that some exporter took for control characters."""
    if body in _EATEN_WHOLE:
        return _EATEN_WHOLE[body]
    return _EATEN.sub(lambda m: f"\\t{m[1]}" if m[1] else f"\\r{m[2]}" if m[2] else f"\\f{m[3]}", body)


def _is_math(body: str, following: str) -> bool:
    if _TEX_SIGN.search(body):
        # "$5 (with x=3) to $": words beside a price; in a formula they stand in a command's braces.
        return bool(_TEX_COMMAND.search(body)) or not (body[0].isdigit() and _PROSE.search(body))
    if following.isdigit() or _PROSE.search(body):
        return False
    return body == body.strip() or (body[0] == body[-1] == " ")


def _lone(text: str, start: int, after: int) -> str:
    """What becomes of a dollar sign that delimits no formula: kept as money, else dropped."""
    sign, before, behind = text[start:after], text[max(0, start - 1) : start], text[after : after + 1]
    if _MONEY_AFTER.match(text, after) or before.isdigit() or (before.isalpha() and not behind.isalpha()):
        return sign
    if not behind.strip() or _VARIABLE_AFTER.match(text, after):
        return sign
    return ""
