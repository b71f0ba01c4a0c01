r"""Markdown and MDX explainers: sections of plain text, formulas as `\(…\)`, code as it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import yaml
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from index.errors import SourceError
from index.sources.base import Quarantined, Read
from index.sources.explainer_record import MAX_BYTES, explainer, readable_stem
from index.sources.markdown_syntax import LongParagraphError, parser
from index.sources.opening import read_text, text_that_may_be
from index.sources.validation import shown

NAMES = (".md", ".mdx", ".markdown")

MAX_FRONT_MATTER = 64 * 1024
"""Largest front matter taken, in code points: some hundred times the longest usual one."""

_GIVEN = ("topic", "date", "url", "id")
_ANCHOR = re.compile(r"\s*(?:\[\[[^\[\]\n]*\]\]|\{#[\w:.-]+\})\s*$")
_HEADING = re.compile(r"^#{1,6} +\S", re.MULTILINE)
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:.*\n){0,100}?---[ \t]*(?:\n|$)")
# Emphasis that its author spaced wrongly ("** word**"), which CommonMark leaves as text.
_UNPAIRED = re.compile(r"(?<!\w)\*\*|\*\*(?!\w)")
_TAG = re.compile(r"<(/?)([A-Za-z][\w.-]*)[^>]*?(/?)>", re.DOTALL)

# Elements whose inside is no prose of the document.
_SILENT = frozenset(
    ("figure", "video", "audio", "iframe", "svg", "picture", "object", "script", "style", "head")
)
_BREAK = frozenset(("br", "p", "div", "li", "tr"))


class Markdown:
    """Reader of Markdown and MDX explainers."""

    name = "Markdown"

    def matches(self, path: Path, head: bytes) -> bool:
        opening = text_that_may_be(path, head, NAMES)
        if opening is None:
            return False
        text, named = opening
        # A name that says nothing is no objection; any other is: "#" opens comments elsewhere.
        return named or (_FRONT_MATTER.match(text) is not None or _HEADING.search(text) is not None)

    def read(self, path: Path) -> Iterator[Read | Quarantined]:
        text = read_text(path, MAX_BYTES)
        mdx = ".mdx" in path.name.lower()
        try:
            tokens = parser(mdx).parse(text)
            nodes = SyntaxTreeNode(tokens).children
            front = _front_matter(path, tokens)
            title, sections = _sections(nodes, str(front.get("title") or ""))
        except LongParagraphError as error:
            raise SourceError(path, error.line, str(error)) from None
        except RecursionError:
            raise SourceError(path, None, "expected Markdown nested a few levels deep") from None
        yield explainer(path, title or readable_stem(path), sections, _given(front))


def _front_matter(path: Path, tokens: Sequence[Token]) -> Mapping[str, object]:
    """The YAML mapping before the text. Raises `SourceError` when it is none, or a value is no text."""
    if not tokens or tokens[0].type != "front_matter":
        return {}
    content = tokens[0].content
    if len(content) > MAX_FRONT_MATTER:
        raise SourceError(path, 1, f"expected front matter of at most {MAX_FRONT_MATTER:,} characters")
    try:
        values = yaml.safe_load(content)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 1
        raise SourceError(
            path, line, f"front matter: expected YAML; {error.problem or 'it is damaged'}"
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        problem = " ".join(str(error).split())[:200]
        raise SourceError(path, 1, f"front matter: expected YAML; {problem}") from None
    if values is None:
        return {}
    if not isinstance(values, dict):
        raise SourceError(path, 1, "front matter: expected keys with values")
    for key in ("title", *_GIVEN):
        if isinstance(values.get(key), list | dict | tuple | set):
            raise SourceError(path, 1, f"front matter: {key}: expected text, got {shown(values[key])}")
    return values


def _given(front: Mapping[str, object]) -> dict[str, object]:
    """What the front matter gives of an explainer; YAML's numbers are meant as text, its dates not."""
    given = {key: front[key] for key in _GIVEN if front.get(key) not in (None, "")}
    return {key: value if key == "date" else str(value) for key, value in given.items()}


def _sections(nodes: Sequence[SyntaxTreeNode], title: str) -> tuple[str, list[tuple[str, str]]]:
    """The title (the given one, else the first level-one heading's) and (heading, text) sections."""
    text = _Text()
    sections: list[tuple[str, list[str]]] = [("", [])]
    for node in nodes:
        if node.type == "heading":
            heading = _ANCHOR.sub("", text.inline(node.children[0]) if node.children else "").strip()
            if not title and node.tag == "h1":
                title = heading
            sections.append((heading, []))
        elif block := text.block(node):
            sections[-1][1].append(block)
    return title, [(heading, "\n\n".join(blocks)) for heading, blocks in sections]


class _Text:
    """Plain text of a document's nodes, in order: an element may open in one and close in another."""

    def __init__(self) -> None:
        self._silent: list[str] = []

    def block(self, node: SyntaxTreeNode) -> str:
        match node.type:
            case "paragraph" | "heading":
                return _tidy("".join(self.inline(child) for child in node.children))
            case "fence" | "code_block":
                return "" if self._silent else f"```{node.info.split(' ')[0]}\n{node.content.rstrip()}\n```"
            case "math_block" | "math_block_label":
                return "" if self._silent else rf"\[{node.content.strip()}\]"
            case "bullet_list" | "ordered_list":
                return self._list(node)
            case "table":
                rows = [row for part in node.children for row in part.children]
                cells = [[self._flat(cell) for cell in row.children] for row in rows]
                return "\n".join(" | ".join(row) for row in cells if any(row))
            case "html_block":
                self._markup(node.content)
                return ""
            case "front_matter" | "hr":
                return ""
            case _:
                return "\n\n".join(filter(None, (self.block(child) for child in node.children)))

    def _list(self, node: SyntaxTreeNode) -> str:
        start = int(node.attrs.get("start", 1))
        items = []
        for n, item in enumerate(node.children, start):
            mark = f"{n}. " if node.type == "ordered_list" else "- "
            body = "\n".join(filter(None, (self.block(child) for child in item.children)))
            if body:
                items.append(mark + body.replace("\n", "\n" + " " * len(mark)))
        return "\n".join(items)

    def _flat(self, node: SyntaxTreeNode) -> str:
        return _tidy("".join(self.inline(child) for child in node.children)).replace("\n", " ")

    def inline(self, node: SyntaxTreeNode) -> str:
        if node.type == "html_inline":
            return self._markup(node.content)
        if self._silent:
            for child in node.children:
                self.inline(child)  # an element may close in here
            return ""
        match node.type:
            case "text":
                return _UNPAIRED.sub("", node.content)
            case "code_inline":
                return node.content
            case "softbreak":
                return " "
            case "hardbreak":
                return "\n"
            case "math_inline":
                return rf"\({node.content.strip()}\)"
            case "math_inline_double":
                return rf"\[{node.content.strip()}\]"
            case "image":
                return ""
            case _:
                return "".join([self.inline(child) for child in node.children])

    def _markup(self, content: str) -> str:
        """Follow which silent elements are open; a tag may stand for a line break."""
        for found in _TAG.finditer(content):
            closes, name, closed = found[1], found[2].lower(), found[3]
            if name in _SILENT and not closed:
                if not closes:
                    self._silent.append(name)
                elif name in self._silent:
                    del self._silent[len(self._silent) - 1 - self._silent[::-1].index(name) :]
            elif name in _BREAK and not self._silent:
                return "\n"
        return ""


def _tidy(text: str) -> str:
    """Drop the blanks that removed images and tags leave behind."""
    lines = (re.sub(r"[ \t]{2,}", " ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
