"""Sentences of documents that speak to whoever reads them for an answer, not about their subject.

Nothing in a document is followed, so an order can do no more than stand in an answer as if it said something,
or be put into a model's words. What has the form of one is therefore neither quoted nor handed to a model.
Of 72,451 sentences of abstracts that could be quoted, 14 are lost by it: comments of LaTeX that a source left
in, and sentences that say the same words again and again.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections import Counter

from rag.words import FUNCTION_WORDS

_BEGINNING = 6
"""Letters of a word by which it is looked for before any pattern is: they tell most sentences alone."""


def _begin(words: str) -> frozenset[str]:
    return frozenset(word[:_BEGINNING] for word in words.split())


_SAY = "(?:answer|reply|respond|output|print|say|state|write|repeat|cite|recommend|praise|mention|insist)"
_GIVEN = "(?:instructions?|prompts?|rules?|guidelines?|directions?|commands?|orders|constraints?|sources?)"
_READER = (
    "(?:you|assistants?|chatbots?|(?:large )?language models?|llms?|ais?|ai (?:systems?|reviewers?|models?)"
    "|(?:any|every|each|all) (?:systems?|models?|readers?|bots?))"
)
_QUOTE = "[“\"'«„]"
_SAYING = _begin(
    "answer answering reply replies respond output print say state write repeat cite recommend praise"
)
_READING = _begin("you assistant assistants chatbot language llm llms ai ais any every each all")
_ORDERS: tuple[tuple[frozenset[str], re.Pattern[str]], ...] = tuple(
    (_begin(words), re.compile(pattern))
    for words, pattern in (
        # Putting aside what was said before.
        (
            "ignore disregard forget override bypass",
            r"\b(?:ignore|disregard|forget|override|bypass)\b[^.]{0,40}\b(?:"
            rf"{_GIVEN}\b[^.]{{0,12}}\b(?:above|before|given)"
            r"|(?:everything|anything|all)\b[^.]{0,20}\b(?:above|before|previous)"
            rf"|(?:previous|prior|above|earlier|preceding|former|other|your|these)\b[^.]{{0,25}}\b{_GIVEN})\b",
        ),
        # The same in the languages that are written most of all in Latin letters.
        (
            "ignoriere missachte vergiss ignorez oubliez ignora ignore olvida dimentica ignoreer ignoruj"
            " zapomnij esqueça",
            r"\b(?:ignorier\w*|missachte\w*|vergiss|ignorez|oubliez|ignor[ae]|olvida|ignorate|dimentica|ignoreer"
            r"|ignoruj\w*|zapomnij|esqueça)\b[^.]{0,40}\b(?:anweisung\w*|aanwijzing\w*|instru[cçkz]\w+|istruzion\w+"
            r"|consignes?|polece\w+|regeln?|règles|reglas|regole|regras)\b",
        ),
        (
            "void longer cancelled",
            rf"\b{_GIVEN}\b[^.]{{0,20}}\b(?:are void|no longer (?:hold|apply)|are cancelled)\b",
        ),
        # Naming a word to say.
        (
            "approved permitted verified secret sole",
            r"\b(?:approved|permitted|verified|secret|sole) "
            r"(?:answer|reply|response|completion|word|output)\b",
        ),
        # Speaking to a model by name, and to one that reviews.
        (
            "language llm llms ai ais assistant assistants chatbot chatbots",
            rf"\b(?:for|to|dear|attention)\W+(?:all |any |every )?{_READER}(?: (?:reviewers?|readers?))?\s*:",
        ),
        (
            "review reviews",
            r"\b(?:give|write|leave|provide) (?:only )?(?:an? )?(?:positive|good|favou?rable|glowing)"
            r" reviews?\b"
            r"|\bdo not (?:mention|list|name|report) any (?:weakness|limitation|flaw|problem)",
        ),
        # The heading of a turn.
        ("system assistant developer", r"^\W*(?:system|assistant|developer)\s*:"),
        # Speaking to a model about itself.
        (
            "you your",
            r"\byou are (?:now|no longer)\b|\bfrom now on,? you\b"
            r"|\byour (?:answer(?:ing|s)?|repl(?:y|ies)|responses?|output|instructions?|guidelines?"
            r"|developers?)\b",
        ),
        ("ai prompt prompts", r"\bas an ai\b|\bsystem prompt\b"),
        ("task tasks instruction instructions", r"\bnew (?:task|instruction)s?:"),
        (
            "ask asks asked",
            rf"\basked {_QUOTE}|\bif (?:anyone|someone|a user|the user|you) asks?\b"
            r"|\bthe user (?:now )?asks\b",
        ),
        (
            "conversations other cite game",
            r"\bfor all later conversations\b|\bany other source\b"
            r"|\bcite (?:only )?this (?:document|paper|source)\b|\blet us play a game\b",
        ),
    )
)
# Telling a reader or a model what to say.
_TELLING = re.compile(
    rf"\b{_READER}\b[^.]{{0,60}}\b(?:must|should|shall|will now|has to|have to|(?:is|are) (?:now )?"
    r"(?:required|instructed|directed|told|asked|obliged|requested|ordered) to)\b"
    rf"[^.]{{0,20}}\b{_SAY}\b"
    r"|\b(?:direct|instruct|order|command|urge|ask|tell|require)s? (?:the |all |any |every |each )?(?:\w+ )?"
    rf"{_READER}\b[^.]{{0,120}}\bto (?:\w+ )?{_SAY}\b"
)
_TOLD = re.compile(
    rf"\b(?:reply|respond|answer|output|print|repeat|say) (?:with|to|for|only) {_QUOTE}"
    r"|\b(?:reply|respond|answer|output|print|repeat|say) (?:verbatim|nothing (?:else|but)|with the notice)\b"
    rf"|\b(?:answer|answering|reply|replies|response) to {_QUOTE}"
    r"|(?:^|[,;:]\s+|\bplease )(?:only |just |always |simply |then |first )?"
    rf"{_SAY} (?:with|only|exactly|it alone)\b"
)
_WORD_TO_SAY = re.compile(
    r"\b(?:[Rr]eply|[Rr]espond|[Aa]nswer|[Oo]utput|[Pp]rint|[Ss]ay|[Ss]tate)\b(?: with)? [A-Z][A-Z0-9_-]{6,}"
)
# "Ignore" in scripts that an encoder of English makes little of: the whole sentence could not be an answer.
_ORDER_ELSEWHERE = re.compile(
    r"\b(?:игнорируй\w*|забудь\w*)|忽略|无视|無視|忘れて|무시|تجاهل|अनदेखा", re.IGNORECASE
)
# What another program would run or hide: templates, comments, the marks of a model's turns, shells,
# databases, comments and colours of LaTeX, rules between documents, ids in brackets, data in the place of
# prose.
_NO_MARKS = str.maketrans(dict.fromkeys("“\"'«„(,.;:!?", " "))
_ODD = re.compile(r"[{}$\\%\[=<]")
_FIELDS = re.compile(r"\w+:\s*\w+:")
_MACHINE = re.compile(
    r"\{\{|\}\}|\{%|\$\{|\$\(|\bUPDATE \w+ SET\b|\bDROP TABLE\b|;\s*--"
    r"|<!--|<\|[^|>]*\|>|\[/?(?:INST|SYS)\]|<</?SYS>>"
    r"|\\(?:text)?color\b|\\tiny\b|\\phantom\b|^\s*%"
    r"|(?:-{3,}|={3,}) ?[A-Z]|\[//\]|\[e[0-9a-z]{1,8}\]|\bEND OF (?:DOCUMENT|SOURCES?|CONTEXT|EVIDENCE)\b"
)  # fmt: skip
# A word so long that it is none: base64, hexadecimal digits, percent-encoding.
_LONGEST_WORD = 40
_BLOB = re.compile(r"(?=\S*\d)[A-Za-z0-9+/=%_]{40,}|[^\s\\]{120,}|(?:%[0-9A-F]{2}\S*){3}")
# Letters spelt one by one, and letters of other blocks that look like Latin ones.
_MOST_SPELT = 6
_SPELT = re.compile(r"(?:(?<!\S)[^\W\d_]\s+){6}")
_LOOKALIKE = re.compile(r"[A-Za-z][\u0400-\u052f\u13a0-\u13ff]|[\u0400-\u052f\u13a0-\u13ff][A-Za-z]")
_STYLED = re.compile(r"[\uff21-\uff3a\uff41-\uff5a]{3}|[\U0001d400-\U0001d6a3]{3}")
_QUOTED = re.compile(r"[“\"«„][^”\"»]*[”\"»]")
_FORMULA = re.compile(r"\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL)

STUFFED = 4
"""Times that each of two words of more than three letters stands in a sentence which was made to be found."""
MOST_SMALL = 0.12
"""Share of the words, outside of quotation marks, that are different small ones ("the", "of") up to which a
sentence is looked at as one in disguise."""
SHORTEST_ECHO = 5
"""Words of a question that a sentence may not hold as they are."""
_MOST_MARKS = 3
_DIGITS_FOR_LETTERS = str.maketrans("43105$7@", "aeiossta")
_ASKING = frozenset(
    "what how why which who whom whose when where does do did is are was were can could should will has"
    " have".split()
)


def is_order(text: str) -> bool:
    """Whether a sentence, or a title, tells its reader what to say, or hides that it does."""
    lowered = text.lower()
    words = lowered.split()
    if _orders(text, lowered):
        return True
    if (_ODD.search(text) or "--" in text or "END OF" in text) and _MACHINE.search(_FORMULA.sub(" ", text)):
        return True
    if _FIELDS.match(text):
        return True
    lengths = [*map(len, words)]
    if max(lengths, default=0) >= _LONGEST_WORD and _BLOB.search(text):
        return True
    if lengths.count(1) >= _MOST_SPELT and _SPELT.search(text):
        return True
    if not text.isascii() and (
        _ORDER_ELSEWHERE.search(text)
        or _LOOKALIKE.search(text)
        or _STYLED.search(text)
        or sum(unicodedata.combining(character) > 0 for character in text) > _MOST_MARKS
    ):
        return True
    return _is_veiled(text, words) or _is_stuffed(words)


def _orders(text: str, lowered: str) -> bool:
    """Whether a text is an order in plain words."""
    beginnings = {word[:_BEGINNING] for word in lowered.translate(_NO_MARKS).split()}
    if not _SAYING.isdisjoint(beginnings) and (
        _TOLD.search(lowered)
        or _WORD_TO_SAY.search(text)
        or (not _READING.isdisjoint(beginnings) and _TELLING.search(lowered))
    ):
        return True
    return any(
        not needed.isdisjoint(beginnings) and pattern.search(lowered) is not None
        for needed, pattern in _ORDERS
    )


def _is_veiled(text: str, words: list[str]) -> bool:
    """Whether a text with hardly any small words is an order written backwards, or in other letters."""
    if len(FUNCTION_WORDS.intersection(words)) > MOST_SMALL * len(words):
        if not any(mark in text for mark in '“"«'):
            return False
        words = _QUOTED.sub(" ", text).lower().split()
        if len(FUNCTION_WORDS.intersection(words)) > MOST_SMALL * len(words):
            return False
    ways = (text[::-1], codecs.encode(text, "rot13"), text.translate(_DIGITS_FOR_LETTERS))
    return any(_orders(way, way.lower()) for way in ways)


def _is_stuffed(words: list[str]) -> bool:
    if len(words) - len(set(words)) < 2 * (STUFFED - 1):
        return False
    words = [word for word in words if len(word) > 3]
    return sum(count >= STUFFED for count in Counter(words).values()) > 1


def echo_of(question: str) -> str | None:
    """Return the words of a question, in small letters, that no statement holds as they stand there.

    A document that is made to be found by a question holds it word for word. None for a few words, or words
    without one that asks: such as a name may stand in any sentence.
    """
    asked = question.lower().rstrip("?!. ").split()
    return None if len(asked) < SHORTEST_ECHO or _ASKING.isdisjoint(asked) else " ".join(asked)
