r"""reStructuredText explainers: sections of plain text, formulas as `\(…\)`, code as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import roles

from index.errors import SourceError
from index.sources.base import Quarantined, Read
from index.sources.explainer_record import MAX_BYTES, explainer, readable_stem
from index.sources.opening import read_text, text_that_may_be

NAMES = (".rst", ".rest")

LONGEST_LINE = 20_000
"""Longest line taken, in code points: twice docutils' own bound, which a paragraph that is one
line can pass; the time of its inline parser grows with the square."""

_SETTINGS = {
    "_disable_config": True,  # no docutils.conf of the working folder
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 5,
    "warning_stream": False,
    "traceback": True,  # errors are raised, not printed
    "line_length_limit": LONGEST_LINE,
    "syntax_highlight": "none",
    "smart_quotes": False,
    "doctitle_xform": False,
    "docinfo_xform": False,
    "embed_stylesheet": False,
}
_DIRECTIVE = re.compile(r"^\.\. (?:[a-z][\w:-]*::|_[^:\n]+:)", re.MULTILINE)
_UNDERLINED = re.compile(r"^(?P<title>\S.*)\n(?P<mark>[=~^\"'#*+-])(?P=mark){2,}[ \t]*$", re.MULTILINE)
_ROLE = re.compile(r":[\w:.+-]+:`(?P<text>[^`]*)`")
_TARGET = re.compile(r"\s*<[^<>]*>$")

# Nodes that are no prose of the document.
_DROPPED = (
    nodes.comment,
    nodes.target,
    nodes.substitution_definition,
    nodes.raw,
    nodes.image,
    nodes.figure,
    nodes.system_message,
    nodes.pending,
    nodes.transition,
    nodes.decoration,
    nodes.meta,
)
_DROPPED_INLINE = (nodes.label, nodes.image, nodes.raw)

_GAP = "\x00"
"""Stands for "[1]_", which would look like a citation of ours, until the blank before it goes too."""


class ReStructuredText:
    """Reader of reStructuredText explainers."""

    name = "reStructuredText"

    def matches(self, path: Path, head: bytes) -> bool:
        opening = text_that_may_be(path, head, NAMES)
        if opening is None:
            return False
        text, named = opening
        return named or (_DIRECTIVE.search(text) is not None and _UNDERLINED.search(text) is not None)

    def read(self, path: Path) -> Iterator[Read | Quarantined]:
        text = read_text(path, MAX_BYTES)
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) > LONGEST_LINE:
                raise SourceError(path, number, f"expected a line of at most {LONGEST_LINE:,} characters")
        title, sections = _sections(path, _parse(path, text))
        yield explainer(path, title or readable_stem(path), sections, {})


def _parse(path: Path, text: str) -> nodes.document:
    """The document tree, read with nothing included, run or reported. Raises `SourceError`."""
    try:
        with _own_roles():
            return publish_doctree(text, source_path=str(path), settings_overrides=dict(_SETTINGS))
    except RecursionError:
        raise SourceError(path, None, "expected reStructuredText nested a few levels deep") from None
    except Exception as error:  # noqa: BLE001 docutils raises whatever its directives stumble over
        problem = " ".join(str(error).split())[:200] or type(error).__name__
        raise SourceError(path, None, f"expected reStructuredText; {problem}") from None


@contextmanager
def _own_roles() -> Iterator[None]:
    """Forget roles that a document defines: docutils keeps them for every document that follows."""
    table: dict[str, object] = vars(roles)["_roles"]
    before = dict(table)
    try:
        yield
    finally:
        table.clear()
        table.update(before)


def _sections(path: Path, document: nodes.document) -> tuple[str, list[tuple[str, str]]]:
    """The title, that of an only top-level section, and (heading, text) sections in order."""
    top = [child for child in document.children if isinstance(child, nodes.section)]
    found: list[tuple[str, str]] = []
    try:
        _collect(document, "", found)
        return (_heading(top[0]) if len(top) == 1 else ""), found
    except RecursionError:
        raise SourceError(path, None, "expected sections nested a few levels deep") from None


def _collect(node: nodes.Element, heading: str, found: list[tuple[str, str]]) -> None:
    blocks: list[str] = []
    at = len(found)
    for child in node.children:
        if isinstance(child, nodes.section):
            _collect(child, _heading(child), found)
        elif not isinstance(child, nodes.title) and (block := _block(child)):
            blocks.append(block)
    if blocks:
        found.insert(at, (heading, "\n\n".join(blocks)))


def _heading(section: nodes.section) -> str:
    title = next((child for child in section.children if isinstance(child, nodes.title)), None)
    return _inline(title) if title is not None else ""


def _block(node: nodes.Node) -> str:
    """Plain text of one block; blocks inside it are apart by blank lines, list items by lines."""
    match node:
        case nodes.topic() if "contents" in node.get("classes", []):
            return ""
        case nodes.math_block():
            return rf"\[{node.astext().strip()}\]" if node.astext().strip() else ""
        case nodes.literal_block() | nodes.doctest_block():
            return _code(node)
        case nodes.line_block():
            return "\n".join(filter(None, (_block(child) for child in node.children)))
        case nodes.bullet_list() | nodes.enumerated_list():
            return _list(node)
        case nodes.definition_list_item() | nodes.field() | nodes.option_list_item():
            return _definition(node)
        case nodes.row():
            cells = [_blocks(cell.children, " ").replace("\n", " ") for cell in _elements(node)]
            return " | ".join(cells) if any(cells) else ""
        case nodes.table() | nodes.tgroup() | nodes.thead() | nodes.tbody():
            return _blocks(node.children, "\n")
        case nodes.definition_list() | nodes.field_list() | nodes.option_list():
            return _blocks(node.children, "\n")
        case nodes.TextElement() if not isinstance(node, _DROPPED):
            return _inline(node)
        case nodes.Element() if not isinstance(node, (*_DROPPED, *_DROPPED_INLINE)):
            return _blocks(node.children, "\n\n")
        case _:
            return ""


def _blocks(children: Sequence[nodes.Node], between: str) -> str:
    return between.join(filter(None, (_block(child) for child in children)))


def _elements(node: nodes.Element) -> list[nodes.Element]:
    return [child for child in node.children if isinstance(child, nodes.Element)]


def _code(node: nodes.Element) -> str:
    classes: list[str] = node.get("classes", [])
    language = next((name for name in classes if name != "code"), "")
    return f"```{language}\n{node.astext().rstrip()}\n```"


def _list(node: nodes.Element) -> str:
    start = int(node.get("start", 1))
    items = []
    for n, item in enumerate(_elements(node), start):
        mark = f"{n}. " if isinstance(node, nodes.enumerated_list) else "- "
        if body := _blocks(item.children, "\n"):
            items.append(mark + body.replace("\n", "\n" + " " * len(mark)))
    return "\n".join(items)


def _definition(node: nodes.Element) -> str:
    """ "term: what it means", for definitions, fields and options alike."""
    *terms, body = _elements(node) or [nodes.paragraph()]
    term = ", ".join(filter(None, (_inline(child) for child in terms)))
    text = _blocks(body.children, "\n")
    return f"{term}: {text}" if term and text else term or text


def _inline(node: nodes.Node) -> str:
    """One line of text; formulas keep their delimiters."""
    return " ".join(re.sub(rf"\s*{_GAP}", "", _pieces(node)).split())


def _pieces(node: nodes.Node) -> str:
    match node:
        case nodes.Text():
            return str(node)
        case nodes.math():
            return rf"\({node.astext().strip()}\)"
        case nodes.footnote_reference() | nodes.citation_reference():
            return _GAP
        case nodes.problematic():
            # A role or reference that docutils does not know, left as it was written.
            return _plain_role(node.astext())
        case nodes.Element() if not isinstance(node, (*_DROPPED_INLINE, nodes.system_message)):
            return "".join(_pieces(child) for child in node.children)
        case _:
            return ""


def _plain_role(text: str) -> str:
    """:func:`~package.name` → package.name; :ref:`words <target>` → words."""
    if _ROLE.search(text):
        return _ROLE.sub(lambda found: _TARGET.sub("", found["text"]).lstrip("~!"), text)
    return text.strip("`|_")
