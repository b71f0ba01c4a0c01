r"""What explainers in Markdown and MDX use beyond CommonMark, as rules of markdown-it.

- formulas: `\(…\)`, `\[…\]` with one backslash or two, beside `$…$` and `$$…$$`;
- JSX: components (`<Card items={[…]} />`), comments (`{/* … */}`), imports and exports;
- HTML comments, scripts and styles over several lines.

Markup becomes tokens that the text later leaves out, or, for a component, keeps only the inside of,
as MDX does: what stands between `<Tip>` and `</Tip>` is Markdown.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.utils import EnvType
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.front_matter import front_matter_plugin

LONGEST_FORMULA = 10_000
"""Code points after which an opening `\\(` without its end is not searched further."""

LONGEST_COMMENT = 50_000
"""Code points after which a comment without its end is taken for text."""

LONGEST_PARAGRAPH = 50_000
"""Code points of one paragraph; the parser's time grows with its square."""

MAX_UNCLOSED = 200
"""Openings without an end after which a document is no longer searched for ends: each search costs
time, and a document with more of them holds text that only looks like markup."""

LONGEST_TAG = 5_000
"""Code points after which a `<Component` without its `>` is taken for text; the longest seen has 400."""

_MATH = re.compile(r"(\\{1,2})([(\[])")
_TAG_MARK = re.compile(r"[\"'`{}<>]")
_TAG_START = re.compile(r"</?[A-Za-z][\w.:-]*(?=[\s/>])|<>|</>")
_MODULE = re.compile(r"import\s+(?:[\w{*].*\s+from\s+)?[\"']|export\s+(?:default|const|let|function|\{)")
_RAW = re.compile(r"<(script|style)\b", re.IGNORECASE)
_COMMENTS = (("<!--", "-->"), ("{/*", "*/}"))


def parser(mdx: bool) -> MarkdownIt:
    """A Markdown parser for explainers. MDX has no indented code: there, indented lines are text."""
    md = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    md.use(front_matter_plugin)
    # Digits and spaces next to a dollar sign are prices, not formulas.
    md.use(dollarmath_plugin, allow_digits=False, allow_space=False, double_inline=True)
    # HTML blocks would swallow the Markdown between a component's tags.
    md.disable(["html_block"] + (["code"] if mdx else []))
    interrupts: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    md.block.ruler.before("fence", "bracket_math", _math_block, interrupts)
    md.block.ruler.before("fence", "markup", _markup_block, interrupts)
    md.core.ruler.after("block", "longest_paragraph", _refuse_long_paragraphs)
    md.inline.ruler.before("escape", "bracket_math", _math_inline)
    md.inline.ruler.before("html_inline", "markup", _markup_inline)
    return md


class LongParagraphError(ValueError):
    """A paragraph is too long to parse in reasonable time. `line` is where it begins."""

    def __init__(self, line: int) -> None:
        super().__init__(f"expected a paragraph of at most {LONGEST_PARAGRAPH:,} characters")
        self.line = line


def _refuse_long_paragraphs(state: StateCore) -> None:
    for token in state.tokens:
        if token.type == "inline" and len(token.content) > LONGEST_PARAGRAPH:
            raise LongParagraphError(token.map[0] + 1 if token.map else 1)


def _searched_enough(env: EnvType) -> bool:
    return int(env.get("unclosed", 0)) >= MAX_UNCLOSED


def _count_unclosed(env: EnvType) -> None:
    env["unclosed"] = int(env.get("unclosed", 0)) + 1


def _math_end(text: str, start: int, env: EnvType) -> tuple[str, int] | None:
    r"""The formula that opens at `start` with `\(` or `\\(` and the position after its end."""
    opening = _MATH.match(text, start)
    if not opening or _searched_enough(env):
        return None
    closing = opening[1] + {"(": ")", "[": "]"}[opening[2]]
    end = text.find(closing, opening.end(), opening.end() + LONGEST_FORMULA)
    # The closing is no row break of the formula that happens to precede a bracket.
    while end > 0 and len(closing) == 2 and text[end - 1] == "\\":
        end = text.find(closing, end + 1, opening.end() + LONGEST_FORMULA)
    body = text[opening.end() : end].strip() if end > 0 else ""
    if not body or "\n\n" in body:
        _count_unclosed(env)
        return None
    return body, end + len(closing)


def _math_inline(state: StateInline, silent: bool) -> bool:
    found = _math_end(state.src, state.pos, state.env)
    if not found:
        return False
    if not silent:
        display = state.src[state.pos : found[1]].rstrip(")]\\") != "" and state.src[found[1] - 1] == "]"
        token = state.push("math_inline_double" if display else "math_inline", "", 0)
        token.content = found[0]
    state.pos = found[1]
    return True


def _math_block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    start = state.bMarks[start_line] + state.tShift[start_line]
    opening = _MATH.match(state.src, start)
    if not opening or opening[2] != "[":
        return False
    found = _math_end(state.src, start, state.env)
    if not found:
        return False
    line = _line_of(state, start_line, end_line, found[1])
    if line is None or state.src[found[1] : state.eMarks[line]].strip():
        return False
    if not silent:
        token = state.push("math_block", "", 0)
        token.content = found[0]
        token.map = [start_line, line + 1]
        state.line = line + 1
    return True


def _markup_block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """Comments, scripts, styles, imports and components that fill whole lines."""
    start = state.bMarks[start_line] + state.tShift[start_line]
    if state.src[start : start + 1] not in ("<", "{", "i", "e"):
        return False
    end = _block_markup_end(state.src, start, state.env, top=state.level == 0)
    line = None if end is None else _line_of(state, start_line, end_line, end)
    if line is None or end is None or state.src[end : state.eMarks[line]].strip():
        return False
    if not silent:
        token = state.push("html_block", "", 0)
        token.content = state.src[start:end]
        token.map = [start_line, line + 1]
        state.line = line + 1
    return True


def _block_markup_end(text: str, start: int, env: EnvType, top: bool) -> int | None:
    if raw := _RAW.match(text, start):
        end_tag = re.compile(rf"</{raw[1]}\s*>", re.IGNORECASE).search(text, start, start + LONGEST_COMMENT)
        return end_tag.end() if end_tag else None
    if top and _MODULE.match(text, start):
        end = text.find("\n\n", start)
        return end if end > 0 else len(text)
    return _markup_end(text, start, env)


def _markup_inline(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "<{":
        return False
    end = _markup_end(state.src, state.pos, state.env)
    if end is None:
        return False
    if not silent:
        token = state.push("html_inline", "", 0)
        token.content = state.src[state.pos : end]
    state.pos = end
    return True


def _markup_end(text: str, start: int, env: EnvType) -> int | None:
    """The position after the comment or tag that opens at `start`, or None where neither does."""
    if _searched_enough(env):
        return None
    for opening, closing in _COMMENTS:
        if text.startswith(opening, start):
            end = text.find(closing, start + len(opening), start + LONGEST_COMMENT)
            if end > 0:
                return end + len(closing)
            _count_unclosed(env)
            return None
    opened = _TAG_START.match(text, start)
    tag = _tag_end(text, start, opened) if opened else None
    if opened and tag is None:
        _count_unclosed(env)
    return tag


def _tag_end(text: str, start: int, opening: re.Match[str]) -> int | None:
    """The position after the tag that opens at `start`: quotes and braces in it hide its end."""
    if opening[0].endswith(">"):
        return opening.end()
    quote, depth = "", 0
    for found in _TAG_MARK.finditer(text, opening.end(), start + LONGEST_TAG):
        mark = found[0]
        if quote:
            quote = "" if mark == quote else quote
        elif mark in "\"'`":
            quote = mark
        elif mark in "{}":
            depth += 1 if mark == "{" else -1
        elif depth <= 0:
            return found.end() if mark == ">" else None  # a tag holds another only in braces
    return None


def _line_of(state: StateBlock, start_line: int, end_line: int, position: int) -> int | None:
    """The line in this block that holds `position`, or None when it lies beyond the block."""
    return next((n for n in range(start_line, end_line) if position <= state.eMarks[n]), None)
