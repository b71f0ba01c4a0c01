"""HTML that is escaped by construction: what is not `Markup` is text, and text is escaped."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from string import Template
from typing import LiteralString
from urllib.parse import urlsplit

from api.formulas import mathml

_FORMULA = re.compile(r"\\\((.+?)\\\)|\\\[(.+?)\\\]|\$\$(.+?)\$\$", re.DOTALL)
_PARAGRAPHS = re.compile(r"\n\s*\n")


class Markup(str):
    """A string that is HTML already."""

    __slots__ = ()


def render(template: LiteralString, /, **values: str | int | Iterable[Markup]) -> Markup:
    """Fill the `$names` of a template; values are escaped unless they are `Markup` or a series of it.

    The template is a literal of the program, so no text from outside can become markup.
    """
    return Markup(Template(template).substitute({name: _escaped(value) for name, value in values.items()}))


def prose(text: str) -> Markup:
    """Text as paragraphs, with its formulas."""
    paragraphs = (part.strip() for part in _PARAGRAPHS.split(text))
    return Markup("".join(render("<p>$text</p>", text=inline(part)) for part in paragraphs if part))


def inline(text: str) -> Markup:
    r"""Text with each formula (`\(…\)`, `\[…\]` or `$$…$$`) as MathML, or as code where it cannot be read."""
    parts: list[Markup] = []
    start = 0
    for match in _FORMULA.finditer(text):
        tex = next(group for group in match.groups() if group).strip()
        parts.append(_escaped(text[start : match.start()]))
        math = mathml(tex, display=match[1] is None)
        parts.append(Markup(math) if math else render('<code class="formula">$tex</code>', tex=tex))
        start = match.end()
    return Markup("".join([*parts, _escaped(text[start:])]))


def web_url(url: str) -> str:
    """`url` if it is an absolute http or https URL, else nothing: no other scheme is ever a link.

    Nor is one that would break a line of an export, or that hides its host behind a name and a password.
    """
    if any(char.isspace() or not char.isprintable() for char in url):
        return ""
    try:
        parts = urlsplit(url)
    except ValueError:  # such as an unclosed IPv6 bracket
        return ""
    is_plain = parts.scheme in ("http", "https") and parts.netloc and "@" not in parts.netloc
    return url if is_plain else ""


def _escaped(value: str | int | Iterable[Markup]) -> Markup:
    match value:
        case Markup():
            return value
        case str() | int():
            return Markup(html.escape(str(value)))
        case _:
            return Markup("".join(value))
