r"""Put formulas back into their sentences where a page dump set each on a line of its own.

A page that renders formulas as separate elements loses them from the flow when it is saved as text:
"observes", `\ell`, "steps of" stand on three lines. Rejoined: "observes \(\ell\) steps of".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_COMMAND = re.compile(r"\\[A-Za-z]+|\\.")
_WORDY_COMMAND = re.compile(r"\\(?:text|mathrm|mathbf|mathit|mathsf|operatorname|mbox)\*?\s*\{[^{}]*\}")
_WORD = re.compile(r"[A-Za-z]{3,}")
_MATH = re.compile(r"[\\^_=<>±×÷∂∇∈∉∑∏∫√∞≈≠≤≥≪≫∼∝→⇒↔∀∃∪∩⊂⊆⊗⊕ℓℝℕℤ𝔼Α-Ωα-ωϵϕ]")
_CALL = re.compile(r"[A-Za-z]{1,2}\([^\s()]{1,12}\)")
_NO_SPACE_BEFORE = re.compile(r"[,.;:!?)\]}%’”]|'s\b|[-‐‑–/][^\s-]")
_NO_SPACE_AFTER = re.compile(r"(?:[(\[{“‘/]|(?<=\w)[-‐‑])$")


def is_formula(text: str, after_prose: bool = True) -> bool:
    """Whether a line is a formula that was torn out of a sentence.

    A bare letter or number could be either: it is a formula where prose comes before it
    (`after_prose`), and prose between two formulas.
    """
    if _WORD.search(_COMMAND.sub(" ", _WORDY_COMMAND.sub(" ", text))):
        return False
    if _MATH.search(text) or _CALL.fullmatch(text):
        return True
    return after_prose and re.fullmatch(r"[A-Za-z]|[A-Z]{2}|\d+(?:\.\d+)?", text) is not None


def rejoin(lines: Sequence[str]) -> str:
    r"""Join lines into one text, each formula among them as `\(…\)`.

    Prose lines that follow one another are paragraphs and stay apart by a blank line.
    """
    text, formula_before = "", False
    for n, line in enumerate(lines):
        formula = is_formula(line, after_prose=n > 0 and not formula_before)
        piece = rf"\({line}\)" if formula else line
        if not text:
            text = piece
        elif not formula and not formula_before:
            text += "\n\n" + piece
        else:
            text += ("" if _joined(text, line, formula) else " ") + piece
        formula_before = formula
    return text


def _joined(before: str, line: str, formula: bool) -> bool:
    """Whether no space stands between what was joined so far and this line."""
    if formula:
        return _NO_SPACE_AFTER.search(before) is not None
    return _NO_SPACE_BEFORE.match(line) is not None
