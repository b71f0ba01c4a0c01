"""Questions for facts that follow up others: of the paper that was spoken of, and of papers just counted."""

from __future__ import annotations

import re

from rag.facts.forms import OF_ONE_PAPER
from rag.words import FUNCTION_WORDS, QUESTION_WORDS

LONGEST = 10
"""Words of a question that asks for nothing but a fact."""

_WORD = re.compile(r"[a-z][a-z-]*")
_WORK = frozenset("paper papers work study article publication one idea research".split())
_ASKED = (
    # Each: words one of which must stand there, words that may, and the question that the catalog reads.
    (
        "university universities institution institutions institute affiliation affiliations lab labs company"
        " companies organisation organization employer employed",
        "author authors work works working affiliated team people researchers they behind",
        "Where do the authors of that paper work?",
    ),
    (
        "venue conference journal workshop proceedings",
        "published presented appear appeared appearing printed come out",
        "Where was that paper published?",
    ),
    (
        "author authors wrote written co-authors coauthors names",
        "name first all",
        "Who wrote that paper?",
    ),
    (
        "year date month",
        "published publication presented appear appeared written released come out made done",
        "When was that paper published?",
    ),
)
_FORMS = tuple((frozenset(needed.split()), frozenset(also.split()), asked) for needed, also, asked in _ASKED)
_OTHERWISE = (
    (r"how many (?:people|authors?|researchers|scientists)(?: (?:wrote|made|did|are behind|worked on) {that}"
     r"| (?:does|did) {that} have| are there| has {that}(?: got)?)?",
     "How many authors does that paper have?"),
    (r"(?:where and when|when and where) (?:was|did|is) {that} (?:published|presented|appear|come out)"
     r"|where (?:can|do|could) (?:i|we|one) (?:find|get|read) {that}", "Where was that paper published?"),
    (r"where (?:do|did) (?:they|the authors|its authors) work|where (?:are|were) (?:they|the authors) from",
     "Where do the authors of that paper work?"),
    (r"how (?:recent|old|new) (?:is|was|are) {that}|when (?:is|was) {that} from"
     r"|when (?:was|did|is) {that} (?:published|presented|appear|come out|released|written)",
     "When was that paper published?"),
    (r"where (?:was|did|is) {that} (?:published|presented|appear|come out)",
     "Where was that paper published?"),
    (r"whose (?:idea|work|paper|study) (?:is|was) {that}|by whom(?: (?:is|was) {that})?|who is {that} by"
     r"|who (?:did|made|published) {that}|who (?:is|was|are|were) behind {that}", "Who wrote that paper?"),
)  # fmt: skip
_THAT = r"(?:it|this|that|(?:this|that|the) (?:paper|work|study|article|research|idea))"
_PATTERNS = tuple(
    (re.compile(rf"(?:{form.replace('{that}', _THAT)})\W*", re.I), asked) for form, asked in _OTHERWISE
)

_HEAD = re.compile(
    r"^(?:how many|which|what(?: are| is)?(?: all)?(?: the)?|who (?:wrote|has published)(?: the)?"
    r"|(?:please )?(?:list|show|name|give)(?: me)?(?: all)?(?: the)?)\s+(?:\d+ |most )?"
    r"(?:newest |latest |oldest |first |most recent |recent )?"
    r"(?P<papers>(?:[\w-]+ ){0,3}?(?:papers?|articles|publications|explainers)\b.*)$",
    re.I,
)
_NEWS = re.compile(
    r"^(?:what(?: is|'s|’s| has been| was)?|(?:is there )?anything) (?:new|published|added)\b(?P<rest>.*)$",
    re.I,
)
_WHO = re.compile(r"^who (?:is|was) (?P<person>[^,]+)$", re.I)
_TAIL = re.compile(r"\s+(?:are there|is there|exist|do you have|are here|in total|do we have)\b", re.I)
_STATED = re.compile(
    r"\b(papers?) (?:is|are|were|was|have been|has been|did) (?=by|from|at|in|on|about)", re.I
)
_ACTED = re.compile(
    r"\b(papers?) (?:appeared|were published|have appeared|came out|are published) (?=by|from|at|in|on)", re.I
)
_OF_THEM = re.compile(
    r"\b(?:of |among )?(?:them|those|these|the (?:papers|ones))\b(?: papers)?"
    r"(?: (?:are|were|was|is|have been|appeared|were published|came out|came)\b)?",
    re.I,
)
_LIST_THEM = re.compile(
    r"^(?:please )?(?:(?:list|show|name|give)(?: me)? (?:them|these|those)(?: all)?|which ones"
    r"|which are they)\W*$",
    re.I,
)
_HOW_MANY_ARE = re.compile(
    r"^how many(?: ones)?(?: (?:are|were|is|was|have been|appeared|were published|came out|are there))? "
    r"(?P<rest>(?:about|on|by|from|in|at|since|before|after|with)\b.*)$",
    re.I,
)
_RESTRICTED_BY = re.compile(
    r"^.*\b(?:about|on|by|from|at|mention(?:s|ing)?|discuss(?:es|ing)?|cover(?:s|ing)?|titled|with)\s+", re.I
)
_WHICH_OF_THEM = re.compile(
    r"^(?:which|what)(?: ones?)? (?:of|among) (?:them|those|these|the (?:papers|ones))"
    r"(?: (?:are|were|is|was|have been|appeared|were published|came out))? "
    r"(?P<rest>(?:about|on|by|from|in|at|since|before|after|with)\b.*)$",
    re.I,
)
_EXTREME = re.compile(
    r"^(?:(?:which|what|and)(?: one)?(?: (?:of|among) (?:them|those|these))? (?:is|was|are|were) )?the "
    r"(?P<end>newest|latest|oldest|earliest|most recent|first)(?: ones?| papers?)?\W*$",
    re.I,
)


def fact_of_the_paper(text: str) -> str:
    """Return a question for a fact of the paper spoken of as the catalog reads it; nothing for another one.

    "Who are its authors?", "which year?", "at what conference was that?": nothing but the fact is asked for.
    """
    bare = text.strip().rstrip("?!. ")
    for pattern, asked in _PATTERNS:
        if pattern.fullmatch(bare):
            return asked
    words = _WORD.findall(bare.lower())
    if not 0 < len(words) <= LONGEST or any(map(str.isdigit, bare)):
        return ""
    if not {"before", "after", "since", "until"}.isdisjoint(words):
        return ""  # "and before that year?" asks for other papers
    for needed, also, asked in _FORMS:
        said = {word for word in words if word not in FUNCTION_WORDS and word not in QUESTION_WORDS}
        if said & needed and said <= needed | also | _WORK:
            return asked
    return ""


def collection_of(text: str) -> str:
    """Return the papers that a question counts or lists: "papers by Ada Example"; nothing if it does not."""
    bare = text.strip().rstrip("?!. ")
    if match := _NEWS.match(bare):
        return f"papers{match['rest']}"
    if match := _WHO.match(bare):
        return f"papers by {match['person']}"
    match = _HEAD.match(bare)
    if not match:
        return ""
    papers = _TAIL.sub("", match["papers"])
    return _ACTED.sub(r"\1 ", _STATED.sub(r"\1 ", papers)).strip()


def otherwise_restricted(earlier: str, other: str) -> str:
    """Ask for the papers of something else: "How many papers mention UCB?", "And PPO?"."""
    match = _RESTRICTED_BY.match(_TAIL.sub("", earlier.strip().rstrip("?!. ")))
    return f"{match[0]}{other.rstrip(' ?.!')}?" if match else ""


def is_of_one_paper(text: str) -> bool:
    """Whether a question is for a fact of one paper: who wrote it, when and where it appeared."""
    bare = text.strip().rstrip("?!. ")
    return any(pattern.fullmatch(bare) for _, pattern in OF_ONE_PAPER)


def in_collection(text: str, papers: str) -> str:
    """Write out a question about papers that were counted or listed: "How many of them are from 2020?"."""
    if match := _EXTREME.match(text):
        is_one = re.search(r"\b(?:is|was)\b", text, re.I) is not None
        papers = re.sub(r"^papers\b", "paper", papers) if is_one else papers
        return f"What {'is' if is_one else 'are'} the {match['end'].lower()} {papers}?"
    if match := _WHICH_OF_THEM.match(text.strip().rstrip("?!. ")):
        return f"What are the newest {papers} {match['rest']}?"
    if _LIST_THEM.match(text):
        return f"Which {papers}?"
    if match := _HOW_MANY_ARE.match(text.strip().rstrip("?!. ")):
        return f"How many {papers} {match['rest']}?"
    if (match := _OF_THEM.search(text)) and re.match(r"(?:how many|which|who)\b", text, re.I):
        return " ".join(f"{text[: match.start()]}{papers}{text[match.end() :]}".split())
    return ""
