r"""TeX text commands in prose become plain text: `\emph{x}` → x, `\'e` → é, `~` → a space.

Formulas are LaTeX and stay LaTeX. Unknown commands stay as they are: most are mathematics whose
dollar signs were lost. One pass with a stack of open braces, so nesting costs nothing.
"""

from __future__ import annotations

import re
import unicodedata

from index.text.formulas import formula_spans

_UNWRAP = frozenset({
    "emph", "textit", "textbf", "texttt", "textsc", "textrm", "textsf", "textsl", "textup", "textmd",
    "textnormal", "text", "underline", "uline", "mbox", "hbox", "url", "path", "textsuperscript",
    "textsubscript", "enquote",
})  # fmt: skip
_SWITCH = frozenset({
    "em", "it", "bf", "sl", "tt", "sc", "rm", "sf", "itshape", "bfseries", "ttfamily", "scshape", "rmfamily",
    "sffamily", "normalfont", "small", "large", "noindent", "smallskip", "medskip", "bigskip", "centering",
    "xspace", "protect", "newline", "par", "item",
})  # fmt: skip
_CITE = frozenset({
    "cite", "citep", "citet", "citealp", "citealt", "citeauthor", "citeyear", "ref", "eqref", "autoref",
    "cref", "Cref",
})  # fmt: skip
_DROP_ARGUMENT = frozenset({"label", "vspace", "hspace", "thanks"})
_LISTS = frozenset({"itemize", "enumerate", "description", "abstract", "center", "quote", "quotation"})
_SYMBOL = {
    "ie": "i.e.", "eg": "e.g.", "etal": "et al.", "etc": "etc.", "ldots": "...", "dots": "...",
    "LaTeX": "LaTeX", "TeX": "TeX", "texttimes": "×", "times": "×", "pm": "±", "textpm": "±",
    "approx": "≈", "sim": "∼", "leq": "≤", "geq": "≥", "rightarrow": "→", "to": "→", "infty": "∞",
    "textendash": "–", "textemdash": "—", "textasciitilde": "~", "textbackslash": "\\",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε",
    "lambda": "λ", "sigma": "σ", "mu": "μ", "ell": "ℓ",
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "aa": "å", "AA": "Å", "i": "ı", "S": "§",
}  # fmt: skip
_ACCENT = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328",
    "r": "\u030a", "d": "\u0323", "b": "\u0331",
}  # fmt: skip

_COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
_ACCENTED = re.compile(
    r"""\\(?:(['`^"~=.])(?:\{(\\?[A-Za-z])\}|(\\i(?![A-Za-z])|[A-Za-z]))"""
    r"""|([uvHckrdb])\{(\\?[A-Za-z])\})"""
)
# Braces lost on the way: "\emph{near} x" arrives as "\emphnear x".
_GLUED = re.compile(r"(?:emph|textbf|textit|texttt|textsc)(?=[A-Za-z])")
# Quotation marks escaped by some exporter, not an umlaut: a pair around a phrase.
_ESCAPED_QUOTES = re.compile(r"""(?<![A-Za-z{])\\"([^"\\]{1,200})\\"(?![A-Za-z{])""")
_SIMPLE_ARGUMENT = re.compile(r"\s*(?:\[[^\[\]{}]{0,200}\]\s*){0,2}\{([^{}]{0,400})\}")
_OPTION = re.compile(r"\s*\[[^\[\]{}]{0,200}\]")
_ESCAPED = {"%": "%", "&": "&", "#": "#", "_": "_", "{": "{", "}": "}", "$": "$",
            " ": " ", ",": " ", ";": " ", ":": " ", "\\": " ", "!": "", "/": "", "-": ""}  # fmt: skip

_TOKEN = re.compile(r"[\\{}]")
_TIE = re.compile(r"(?<=[\w.)\]])~(?=[^\W\d_]|[(\\\[])|(?<=[^\W\d_.])~(?=\d)|(?<=\.)~(?=\d)")
_QUOTED = re.compile(r"``((?:[^`']|'(?!')){1,400})''")
# A URL is matched first so that the dashes inside it stay.
_DASH = re.compile(r"(?:https?://|www\.)\S+|(?<![-<!\s])(-{2,3})(?![->\s])|(?<=\s)(-{2,3})(?=\s)")
_TRACES = re.compile(r"\\|[~{]|``|--")


def plain_text(text: str) -> str:
    """Replace TeX text commands, ties, quotes and dashes outside formulas by plain text."""
    if not _TRACES.search(text):
        return text
    if "\\" in text:
        text = _commands(_ESCAPED_QUOTES.sub(r'"\1"', text))
    parts: list[str] = []
    at = 0
    for start, end in [*formula_spans(text), (len(text), len(text))]:
        parts += [_typography(text[at:start]), text[start:end]]
        at = end
    return "".join(parts)


def _typography(text: str) -> str:
    if "~" in text and "://" not in text:
        text = _TIE.sub(" ", text)
    elif "~" in text:
        text = " ".join(w if "://" in w else _TIE.sub(" ", w) for w in text.split(" "))
    if "``" in text:
        text = _QUOTED.sub(r"“\1”", text)
    if "--" in text:
        text = _DASH.sub(_dash, text)
    return text


def _dash(match: re.Match[str]) -> str:
    dashes = match[1] or match[2]
    if dashes is None:
        return match[0]
    return "—" if len(dashes) == 3 else "–"


def _commands(text: str) -> str:
    """Walk the text's backslashes and braces; `closers` holds what each open brace ends in."""
    formulas = dict(formula_spans(text))
    out: list[str] = []
    closers: list[str] = []
    at = 0
    for match in _TOKEN.finditer(text):
        position = match.start()
        if position < at:
            continue
        out.append(text[at:position])
        if position in formulas:
            at = formulas[position]
            out.append(text[position:at])
        elif match[0] == "{":
            at = position + 1
            opens_command = _opens_text_command(text, at)
            closers.append("" if opens_command else "}")
            out.append("" if opens_command else "{")
        elif match[0] == "}":
            at = position + 1
            out.append(closers.pop() if closers else "}")
        else:
            written, at, closer = _command(text, position)
            out.append(written)
            if closer is not None:
                closers.append(closer)
    out.append(text[at:])
    return "".join(out)


def _opens_text_command(text: str, at: int) -> bool:
    if text[at : at + 1] != "\\":
        return False
    command = _COMMAND.match(text, at)
    if command is None:
        return _ACCENTED.match(text, at) is not None
    return command[1] in _SWITCH or command[1] in _UNWRAP or _ACCENTED.match(text, at) is not None


def _command(text: str, position: int) -> tuple[str, int, str | None]:
    """Return what the command at `position` becomes, where reading goes on, and the closer of a brace
    that it opened (None if it opened none)."""
    accented = _ACCENTED.match(text, position)
    if accented is not None:
        mark = _ACCENT[accented[1] or accented[4]]
        letter = (accented[2] or accented[3] or accented[5])[-1]
        return unicodedata.normalize("NFC", letter + mark), accented.end(), None
    command = _COMMAND.match(text, position)
    if command is None:
        escaped = text[position + 1 : position + 2]
        if escaped in _ESCAPED and escaped:
            return _ESCAPED[escaped], position + 2, None
        return "\\" + escaped, position + 1 + len(escaped), None
    name, end = command[1], command.end()
    if name in _SYMBOL:
        return _symbol(text, name, end)
    if name in _SWITCH:
        option = _OPTION.match(text, end) if name == "item" else None
        return (option[0].strip() if option else ""), _skip_space(text, option.end() if option else end), None
    if name in _UNWRAP and text[end : end + 1] == "{":
        return "", end + 1, ""
    if name == "footnote" and text[end : end + 1] == "{":
        return " (", end + 1, ")"
    argument = _SIMPLE_ARGUMENT.match(text, end)
    if argument is not None:
        opens = argument.end() < len(text) and text[argument.end()] == "{"
        if name in _CITE:
            return f"[{argument[1].strip()}]", argument.end(), None
        if name in _DROP_ARGUMENT or (name == "end" and argument[1] in _LISTS):
            return "", argument.end(), None
        if name == "begin" and argument[1] in _LISTS:
            option = _OPTION.match(text, argument.end())
            return "", option.end() if option else argument.end(), None
        if name == "href" and opens:
            return "", argument.end() + 1, f" ({argument[1].strip()})"
        if name in ("textcolor", "colorbox") and opens:
            return "", argument.end() + 1, ""
    glued = _GLUED.match(name)
    if glued is not None:
        return "", position + 1 + glued.end(), None
    return command[0], end, None


def _symbol(text: str, name: str, end: int) -> tuple[str, int, str | None]:
    """A symbol swallows the space or the empty braces that ended its name, if a word follows."""
    if text[end : end + 2] == "{}":
        return _SYMBOL[name], end + 2, None
    if len(name) <= 2 and name not in ("ie", "eg", "mu", "pm", "to") and text[end : end + 1] == " ":
        end += 1  # "\ss e", "\o re": letters of one word
    elif name in ("ie", "eg", "etal", "etc") and text[end : end + 1] == ".":
        end += 1
    return _SYMBOL[name], end, None


def _skip_space(text: str, at: int) -> int:
    while text[at : at + 1] == " ":
        at += 1
    return at
