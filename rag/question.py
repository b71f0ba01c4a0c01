"""Reading a question: clean text, its kind, and its content terms."""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass
from itertools import chain, groupby, pairwise
from typing import Literal

from index.errors import BadQuestion
from index.records import Topic
from index.stores.lexical import analyze
from rag.answer import MAX_QUESTION
from rag.aspects import Aspect, aspect_of
from rag.comparison import Sides, sides_of
from rag.courtesy import without_courtesy
from rag.exclusion import excluded_from
from rag.findings import Unit, units_asked
from rag.instructions import without_instructions
from rag.wording import Equivalent, Wording, spell_out
from rag.words import (
    FOREIGN_FUNCTION_WORDS,
    FUNCTION_WORDS,
    QUESTION_WORDS,
    SHARED_FUNCTION_WORDS,
)

QuestionKind = Literal[
    "definition", "introduction", "quantity", "comparison", "reason", "method", "list", "finding"
]
"""What a question asks for: what something is; where it comes from; a number; a contrast; a cause; a
way of working; several things; or, by default, what was found."""

_MAY_COMPARE: frozenset[QuestionKind] = frozenset({"comparison", "definition", "method", "finding"})
"""Kinds of question that are comparisons where they name two sides: "Is PPO more stable than TRPO?"."""
NAMING: frozenset[QuestionKind] = frozenset({"definition", "introduction"})
"""Kinds of question that ask for a thing by its name."""

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
            r"|\b(what|which) ((?!is |are |was |were |does |do |did )[\w-]+ ){0,2}"
            r"(percentage|percent|fraction|scores?|accuracy|speed-?up|number|share|rate|recall|gain"
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
            r"(?!.{0,20}\b(effect|impact|result|evidence|performance|wrong|limit|limitation|risk|danger|challenge|drawback"
            r"|benefit|advantage|complexity|state[ -]of[ -]the[ -]art)s?\b)"
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
# What came of something, in other words than those for an amount.
_ASKS_RESULT = re.compile(
    r"\b(find|found|shows?|showed|results?|achiev\w+|perform\w*|effects?|affects?|improv\w+|helps?|reduc\w+"
    r"|increas\w+|outperform\w*|conclu\w+|demonstrat\w+|beats?|succe\w+|fails?)\b",
    re.I,
)
_FOREIGN_ASKING = frozenset(
    "wie warum wann wer wo welche welcher welches pourquoi quand qui quel quelle quels quelles cuando cuándo"
    " cómo quién perché qual quais hoe waarom welke".split()
)
_FOREIGN_OPENING = re.compile(r"\W*(?:was (?:ist|sind|macht|bedeutet)|come (?:funziona|si)|cosa)\b", re.I)
_ENGLISH = (FUNCTION_WORDS | QUESTION_WORDS) - SHARED_FUNCTION_WORDS
_WORD = re.compile(r"\w+(?:[-\u2010\u2011]\w+)*")


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it was read.

    `text` is what the person asked, cleaned, without orders to a model, its misspelt words put right
    (`corrected` says whether any of this was needed); `search_text` the same as it is encoded, with the
    topic's alias spelt out, and other abbreviations where a thing is asked for by its name, or where only
    capitals tell them from a small word, as "HER". `terms` are the content terms, as the index stems them,
    without function words, `pairs` those that stand side by side, `names` those of them that name something,
    such as "AlphaStar" or "HER", and `equivalents` what stands for some of them.
    `has_content` says that there is anything but function words, `foreign` that it is not in
    English, `about_collection` that it asks for counts, dates or authors, which no sentence of a
    paper tells. `sides` are the two things compared, where the question's form shows them,
    `units` what an amount asked for may be in, and `aspect` what of a thing is asked for, whose word is
    none of the terms. `excluded` is what it leaves out, in its words, which are not in `text`.
    """

    text: str
    search_text: str
    kind: QuestionKind
    terms: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    names: frozenset[str]
    equivalents: tuple[Equivalent, ...]
    has_content: bool
    foreign: bool
    about_collection: bool
    corrected: bool
    sides: Sides | None = None
    units: frozenset[Unit] = frozenset()
    aspect: Aspect | None = None
    excluded: str = ""

    @property
    def asks_result(self) -> bool:
        """Whether it asks for what came of something: an amount, or another result."""
        return self.kind == "quantity" or (
            self.kind == "finding" and _ASKS_RESULT.search(self.text) is not None
        )


def read_question(
    raw: str,
    topic: Topic | None = None,
    wording: Wording | None = None,
) -> Question:
    """Clean and classify a question asked inside a topic, or over everything.

    `wording` is what the index knows of words; without it, they are taken as they are.

    Raises `BadQuestion` if it is empty or too long.
    """
    typed = without_courtesy(clean_question(raw))
    text = without_instructions(typed)
    foreign = is_foreign(text)
    if wording and not foreign:
        text = wording.correct(text)
    corrected = text != typed
    text, excluded = excluded_from(text)
    meant = spell_out_topic(text, topic) if topic else text
    terms, pairs = content_of(meant)
    # A question that names nothing but its topic asks what the topic is.
    kind = "definition" if topic and set(terms) <= set(analyze(topic.name)) else kind_of(text)
    aspect, asking = aspect_of(text) or (None, "")
    if bare := tuple(term for term in terms if term not in analyze(asking)):
        terms, pairs = bare, tuple(pair for pair in pairs if set(pair) <= set(bare))
    equivalents = wording.equivalents(meant, terms, topic.slug if topic else None) if wording else ()
    sides = sides_of(text, equivalents) if kind in _MAY_COMPARE else None
    if topic and sides and any({*side.phrases[0]} <= {*analyze(topic.name)} for side in sides):
        sides = None  # inside a topic everything is on that side
    return Question(
        text=text,
        search_text=spell_out(
            meant, [same for same in equivalents if kind in NAMING or same.short in FUNCTION_WORDS]
        ),
        kind="comparison" if sides else kind,
        terms=terms,
        pairs=pairs,
        names=named_terms(text),
        equivalents=equivalents,
        has_content=any(map(_means, _words(text))),
        foreign=foreign,
        about_collection=_COLLECTION.search(text) is not None,
        corrected=corrected,
        sides=sides,
        units=units_asked(text) if kind == "quantity" else frozenset(),
        aspect=aspect,
        excluded=excluded,
    )


def clean_question(raw: str) -> str:
    """Return a question cleaned. Raises `BadQuestion` if it is empty or too long."""
    text = clean(raw)
    if not text:
        raise BadQuestion("the question is empty; type a question of 1 to 2,000 characters")
    if len(text) > MAX_QUESTION:
        raise BadQuestion(
            f"the question has {len(text):,} characters; shorten it to at most {MAX_QUESTION:,}"
        )
    return text


def clean(raw: str) -> str:
    """Normalise to NFC, drop control, format and surrogate characters, and fold white space."""
    text = unicodedata.normalize("NFC", raw)
    if not text.isprintable():
        text = "".join(
            " " if char.isspace() else char
            for char in text
            if char.isspace() or unicodedata.category(char)[0] != "C"
        )
    return " ".join(text.split())


def kind_of(text: str) -> QuestionKind:
    """Classify by form; `finding` where no form is recognised."""
    return next((kind for kind, pattern in _KINDS if pattern.search(text)), "finding")


def spell_out_topic(text: str, topic: Topic) -> str:
    """Replace the topic's aliases by its name: "What is RL?" asks what reinforcement learning is."""
    aliases = tuple(filter(None, topic.aliases))
    return _any_of(aliases).sub(lambda _: topic.name, text) if aliases else text


@functools.lru_cache(1_024)  # as many topics as are likely to be asked
def _any_of(aliases: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, aliases))})(?!\w)", re.I)


def content_of(text: str) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the distinct stemmed terms that carry meaning, in order, and the pairs of them side by side.

    Function words and the words that only make a question ("what", "stand for") are left out,
    unless they are part of a compound ("off-policy") or nothing would be left. A pair is two terms
    with no such word between them: ("reward", "machin").
    """
    words = _words(text)
    runs = [analyze(" ".join(run)) for kept, run in groupby(words, _means) if kept]
    terms = chain.from_iterable(runs) if runs else analyze(" ".join(words))
    pairs = (pair for run in runs for pair in pairwise(run))
    return tuple(dict.fromkeys(terms)), tuple(dict.fromkeys(pairs))


def content_terms(text: str) -> tuple[str, ...]:
    """Return the terms of `content_of` alone."""
    return content_of(text)[0]


def has_content(word: str) -> bool:
    """Whether a word, in lower case, is neither a function word nor one that only makes a question."""
    return word not in FUNCTION_WORDS and word not in QUESTION_WORDS


def _words(text: str) -> list[str]:
    # In a question that is all capitals, capitals say nothing.
    return _WORD.findall(text.lower() if text.isupper() else text)


def _means(word: str) -> bool:
    """Whether a word as typed has content. In capitals a small word is an abbreviation: "What is HER?"."""
    return has_content(word.lower()) or (len(word) > 1 and word.isupper())


def named_terms(text: str) -> frozenset[str]:
    """Return the terms of words that are written as names: capitals inside the sentence, or digits."""
    words = re.findall(r"\w[\w-]*", text)
    named = [
        word
        for position, word in enumerate(words)
        if not (word.isalpha() and word.islower())  # as most words are
        and (
            any(char.isdigit() for char in word)
            or any(char.isupper() for char in (word if position else word[1:]))
        )
    ]
    # In a question typed as a headline, capitals name nothing.
    if len(named) > 0.7 * len(words):
        return frozenset()
    return frozenset(analyze(" ".join(named)))


def is_foreign(text: str) -> bool:
    """Whether a question is clearly not English: another script, or another language's small words."""
    if not text.isascii() and _in_another_script(text):
        return True
    words = re.findall(r"\w+", text.lower())
    if _FOREIGN_OPENING.match(text):
        return True
    foreign = sum(map(FOREIGN_FUNCTION_WORDS.__contains__, words))
    english = sum(map(_ENGLISH.__contains__, words))
    # One small word is no proof ("de novo design"), but for letters that English does not have, or where it
    # asks: "Wie tanzen Bienen?"
    asks = bool(words) and words[0] in _FOREIGN_ASKING
    return foreign > english and (foreign >= 2 or not text.isascii() or (asks and not english))


def _in_another_script(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    latin = sum(1 for char in letters if char.isascii() or "LATIN" in unicodedata.name(char, ""))
    greek = sum(1 for char in letters if "GREEK" in unicodedata.name(char, ""))
    # Greek letters are symbols in scientific English, but not whole sentences of them.
    return latin + min(greek, len(letters) // 3) < len(letters) / 2
