"""Anaphora: what "it", "their" and "those robots" stand for after an earlier question."""

from __future__ import annotations

import re
from itertools import zip_longest

from rag.words import FUNCTION_WORDS, QUESTION_WORDS

LONGEST_FOCUS = 8
"""Words of the longest phrase that "it" is taken to stand for."""

ASKS = r"(?:what|which|who|whose|how|why|when|where)"
AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|can|could|should|would|will|may|might|must|has|have|had|isn't|aren't"
    r"|doesn't|don't)"
)
PREPOSITION = (
    r"(?:in|on|for|with|without|during|at|under|since|from|after|before|until|between|within|over|among|using"
    r"|when|if|outside|inside|beyond|by)"
)
_OWNER = re.compile(r"\b(?:its|their)\b", re.I)
_WHAT_IT_HAS = re.compile(
    r"(?P<asks>\W*(?:and |but |so )?what(?:'s|’s| is| are| was| were)) (?:its|their) (?P<what>[\w -]+?)"
    r"(?P<ends>\W*)",
    re.I,
)
_THAT_THING = re.compile(
    r"\b(?:this|that|these|those|the (?:same|former|latter|above)) "
    r"(?P<kind>methods?|approach(?:es)?|algorithms?|agents?|models?|techniques?|ideas?|problems?|results?"
    r"|frameworks?|systems?|ones?|things?|concepts?)\b",
    re.I,
)
# Things of some kind, which a name alone would not tell: "those robots".
_THOSE_THINGS = re.compile(r"\b(?:this|these|those) (?P<kind>[a-z][a-z-]{3,})\b", re.I)
_IT = re.compile(
    r"\bit\b(?! (?:that|true|possible|important|necessary|worth)\b)|\b(?:they|them)\b"
    r"|\b(?:this|that|these|those)\b(?=\W*$|\s+(?:is|are|was|were|do|does|did|can|could|work|help|mean|matter|compare|differ|hold|affect|change|apply|happen|come|lead|cost"
    r"|done|shown|found|known|proven|new|so|\w+ed)\b)",
    re.I,
)
_BOUND = re.compile(rf"\b(?:{AUXILIARY}|{PREPOSITION}|of|to|about|than|from|compare)\s+$", re.I)

# "How many parameters does its network have?": what an auxiliary precedes is not of a noun before it.
_AUX_BEFORE = re.compile(rf"\b{AUXILIARY}\s+$", re.I)

# A question that is answered by yes or no states what it asks.
STATES = re.compile(rf"^\W*{AUXILIARY}\b", re.I)
_IS = re.compile(
    r"^\W*(?:what(?:'s| is| are| was| were)|define|explain|describe|tell me about)\s+"
    r"(?:the (?:definition|meaning|idea|concept|notion) of\s+)?(?P<what>.+?)\W*$",
    re.I,
)
_MEANS = re.compile(r"^\W*what (?:does|do) (?P<what>.+?) (?:mean|stand for|refer to)\b", re.I)
_ASKED = re.compile(
    rf"^\W*(?:{ASKS}\s+)?(?:(?:much|many|well|far|often|fast|exactly)\s+)?"
    rf"(?:(?:\w+er|more|less)\s+)?(?:{AUXILIARY}\s+)?",
    re.I,
)
ASPECTS = (
    r"(?:limits?|limitations?|weakness(?:es)?|drawbacks?|disadvantages?|shortcomings?|pitfalls?|downsides?|risks?"
    r"|dangers?|advantages?|benefits?|strengths?|merits?|reasons?|causes?|effects?|consequences?|symptoms?|signs?"
    r"|remed(?:y|ies)|cures?|treatments?|solutions?|applications?|uses?|alternatives?|variants?|examples?|results?"
    r"|challenges?|implications?|steps?|parts?|components?)"
)
"""What any thing may be asked for: "the limits of PPO" are asked of PPO."""
_SIDE_OF_IT = re.compile(rf"^(?:main |known |biggest )?{ASPECTS} of (?=\S)", re.I)
_BROUGHT_ABOUT = re.compile(
    r"\b(?:causes?|leads? to|triggers?|induces?|prevents?|reduces?|mitigates?|cures?|treats?)"
    r" (?!of\b)(?P<effect>.+?)\W*$",
    re.I,
)
_OF_AN_EFFECT = re.compile(
    r"(?:causes?|reasons?|remed(?:y|ies)|cures?|treatments?|symptoms?|signs?|prevention)\b", re.I
)
_ASKED_OF = re.compile(
    rf"^\W*(?:{PREPOSITION} )?(?:which|what) (?!{AUXILIARY}\b)(?:[\w-]+ ){{1,3}}?"
    rf"(?P<rest>{AUXILIARY} (?!there\b).+)$",
    re.I,
)
_NO_THING = re.compile(r"^\W*what (?:goes|went|is|was) wrong\b|^\W*what happens\b", re.I)
_DANGLING = re.compile(rf"(?:\s+(?:{PREPOSITION}|of|about|to))+$", re.I)
_TITLE = re.compile(r"[“\"](?P<title>[^”\"]+)[”\"]")
_TOKEN = re.compile(r"[\w'’.+-]*\w|\S")
_BROUGHT_FORTH = frozenset({"invented", "proposed", "introduced", "developed", "created", "made"})
_PATHS = frozenset(
    {"through", "to", "into", "onto", "across", "around", "past", "without", "from", "towards"}
)
_ARTICLES = frozenset({"the", "a", "an", "some", "any", "such"})
# Verbs that end the phrase a question is about: those that such questions are asked with.
_VERBS = frozenset(
    """
    help helps keep keeps avoid avoids learn learns improve improves reduce reduces use uses work works
    differ differs compare compares make makes need needs handle handles solve solves achieve achieves perform
    performs affect affects prevent prevents deal deals choose chooses update updates scale scales transfer
    transfers fail fails matter matters mean means get gets play plays reach reaches show shows find finds
    cause causes lead leads become require requires estimate estimates compute computes explore explores
    go goes happen happens outperform outperforms beat beats stabilise stabilize stabilises stabilizes address
    addresses wrote written published appeared
    train trains trained tested evaluated tried applied validated compared measured used given
    better worse faster slower good bad
    """.split()
)


def focus(question: str) -> str:
    """Return the phrase that a question is about: what "it" stands for after it; nothing if none is found."""
    if quoted := _TITLE.search(question):
        return f"“{quoted['title']}”"
    if _NO_THING.match(question):
        return ""
    if (match := _ASKED_OF.match(question)) and (found := focus(match["rest"])):
        return found  # "Which benchmarks was PPO tested on?" is about PPO
    for form in (_MEANS, _IS):
        if (match := form.match(question)) and len(match["what"].split()) <= LONGEST_FOCUS:
            return _DANGLING.sub("", _without_article(_SIDE_OF_IT.sub("", _without_article(match["what"]))))
    words = _TOKEN.findall(_ASKED.sub("", question, count=1).rstrip(" ?.!"))
    # "How can a robot move through a crowd?": what is behind the thing, and before where to, is what it does.
    acts = re.match(rf"\W*(?:how |why |when )?{AUXILIARY}\b", question, re.I) is not None
    phrase: list[str] = []
    for word, behind in zip_longest(words, words[1:], fillvalue=""):
        lowered = word.lower()
        # No noun stands right before an article: "turn" in "DLR-Hand turn a cube" is what it does.
        is_verb = (
            lowered in _VERBS
            or (acts and behind.lower() in _PATHS)
            or (behind.lower() in _ARTICLES and lowered not in FUNCTION_WORDS)
        )
        if phrase and (is_verb or _is_small(lowered)):
            break
        if not phrase and lowered in {"wrote", "written", "published"}:
            return ""  # "Who wrote that?" is about no thing of its own
        if not phrase and lowered in _BROUGHT_FORTH:
            continue
        if not phrase and (lowered in _ARTICLES or lowered in FUNCTION_WORDS) and not word.isupper():
            continue
        phrase.append(word)
        if len(phrase) > LONGEST_FOCUS:
            return ""
    return " ".join(phrase)


def focus_for(asked: str, question: str) -> str:
    """Return the phrase whose `asked` is meant: after "Does X cause Y?", "its causes" are those of Y."""
    if _OF_AN_EFFECT.search(asked) and (match := _BROUGHT_ABOUT.search(question)):
        return _without_article(match["effect"])
    return focus(question)


def with_antecedent(text: str, about: str) -> str:
    """Put what it stands for in the place of the pronoun."""
    match = pronoun(text)
    if match is None or not about:
        return text
    start, end = match
    if _THOSE_THINGS.fullmatch(text[start:end]) and not _THAT_THING.fullmatch(text[start:end]):
        return f"{text[:end]} ({about}){text[end:]}"
    return named_at(text, match, about)


def named_at(text: str, place: tuple[int, int], name: str) -> str:
    """Put a name in the place of a pronoun: "What are its limits?" asks for the limits of what is named."""
    start, end = place
    owned = text[start:end].lower() in {"its", "their"}
    if owned and (form := _WHAT_IT_HAS.fullmatch(text)):
        return f"{form['asks']} the {form['what']} of {name}{form['ends']}"
    return f"{text[:start]}{name}{chr(39) + 's' if owned else ''}{text[end:]}"


def is_bare_that(text: str) -> bool:
    """Whether the pronoun of a question is "this" or "that" alone, which may stand for a whole statement."""
    found = pronoun(text)
    return found is not None and text[slice(*found)].lower() in {"this", "that"}


def pronoun(text: str) -> tuple[int, int] | None:
    """Return where a question points back out of itself."""
    for form in (_THAT_THING, _OWNER, _IT):
        for match in form.finditer(text):
            before = text[: match.start()]
            content = content_before(text, match.start())
            if form is _IT and (_BOUND.search(before) or not text[match.end() :].strip(" ?.!")):
                # "What limits does it have?", but not "How does PPO work and why does it fail?".
                if content < 3 and not any(map(is_name, re.findall(r"\w[\w-]*", before)[1:])):
                    return match.span()
            elif not content or (form is _OWNER and _AUX_BEFORE.search(before)):
                return match.span()
    for match in _THOSE_THINGS.finditer(text):
        kind = match["kind"].lower()
        is_thing = not _is_small(kind) and kind not in _VERBS and not kind.endswith("ed")
        if is_thing and content_before(text, match.start()) < 2:
            return match.span()
    return None


def content_before(text: str, end: int) -> int:
    """Count the words before a place that are neither small nor verbs that any question is asked with."""
    words = re.findall(r"\w[\w-]*", text[:end])
    return sum(not _is_small(word.lower()) and word.lower() not in _VERBS for word in words)


def _is_small(word: str) -> bool:
    return word in FUNCTION_WORDS or word in QUESTION_WORDS


def is_name(word: str) -> bool:
    """Whether a word is written as names are: "DQN", "DreamerV3", "iLQR"."""
    return any(char.isupper() for char in word[1:]) or any(char.isdigit() for char in word)


def _without_article(phrase: str) -> str:
    first, _, rest = phrase.partition(" ")
    return rest if rest and first.lower() in _ARTICLES else phrase
