"""Follow-ups: what a question that leans on an earlier turn asks, as a question that stands by itself.

No model reads the turns: a handful of forms is recognised, and the question is written out in words of the
two turns alone, so that a reader sees how it was understood. What has none of the forms stays as it was
typed, and inherits nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rag.anaphora import (
    ASKS,
    ASPECTS,
    AUXILIARY,
    LONGEST_FOCUS,
    PREPOSITION,
    STATES,
    content_before,
    focus_for,
    is_bare_that,
    is_name,
    pronoun,
    with_antecedent,
)
from rag.answer import Turn
from rag.compared import compared
from rag.courtesy import without_courtesy
from rag.facts.authors import ByAuthors, by_authors, people_named
from rag.facts.following import (
    collection_of,
    fact_of_the_paper,
    in_collection,
    is_of_one_paper,
    otherwise_restricted,
)

LAST = -1
TURNS = 4
"""Turns followed back; further ones no longer belong to what is talked about."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A question as it was meant.

    `source` numbers the source of the earlier answer that it is about, if it is about one, `LAST` the last,
    and `of_each` says that it is about every one; `place` is where in `text` that is named, to be replaced by
    a title. `is_after` says that it needs the earlier turn at all, `leans` that it goes on about what the
    earlier answer spoke of, so that its sources are looked at first; `bare` is then the question as it was
    typed, if its own words ask for something. `may_go_on` says that its form does not lean, and that it may
    be asked of what was spoken of all the same. `by` asks for what the authors of the paper spoken of wrote.
    """

    text: str
    source: int | None = None
    place: tuple[int, int] | None = None
    of_each: bool = False
    by: ByAuthors | None = None
    may_go_on: bool = False
    leans: bool = False
    is_after: bool = False
    bare: str = ""


_PREPOSED = re.compile(rf"{PREPOSITION}\b(?! (?:which|what|whom|how)\b)", re.I)
_LEAD = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|and|but|so|then|also|well|now)\b[\s,]*)*(?:(?:what|how) about\b|what of\b)?\s*",
    re.I,
)
_CHANGE = re.compile(
    r"^(?:let['’]?s (?:talk about|change|move on to|discuss) (?:something |the |another )?"
    r"(?:different|else|subject|topic)?|never ?mind(?: (?:that|it))?|forget (?:that|it)"
    r"|(?:something|anything) else|(?:an)?other (?:thing|question|topic)|(?:a )?(?:new|different) "
    r"(?:question|topic)|by the way|on (?:an)?other note|changing (?:the )?(?:topic|subject))\b[\s,:;.–-]*",
    re.I,
)
_ONLY = re.compile(r"^(?:only|just|but only)\s+(?:(?:the )?(?:papers|ones|those|results|work)\s+)?", re.I)
_WHY = re.compile(
    r"^(?P<asks>why|how|when|where|by how much|how much|how come|how so|why not|why so)"
    r"(?: (?:is|was) (?:that|this|it)(?: so| the case)?)?\W*$",
    re.I,
)
_SURE = re.compile(
    r"^(?:is (?:that|it|this) (?:still |really )?(?:true|so|right|the case|known)|really"
    r"|are you sure)\W*$",
    re.I,
)
_MORE = re.compile(
    r"^(?:(?:tell me )?more(?: (?:on|about) (?:it|that|this))?(?: please)?|go on|what else|anything else"
    r"|(?:can you )?elaborate(?: on (?:it|that|this))?|the others)\W*$",
    re.I,
)
_EXAMPLE = re.compile(
    r"^(?:(?:(?:can|could) you )?(?:give|show|name)(?: me)? (?:an?|some) examples?"
    r"(?: of (?:it|that|this|them))?|(?:an |any )?examples?|for (?:example|instance)|such as)\W*$",
    re.I,
)
_FULL = re.compile(rf"^(?:{ASKS}|{AUXILIARY}|compare|explain|describe|tell|list|show|give|name)\b", re.I)
_OWNED = re.compile(
    rf"^(?:(?:its|their|his|her)\s+(?P<its>[\w\s-]+?)|the\s+(?P<the>(?:\w+\s)?{ASPECTS}))\W*$", re.I
)

_ONE_OF_ITS_KIND = re.compile(r"^(?:the|its) (?P<which>(?:[\w-]+ )?[\w-]+) ones?$", re.I)
_SEVERAL = frozenset({"they", "them", "their", "these", "those"})
_NUMBERS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "last": LAST,
    "former": 1,
    "latter": LAST,
}
_YEAR = re.compile(r"^(?:19|20)\d\d$")
_WORK = r"(?:papers?|sources?|stud(?:y|ies)|articles?|works?|publications?)"
_NUMBERED = re.compile(
    rf"\bthe (?P<number>{'|'.join(_NUMBERS)}) (?:(?:one|{_WORK}|result|of (?:them|these|those))\b|(?=\W*$))"
    r"|\b(?:paper|source|citation|reference) \[?(?P<digit>[1-9])\]?(?!\w)|\[(?P<marker>[1-9])\]",
    re.I,
)
_ALONE = re.compile(rf"^(?:the )?(?P<number>{'|'.join(_NUMBERS)})(?: one)?\W*$", re.I)
_THAT_WORK = re.compile(rf"\b(?:this|that|the same) {_WORK}\b|\bthe authors?\b", re.I)

# "And CherryBot, what does it use?"
_NAMED_FIRST = re.compile(rf"^(?P<name>[^,?]{{2,60}}),\s+(?P<asked>(?:{ASKS}|{AUXILIARY})\b.+)$", re.I)
# "How does TD3 do it in comparison?": the same is asked of something else.
_DOES_IT = re.compile(
    r"^how (?:do|does|did|would|can) (?P<who>(?!it\b|they\b|this\b|that\b|the\b).{2,60}?) "
    r"(?:do|handle|achieve|manage|solve|approach) (?:it|that|this|so)\b",
    re.I,
)


def resolve(text: str, history: Sequence[Turn]) -> FollowUp:
    """Write a question out as it was meant after the earlier turns; as it is, where it leans on none."""
    if not history:
        return FollowUp(text)
    text = without_courtesy(text)
    *before, last = history[-TURNS:]
    bare = _LEAD.sub("", text, count=1).strip()
    led = bare != text.strip()
    if change := _CHANGE.match(bare):
        return FollowUp(bare[change.end() :] or text)
    if by := by_authors(bare):
        people = people_named(resolve(" ".join(last.question.split()), before).text)
        if people:
            return FollowUp(f"{by.before} {people}{by.behind}", is_after=True)
        return FollowUp(bare, by=by, is_after=True)
    if asked := fact_of_the_paper(bare):
        return FollowUp(asked, is_after=True)
    if found := _of_a_source(text, bare):
        return replace(found, is_after=True)
    # Who wrote it, and when, was asked in passing: what was spoken of before is spoken of still.
    while before and fact_of_the_paper(_LEAD.sub("", last.question, count=1).strip()):
        *before, last = before
    meant = resolve(" ".join(last.question.split()), before)
    earlier = meant.text.strip()
    if (papers := collection_of(earlier)) and (asked := in_collection(bare, papers)):
        return FollowUp(asked, is_after=True)
    earliest = resolve(" ".join(before[-1].question.split()), before[:-1]).text if before else ""
    if written := compared(bare, earlier, earliest):
        return FollowUp(written, leans=True, is_after=True)
    is_of_papers = papers or meant.place is not None or is_of_one_paper(earlier)
    if is_of_papers and _FULL.match(bare) and (found := _of_what_was_listed(bare)):
        return found
    if not (led or _leans(bare)):
        return FollowUp(text, may_go_on=True)
    written = _written_out(bare, led, earlier)
    is_other = _is_other(bare, led)
    if written == bare and not is_other:
        # What it stands for has no name: the earlier question says it.
        written = f"{earlier} {text[0].upper()}{text[1:]}" if _leans(bare) else text
    if is_other:
        is_its = _ONE_OF_ITS_KIND.match(bare.rstrip(" ?.!")) is not None
        return FollowUp(written or text, leans=is_its, is_after=True)
    asks = content_before(bare, len(bare)) > 0
    return FollowUp(written or text, leans=True, is_after=True, bare=bare if asks else "")


def _of_a_source(text: str, bare: str) -> FollowUp | None:
    """Read a question about one source of the earlier answer: "what does the second paper find?"."""
    if match := _ALONE.match(bare):
        return FollowUp("What did it find?", _NUMBERS[match["number"].lower()], (9, 11))
    if match := _NUMBERED.search(text):
        number = match["number"]
        source = _NUMBERS[number.lower()] if number else int(match["digit"] or match["marker"])
        return FollowUp(text, source, match.span())
    if (match := _THAT_WORK.search(text)) and not content_before(text, match.start()):
        return FollowUp(text, 1, match.span())
    return None


def _of_what_was_listed(bare: str) -> FollowUp | None:
    """Read a question about papers that the catalog told of: "What did it find?", "And their limits?"."""
    place = pronoun(bare)
    if place is None:
        return None
    if bare[slice(*place)].lower() in _SEVERAL:
        return FollowUp(bare, of_each=True, place=place, is_after=True)
    return FollowUp(bare, source=1, place=place, is_after=True)


def _leans(bare: str) -> bool:
    """Whether a question cannot stand by itself."""
    if any(form.match(bare) for form in (_WHY, _SURE, _MORE, _EXAMPLE, _ONLY, _DOES_IT)):
        return True
    if _PREPOSED.match(bare) and not _FULL.match(bare) and not re.search(rf"[,?].*\b{ASKS}\b", bare, re.I):
        return len(bare.split()) <= LONGEST_FOCUS
    return pronoun(bare) is not None


def _is_other(bare: str, led: bool) -> bool:
    """Whether a question asks about something else, or elsewhere, than the earlier one."""
    if _NAMED_FIRST.match(bare) or _DOES_IT.match(bare):
        return True
    rest = _ONLY.sub("", bare)
    if _PREPOSED.match(rest) or _YEAR.match(rest.rstrip(" ?.!")):
        return not _FULL.match(rest)
    return led and not (_FULL.match(rest) or _OWNED.match(rest) or _leans(bare))


def _written_out(bare: str, led: bool, earlier: str) -> str:
    about = focus_for(bare, earlier)
    if (match := _NAMED_FIRST.match(bare)) and pronoun(match["asked"]):
        return with_antecedent(match["asked"], match["name"].strip())
    if match := _DOES_IT.match(bare):
        return _replaced(earlier, about, match["who"])
    if match := _WHY.match(bare):
        return _asked_again(match["asks"].lower(), earlier, about)
    if _SURE.match(bare):
        return earlier
    if _MORE.match(bare):
        return f"Tell me about {about}." if about else earlier
    if _EXAMPLE.match(bare):
        return f"What is an example of {about}?" if about else ""
    rest = _YEAR.sub(r"in \g<0>", _ONLY.sub("", bare).rstrip(" ?.!"))
    if _PREPOSED.match(rest) and not _FULL.match(rest):
        return _restricted(earlier, rest)
    if match := _OWNED.match(rest):
        what = match["its"] or match["the"]
        return f"What {'are' if what.endswith('s') else 'is'} the {what} of {about}?" if about else ""
    if _FULL.match(rest) or not led:
        # "Do agents overfit? What helps against that?": what is asked about is no thing, but that they do.
        return with_antecedent(bare, "" if STATES.match(earlier) and is_bare_that(bare) else about)
    if collection_of(earlier) and (asked := otherwise_restricted(earlier, rest)):
        return asked
    if (match := _ONE_OF_ITS_KIND.match(rest)) and about:
        # "How is the gait controller trained?", "And the high-level one?"
        return _replaced(earlier, about, f"the {match['which']} {about.split()[-1]}")
    return _replaced(earlier, about, rest)


def _asked_again(asks: str, earlier: str, about: str) -> str:
    """Ask the earlier question for another thing: "Does it help?", "why?" → "Why does it help?"."""
    asks = {"how come": "why", "why not": "why", "why so": "why", "how so": "how"}.get(asks, asks)
    stripped = re.sub(r"^\W*(?:how|why)\b(?:\s+(?:much|many|well))?\s*", "", earlier, flags=re.I)
    if re.match(rf"{AUXILIARY}\b", stripped, re.I):
        return f"{asks.capitalize()} {stripped[0].lower()}{stripped[1:]}"
    if asks == "how" and about:
        return f"How does {about} work?"
    return f"{asks.capitalize()}? {earlier}"


_DATED = re.compile(
    r"\s*\b(?:in|from|since|of|before|after|until|published in) (?:19|20)\d\d(?: on(?:wards)?)?\s*$", re.I
)


def _restricted(earlier: str, rest: str) -> str:
    """Put a restriction behind the earlier question, in the place of one with the same preposition."""
    preposition = rest.split()[0]
    kept = earlier.rstrip(" ?.!")
    tail = re.search(rf"\s+{re.escape(preposition)}\s+(?:(?!\b{PREPOSITION}\b).)*$", kept, re.I)
    if tail is None and _DATED.search(rest):
        tail = _DATED.search(kept)
    return f"{kept[: tail.start()] if tail else kept} {rest}?"


def _replaced(earlier: str, about: str, rest: str) -> str:
    """Ask the earlier question about something else: "What about SAC?"."""
    if not about:
        return f"{rest}? {earlier}"
    named = [word for word in re.findall(r"\w[\w-]*", earlier) if is_name(word)]
    # A name gives way to a name; of two things compared, it is the second.
    other = named[-1] if named and is_name(rest.split()[0]) else about
    found = re.search(rf"(?<!\w){re.escape(other)}(?!\w)", earlier)
    return f"{earlier[: found.start()]}{rest}{earlier[found.end() :]}" if found else f"{rest}? {earlier}"
