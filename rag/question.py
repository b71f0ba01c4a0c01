"""Reading a question: clean text, its kind, its content terms, and what earlier turns add to it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

from index.errors import BadQuestion
from index.stores.lexical import analyze
from rag.answer import MAX_QUESTION, Turn
from rag.words import FOREIGN_FUNCTION_WORDS, FUNCTION_WORDS, QUESTION_WORDS

QuestionKind = Literal[
    "definition", "introduction", "quantity", "comparison", "reason", "method", "list", "finding"
]
"""What a question asks for: what something is; where it comes from; a number; a contrast; a cause; a
way of working; several things; or, by default, what was found."""

# First match decides. `introduction` and `list` before `definition`, and `quantity` before `method`,
# so that "how much" is not taken for "how".
_KINDS: tuple[tuple[QuestionKind, re.Pattern[str]], ...] = (
    (
        "comparison",
        re.compile(
            r"(?<![\w-])(differ(s|ences?|ent)?|compare[ds]?|comparison|versus|vs\.?|(better|worse) than)\b",
            re.I,
        ),
    ),
    (
        "introduction",
        re.compile(
            r"\b(which|what|who|whose)\b.{0,40}\b(introduce[ds]?|propose[ds]?|present(s|ed)?|invent(s|ed)?|coined?"
            r"|first)\b",
            re.I,
        ),
    ),
    (
        "quantity",
        re.compile(
            r"\bhow (much|many|well|fast|quickly|large|big|often|far|long|accurate|good|few)\b"
            r"|\b(what|which) (percentage|percent|fraction|score|accuracy|speed-?up|number|share|rate|gain"
            r"|improvement|reduction|increase|decrease)\b",
            re.I,
        ),
    ),
    ("reason", re.compile(r"^\W*(and |but |so )?why\b|\bwhat (causes|makes|is the reason)\b", re.I)),
    ("method", re.compile(r"^\W*(and |but |so )?how\b", re.I)),
    (
        "list",
        re.compile(
            r"\b(which|what) (\w+ ){0,2}(papers|methods|approaches|algorithms|works|studies|techniques"
            r"|benchmarks|applications|examples|results)\b|^\W*(list|name|give) \b",
            re.I,
        ),
    ),
    (
        "definition",
        re.compile(
            r"^\W*what('s|\u2019s| is| are| was| were)\b"
            r"(?!.{0,20}\b(effect|impact|result|evidence|performance|wrong)s?\b)"
            r"|^\W*what (do|does)\b.*\b(mean|stand for|refer to)\b"
            r"|^\W*(define|explain|describe|tell me about|(give me )?(an )?(overview|introduction))\b"
            r"|\bmeaning of\b",
            re.I,
        ),
    ),
)
# What is asked of the collection, not of what its papers say: no sentence of theirs answers it.
_COLLECTION = re.compile(
    r"(?i:\bhow many (\w+ ){0,2}(papers?|explainers?|sources?|articles?|documents?|publications?|authors?)\b"
    r"|\b(latest|newest|most recent|recent|oldest) (\w+ ){0,2}(papers?|articles?|publications?|work)\b"
    r"|\bwho (wrote|authored|published)\b|\bwho (is|are) the authors?\b|\bwhen was .* published\b"
    r"|\b(papers?|articles?) (written |published )?(by|from) (?-i:[A-Z]))"
)
_WORD = re.compile(r"\w+(?:[-\u2010\u2011]\w+)*")
# Words that point back to an earlier turn.
_ANAPHORA = re.compile(
    r"\b(it|its|they|them|their|this|that|these|those|he|she"
    r"|the (same|former|latter|paper|method|authors?))\b",
    re.I,
)
_CONTINUATION = re.compile(r"^\W*(and|but|so|what about|how about|why\W*$|how\W*$|really|more\b)", re.I)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it was read.

    `text` is what the person asked, cleaned; `search_text` what is looked for, which differs where
    an earlier turn had to be added. `terms` are the content terms, as the index stems them, without
    function words, `pairs` those that stand side by side, and `names` those of them that name
    something, such as "AlphaStar" or "HER". `foreign` says that it is not written in English,
    `about_collection` that it asks for counts, dates or authors, which no sentence of a paper tells.
    """

    text: str
    search_text: str
    kind: QuestionKind
    terms: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    names: frozenset[str]
    foreign: bool
    about_collection: bool


def read_question(raw: str, history: Sequence[Turn] = ()) -> Question:
    """Clean and classify a question. Raises `BadQuestion` if it is empty or too long."""
    text = clean(raw)
    if not text:
        raise BadQuestion("the question is empty; type a question of 1 to 2,000 characters")
    if len(text) > MAX_QUESTION:
        raise BadQuestion(
            f"the question has {len(text):,} characters; shorten it to at most {MAX_QUESTION:,}"
        )
    search_text = text
    if history and _depends_on_earlier(text):
        search_text = f"{clean(history[-1].question)[:MAX_QUESTION]} {text}"
    return Question(
        text=text,
        search_text=search_text,
        kind=kind_of(text),
        terms=content_terms(search_text),
        pairs=content_pairs(search_text),
        names=named_terms(text),
        foreign=is_foreign(text),
        about_collection=_COLLECTION.search(text) is not None,
    )


def clean(raw: str) -> str:
    """Normalise to NFC, drop control, format and surrogate characters, and fold white space."""
    text = unicodedata.normalize("NFC", raw)
    text = "".join(
        " " if char.isspace() else char
        for char in text
        if char.isspace() or unicodedata.category(char)[0] != "C"
    )
    return " ".join(text.split())


def kind_of(text: str) -> QuestionKind:
    """Classify by form; `finding` where no form is recognised."""
    return next((kind for kind, pattern in _KINDS if pattern.search(text)), "finding")


def content_terms(text: str) -> tuple[str, ...]:
    """Return the distinct stemmed terms that carry meaning, in order of appearance.

    Function words and the words that only make a question ("what", "stand for") are left out,
    unless they are part of a compound ("off-policy") or nothing would be left.
    """
    words = _WORD.findall(text.lower())
    return tuple(dict.fromkeys(analyze(" ".join(filter(_has_content, words)) or " ".join(words))))


def content_pairs(text: str) -> tuple[tuple[str, str], ...]:
    """Return the distinct pairs of content terms that stand side by side: ("reward", "machin")."""
    runs = [list(run) for kept, run in groupby(_WORD.findall(text.lower()), _has_content) if kept]
    terms = (analyze(" ".join(run)) for run in runs)
    return tuple(dict.fromkeys(pair for run in terms for pair in pairwise(run)))


def _has_content(word: str) -> bool:
    return word not in FUNCTION_WORDS and word not in QUESTION_WORDS


def named_terms(text: str) -> frozenset[str]:
    """Return the terms of words that are written as names: capitals inside the sentence, or digits."""
    words = re.findall(r"\w[\w-]*", text)
    named = [
        word
        for position, word in enumerate(words)
        if any(char.isdigit() for char in word)
        or any(char.isupper() for char in (word if position else word[1:]))
    ]
    # In a question typed as a headline, capitals name nothing.
    if len(named) > 0.7 * len(words):
        return frozenset()
    return frozenset(analyze(" ".join(named)))


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
