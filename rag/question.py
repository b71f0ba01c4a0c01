"""Reading a question: clean text, its kind, its content terms, and what earlier turns add to it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from index.errors import BadQuestion
from index.lexical import analyze
from rag.answer import MAX_QUESTION, Turn
from rag.words import FOREIGN_FUNCTION_WORDS, FUNCTION_WORDS, QUESTION_WORDS

QuestionKind = Literal["definition", "quantity", "comparison", "reason", "method", "which", "general"]

# First match decides. `quantity` before `method`, so that "how much" is not taken for "how".
_KINDS: tuple[tuple[QuestionKind, re.Pattern[str]], ...] = (
    ("comparison", re.compile(r"\b(differences?|compare[ds]?|comparison|versus|vs\.?|better than|worse than)\b", re.I)),
    (
        "quantity",
        re.compile(
            r"\bhow (much|many|well|fast|quickly|large|big|often|far|long|accurate|good|few)\b"
            r"|\b(what|which) (percentage|percent|fraction|score|accuracy|speed-?up|number|share|rate)\b",
            re.I,
        ),
    ),
    ("reason", re.compile(r"^\W*why\b|\bwhat (causes|makes)\b", re.I)),
    ("method", re.compile(r"^\W*(and |but )?how\b", re.I)),
    ("which", re.compile(r"^\W*(in |on |by )?(which|who|whose|where|when)\b", re.I)),
    (
        "definition",
        re.compile(
            r"^\W*(what('s|’s)?\b|define\b|explain\b|describe\b|tell me about\b|(give me )?(an )?(overview|introduction)\b)"
            r"|\bstands? for\b|\bmeaning of\b|\bmean by\b",
            re.I,
        ),
    ),
)
# Words that point back to an earlier turn.
_ANAPHORA = re.compile(
    r"\b(it|its|they|them|their|this|that|these|those|he|she|the (same|former|latter|paper|method|authors?))\b",
    re.I,
)
_CONTINUATION = re.compile(r"^\W*(and|but|so|what about|how about|why\W*$|how\W*$|really|more\b)", re.I)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it was read.

    `text` is what the person asked, cleaned; `search_text` what is looked for, which differs where
    an earlier turn had to be added. `terms` are the content terms, as the index stems them, without
    function words; `foreign` says that it is not written in English.
    """

    text: str
    search_text: str
    kind: QuestionKind
    terms: tuple[str, ...]
    foreign: bool


def read_question(raw: str, history: Sequence[Turn] = ()) -> Question:
    """Clean and classify a question. Raises `BadQuestion` if it is empty or too long."""
    text = clean(raw)
    if not text:
        raise BadQuestion("the question is empty; type a question of 1 to 2,000 characters")
    if len(text) > MAX_QUESTION:
        raise BadQuestion(f"the question has {len(text):,} characters; shorten it to at most {MAX_QUESTION:,}")
    search_text = text
    if history and _depends_on_earlier(text):
        search_text = f"{clean(history[-1].question)[:MAX_QUESTION]} {text}"
    return Question(
        text=text,
        search_text=search_text,
        kind=kind_of(text),
        terms=content_terms(search_text),
        foreign=is_foreign(text),
    )


def clean(raw: str) -> str:
    """Normalise to NFC, drop control, format and surrogate characters, and fold white space."""
    text = unicodedata.normalize("NFC", raw)
    text = "".join(
        " " if char.isspace() else char for char in text if char.isspace() or unicodedata.category(char)[0] != "C"
    )
    return " ".join(text.split())


def kind_of(text: str) -> QuestionKind:
    """Classify by form; `general` where no form is recognised."""
    return next((kind for kind, pattern in _KINDS if pattern.search(text)), "general")


def content_terms(text: str) -> tuple[str, ...]:
    """Return the distinct stemmed terms that carry meaning, in order of appearance.

    Function words and the words that only make a question ("what", "stand for") are left out,
    unless nothing would be left.
    """
    words = re.findall(r"\w+", text.lower())
    kept = [word for word in words if word not in FUNCTION_WORDS and word not in QUESTION_WORDS]
    return tuple(dict.fromkeys(analyze(" ".join(kept or words))))


def is_foreign(text: str) -> bool:
    """Whether a question is clearly not English: another script, or another language's small words."""
    letters = [char for char in text if char.isalpha()]
    latin = sum(1 for char in letters if "LATIN" in unicodedata.name(char, ""))
    greek = sum(1 for char in letters if "GREEK" in unicodedata.name(char, ""))
    # Greek letters are symbols in scientific English, but not whole sentences of them.
    if letters and latin + min(greek, len(letters) // 3) < len(letters) / 2:
        return True
    words = re.findall(r"\w+", text.lower())
    foreign = sum(1 for word in words if word in FOREIGN_FUNCTION_WORDS)
    english = sum(1 for word in words if word in FUNCTION_WORDS or word in QUESTION_WORDS)
    return foreign >= 2 and foreign > english


def _depends_on_earlier(text: str) -> bool:
    return bool(_CONTINUATION.search(text) or _ANAPHORA.search(text)) or len(content_terms(text)) <= 1
