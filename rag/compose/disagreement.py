"""When two papers report different things of the same: told by words, where little else differs.

A false "by contrast" is worse than none, so both sentences have to say nearly the same in nearly the same
words, name the same things, and differ in one amount, in a direction, or by a "not".
"""

from __future__ import annotations

from rag.findings import amounts
from rag.passages import Sentence
from rag.verify.alignment import Aligned
from rag.verify.direction import check_direction
from rag.verify.polarity import check_negation, hedges, negations
from rag.verify.reading import read

LEAST_SHARED = 4
"""Terms at least that two sentences share that speak of the same thing."""
SHARED = 0.6
"""Share of the shorter one's terms that these have to be."""
REPORTED = 0.6
"""How much both have to look like findings (`rag.findings`): aims and methods may differ in peace."""
# How a result is reported, whatever it is.
_REPORTING = frozenset(
    "we our us show shown demonstr find found result experi experiment evalu indic observ reveal report"
    " suggest paper studi work empir extens propos method approach algorithm author achiev obtain signific"
    " substanti can also even in on of to the a an and that by for with is are".split()
)


def disagree(first: Sentence, second: Sentence) -> bool:
    """Whether two sentences, each of a paper of its own, report different things of the same.

    They share nearly all content but reporting words, name the same things, and differ in the one
    amount that each states, or in a direction or a negation; or one denies the effect whose size the
    other states.
    """
    if first.explains or second.explains or not (_is_reported(first) and _is_reported(second)):
        return False
    one, other = _content(first), _content(second)
    shared = len(one & other)
    if shared < LEAST_SHARED or shared < SHARED * min(len(one), len(other)):
        return False
    if not (first.names <= second.terms and second.names <= first.terms):
        return False
    stated, against = amounts(first.text), amounts(second.text)
    if len(stated) == len(against) == 1:
        (amount,), (there,) = stated, against
        return amount.unit == there.unit and amount.value != there.value
    if stated and against:
        return False
    ours, theirs = Aligned(read(first.text)), Aligned(read(second.text))
    if hedges(ours.tokens) or hedges(theirs.tokens):
        return False
    if stated or against:
        # "Lowered it from 84% to 57%" and "did not lower it".
        silent, telling = (theirs, ours) if stated else (ours, theirs)
        is_denied = bool(negations(silent.tokens)) and not negations(telling.tokens)
        return is_denied and bool(check_negation(ours, theirs)) and bool(check_negation(theirs, ours))
    turned = bool(check_direction(ours, theirs)) and bool(check_direction(theirs, ours))
    negated = bool(check_negation(ours, theirs)) and bool(check_negation(theirs, ours))
    # "Does not improve" and "degrades" agree.
    return turned != negated


def _is_reported(sentence: Sentence) -> bool:
    # "Did not lower it" has the form of a result as well.
    return sentence.finding >= REPORTED or " did not " in sentence.lowered


def _content(sentence: Sentence) -> frozenset[str]:
    return frozenset(term for term in sentence.terms - _REPORTING if not term[0].isdigit())
