"""The forms in which people ask for facts of a collection, each of which must match a whole question."""

from __future__ import annotations

import re
from typing import Literal

from rag.dates import NUMBERS

FactKind = Literal[
    "count", "newest", "oldest", "list", "ranking", "trend", "statistics",
    "authors", "author_count", "date", "venue", "affiliations", "tags",
]  # fmt: skip
"""What is asked for. The second line's are of one paper, named by its title."""
Forms = tuple[tuple[FactKind, re.Pattern[str]], ...]


def _forms(*forms: tuple[FactKind, str]) -> Forms:
    return tuple((kind, re.compile(pattern, re.I)) for kind, pattern in forms)


# What precedes a question and is no part of it.
POLITE = re.compile(
    r"^\W*(?:(?:and|but|so|ok|okay|please|hi|hello|hey|now)\b[, ]*"
    r"|(?:can|could|would|will) you (?:please )?(?:tell|show|give) me[, ]*(?:if |whether )?"
    r"|(?:please )?tell me[, ]*|do you know[, ]*|i(?: would|'d)? (?:want|like) to know[, ]*)*",
    re.I,
)

# "Who wrote the most papers" and "who wrote about walking" name no title.
_TITLE = (
    r"(?!(?:the )?most\b|papers?\b(?! (?:titled|called|named|[“\"]))|about\b|on\b)"
    r"(?:(?:all )?the authors of )?(?P<title>.+?)"
)
_APPEARED = r"(?:first )?(?:published|released|written|presented|submitted|appear(?:ed)?|come out|printed)"
_PLACES = r"(?:affiliations?|institut(?:ion|e)s?|universit(?:y|ies)|organi[sz]ations?|labs?|compan(?:y|ies))"
_MEETING = r"(?:conference|journal|venue|workshop|proceedings)"
_WROTE = r"(?:written|published|write|publish|(?:work|worked|working|been working) on|stud(?:y|ied))"
_FOUND = r"(?:find|found|show|shown|discover|discovered|report|reported)"

OF_ONE_PAPER = _forms(
    ("date", rf"who (?:wrote|published) {_TITLE},? and when"),
    ("authors", rf"who (?:has |have )?(?:co-?)?(?:wrote|written|authored|published) {_TITLE}"),
    ("authors", rf"who (?:is|are|was|were) (?:the |all )*(?:co-?)?authors? (?:of|behind) {_TITLE}"),
    (
        "authors",
        rf"(?:(?:what are|list|name|give)(?: me)? )?(?:all )?the authors of {_TITLE}",
    ),
    ("authors", rf"by whom (?:was|is) {_TITLE} {_APPEARED}"),
    ("author_count", rf"how many (?:people|authors|researchers) (?:wrote|does|did|has) {_TITLE}(?: have)?"),
    ("date", rf"when (?:was|were|is|did) {_TITLE} {_APPEARED}"),
    ("date", rf"(?:what is|what was|what's) the (?:publication )?date of {_TITLE}"),
    ("date", rf"(?:in |on )?(?:which|what) (?:year|month|day|date) (?:was|did) {_TITLE} {_APPEARED}"),
    ("venue", rf"where (?:was|were|did) {_TITLE} {_APPEARED}"),
    ("venue", rf"(?:at |in )?(?:which|what) {_MEETING} (?:was|did) {_TITLE} {_APPEARED}(?: at| in)?"),
    ("venue", rf"what (?:is|was) the {_MEETING} of {_TITLE}"),
    ("affiliations", rf"(?:what|which) (?:are the )?{_PLACES} (?:of|are behind|is behind) {_TITLE}"),
    ("affiliations", rf"(?:what|which) {_PLACES} (?:wrote|published) {_TITLE}"),
    ("affiliations", rf"(?:what|which) {_PLACES} (?:are|were) {_TITLE} (?:from|at|affiliated with)"),
    ("affiliations", rf"where do {_TITLE} work"),
    (
        "tags",
        rf"(?:what|which) (?:are the )?(?:tags|topics) (?:of|does|has|is) {_TITLE}"
        r"(?: have| belong to| (?:tagged|labelled|labeled) with)?",
    ),
)
PAPER_CALLED = re.compile(
    r"^(?:the |a |an )?(?:paper|article|preprint|publication|work)s? (?:titled |called |named |entitled )?",
    re.I,
)
THE_PAPER = re.compile(r"^the (?P<title>.+?)(?: (?:paper|article|preprint|publication))$", re.I)
# "The newest paper on walking", of which a fact is asked.
FIRST_OF_ALL = re.compile(
    r"the (?:newest|latest|most recent|oldest|earliest|very first|first) (?:[\w-]+ ){0,4}?"
    r"(?:paper|article|publication|preprint)\b.*",
    re.I,
)
POINTS_BACK = re.compile(
    r"it|that|this|(?:the authors of )?(?:this|that|the) (?:paper|one|article|work|study)", re.I
)
POINTS_AT_SEVERAL = re.compile(r"them|these|those|they|(?:these|those|the) (?:papers|ones|articles)", re.I)

_WORKS = r"(?P<works>papers?|articles?|publications?|preprints?|explainers?)"
_AUTHORS, _VENUES = r"authors?|researchers?", r"venues?|conferences?|journals?"
_PLACED = r"affiliations?|institutions?|universit(?:y|ies)"
_COLUMN = rf"(?P<column>{_AUTHORS}|{_VENUES}|{_PLACED}|tags?)"
_KIND_OF = r"(?P<adjective>(?:[\w-]+ ){0,4}?)"
_NUMBER = rf"(?P<number>\d{{1,3}}|{'|'.join(NUMBERS)})"
_NUMBER_BEHIND = _NUMBER.replace("number", "number2")
_SHOW = r"(?:list|show|name|find|give)(?: me)?"
_WANTED = rf"(?:(?:(?:what|which|who)(?:'s|’s| is| are| was| were)?|{_SHOW}) )?(?:the )?"
_REST = r"(?P<rest>.*)"
_END = r"(?P<end>newest|latest|most recent|recent|new|last|oldest|earliest|very first|first)"
_PUBLISHED = r"(?:published|wrote|written|authored|publish(?:es)?|has|have|with|appears? in|hosts?)"
_SHARE = r"(?:share|proportion|percentage) of (?:all )?new papers"

OF_THE_COLLECTION = _forms(
    (
        "trend",
        rf"(?:how many|(?:what is )?(?:the )?number of) {_WORKS}(?P<rest>.*?) (?:in )?(?:per|each|every|by) "
        r"(?P<unit>year|month)(?P<rest2>.*)",
    ),
    ("trend", rf"{_WANTED}{_WORKS} (?:per|by) (?P<unit>year|month){_REST}"),
    ("count", rf"(?:in total,? )?how many {_KIND_OF}(?:{_WORKS}|{_COLUMN}){_REST}"),
    ("count", rf"{_WANTED}(?:total )?(?:number|count) of {_KIND_OF}(?:{_WORKS}|{_COLUMN}){_REST}"),
    (
        "ranking",
        rf"(?:who|which (?:people|{_COLUMN}))(?: has| have)? {_PUBLISHED} (?:the )?most "
        rf"{_KIND_OF}{_WORKS}{_REST}",
    ),
    (
        "ranking",
        rf"{_WANTED}(?:{_NUMBER} )?(?:most (?:active|prolific|frequent|common|productive) "
        rf"|top (?:{_NUMBER_BEHIND} )?){_COLUMN}{_REST}",
    ),
    ("newest", rf"{_WANTED}(?:{_NUMBER} )?{_END}(?: {_NUMBER_BEHIND})? {_KIND_OF}{_WORKS}{_REST}"),
    (
        "list",
        rf"(?:which|what|{_SHOW}|are there|do you have)(?: all| any)?(?: of)?(?: the)?"
        rf"(?: other| more| further)? {_KIND_OF}{_WORKS}{_REST}",
    ),
    (
        "statistics",
        rf"(?:(?:what are|show|give)(?: me)? )?(?:the )?(?:statistics|stats|figures){_REST}",
    ),
    ("statistics", rf"how (?:active|big|large|popular) is (?:the |this )?{_REST}"),
    ("statistics", rf"(?:what is |what's )?the {_SHARE}{_REST}"),
    ("statistics", rf"what {_SHARE} (?:is|are|belongs? to)?{_REST}"),
    ("statistics", r"is (?:the |this )?(?P<rest>.+?) (?:still )?growing"),
    (
        "newest",
        r"(?:what(?: is|'s|’s| was| has been)?|(?:is there |do you have )?anything"
        r"|show(?: me)? what(?: is|'s|’s))"
        rf" (?P<news>new|published|added)\b{_REST}",
    ),
    ("list", r"who (?:is|was) (?P<person>.+)"),
    (
        "list",
        r"(?:did|have|has) (?P<person>.+?) (?:ever )?(?:write|written|publish|published|co-?authored?)"
        r"(?: an?| any| some)? (?:papers?|articles?|anything|something)(?: together)?(?P<rest>.*)",
    ),
    ("list", rf"what (?:else )?(?:has|have|did|does|do|is|are) (?P<person>.+?) {_WROTE}\b{_REST}"),
    ("list", rf"what (?:has|have|did|does|do) (?P<person>.+?) {_FOUND}"),
    ("list", r"(?P<works>papers|articles|publications|preprints|explainers)\b(?P<rest> .+)"),
)
TELLING = frozenset(
    """
    active added affiliation affiliations article articles author authors big companies company conference
    conferences count date day discover discovered explainer explainers figures find found growing institute
    institutes institution institutions journal journals lab labs large month new number organisation
    organisations organization organizations paper papers people popular preprint preprints proceedings
    publication publications published report reported researcher researchers show shown statistics stats
    studied study tag tags topics universities university venue venues when where who whom work worked
    working workshop write written wrote year
    """.split()
)
"""No form matches without one of these words."""
OPENING = (
    frozenset(
        """
        all anything are articles at authors by count did do earliest explainers figures find first give has
        have how in is last latest list most name new newest number oldest on papers preprints publications
        recent show statistics stats the top total very what when where which who
        """.split()
    )
    | NUMBERS.keys()
)
"""Nor one that opens with none of these. These two spare most questions the patterns."""
OLDEST = frozenset({"oldest", "earliest", "first", "very first"})

# The words that introduce what a question restricts its records by.
KEYWORD = re.compile(
    r"\b(?P<key>on|about|regarding|concerning|covering|mentioning|discussing"
    r"|(?:that |which )?(?:mention|discuss|cover|are about|deal with)"
    r"|by|from|at|in|of|with|list(?:s|ing)?|(?:whose|have|has|having|with) (?:the |a )?venues?(?: is)?"
    r"|have|has|did|does|do)\b(?= )",
    re.I,
)
ABOUT = re.compile(
    r"on|about|regarding|concerning|covering|mentioning|discussing"
    r"|(?:that |which )?(?:mention|discuss|cover|are about|deal with)",
    re.I,
)
# What may follow a name and is no part of it: "by Sutton [were published]", "list Sutton [as an author]".
TRAILING = re.compile(
    r"(?: (?:are|is|was|were|have|has|been|there|published|written|released|presented|appear|appeared"
    r"|authored|co-?authored|wrote|publish|write|author|exist|exists|listed|in total|so far|as|among|an|the"
    r"|its|their|authors?|here|do|does|did|you|we))+$",
    re.I,
)
# What would have to be understood and is not: "or", "not", the place of an author's name.
UNREAD = re.compile(
    r"\b(?:or|but|not|without|except|excluding|neither|(?:first|last|senior|lead|corresponding|single|sole)"
    r"[ -]authors?|first|last)\b",
    re.I,
)
FILLER = frozenset(
    """
    a all altogether an and any are appear appeared are available been belong collection come currently
    database date dated did different distinct do does exist exists far field had has have here i in
    included index indexed is known library listed me now of on out page please presented published
    recently released site so stored submitted that the them there these they this those to topic total
    totally was we were which with written you
    """.split()
)
"""Words between what a question restricts by that restrict nothing themselves."""
