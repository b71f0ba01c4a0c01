"""What a question is about: its subject words, apart from those that any subject is asked about with.

"How can hyperparameters be tuned during training?" is about hyperparameters, tuning and training; a
source that never says "during" or "can" answers it all the same. Papers hardly use everyday words such
as "buy", "hopeless" or "several", so their inverse document frequency is high, and a question in a
person's own words seems to ask for something rare. A question about protein folding, asked of papers
on robots, differs from it only in that the words that are missing are its subject.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Mapping, Set

from index.stores.lexical import analyze
from rag.evidence import STUB, Weights
from rag.question import Question, has_content
from rag.wording import widened

GENERAL_WORDS = frozenset(
    """
    able accept account achieve act actual actually add affect ago aid aim allow allows almost alone along
    already alter alternative alters always amount another anybody anyone anything apart appear approach
    around arrive aside ask aspect assess assume attempt author authors avoid aware away back bad badly bear
    beat become becomes began begin behave benefit best better bigger biggest bit break bring broad build
    buy call called capable care careful carry case cause caused causes chance change changes cheap cheaper
    check choice choose chosen clear clearly close come comes common commonly comparable compare compared
    complete completely concern conduct consider considerable contain continue contribute correct couple
    cover create created creates current currently deal decent decide decides deep demand depend depends
    deserve despite detail details determine develop difference different difficult discover discovered
    discuss done double doubt drop due earlier early ease easier easily easy effect effective effectively
    eight enable enables encounter end ended ending ends enough ensure entire entirely especially essence
    essential establish evaluate even event ever every everybody everyone everything exact exactly exist
    exists expect explained extent extra extreme extremely face fact fail fails fairly fall false far fast
    faster fear feasible feel few fewer figure final finally find finds fine first five follow forget form
    former forward found four fresh full fully further gain gather general generally get gets give given
    gives go goes going gone good got great greater greatly grew grow grown guarantee guess half handle
    happen happened happens hard harder hardly harm heavily help helpful helps hence hint hold holds hope
    hopeless huge idea ideal ideas identify impact imply important improve improves include increase indeed
    influence inside instead intend interesting introduce introduced introduces involve issue join keep
    keeps kept key kind knew know known knows lack large largely larger last late later latter lead leads
    learnt least leave led left less lesser let level lie like likely limit limited limits line link little
    long longer look looks lose loss lost lot low lower made main mainly maintain major make makes making
    manage manner matter matters maximum maybe meant measure meet merely method methods mind minimum minor
    miss mistake mix mixed moment most move much must namely near nearly necessary need needed needs never
    nevertheless new next nine nobody none normal normally notable note nothing notice now number obtain
    obvious obviously occur occurs offer often old one ones onto open opposite order ordinary other
    otherwise outside overall owe part particular partly parts pass people percent percentage perfect
    perfectly perform performs perhaps person pick piece plain play plays point poor poorly popular possible
    possibly potential practical practice prefer prepare present presented prevent previous previously
    probably problem problems produce produced promise proper properly propose proposed proves provide
    provides purpose put puts quality question questions quick quickly quite ran rare rarely rather reach
    reaches ready real really reason reasonable receive recent recently reckon recognise recognize reduce
    regard relate related relatively reliable rely remain remark remove replace report require required
    requires resolve respect rest result results reveal rid right rise role roughly run safely said sake
    same save say scarce second see seem seems seen seldom select separate serious seriously serve serves
    set seven several short shorter shortly shown side significant significantly similar similarly simple
    simpler simply since single situation six slight slightly slow slower slowly small smaller solve solved
    solves some somebody somehow someone something sometimes somewhat soon sort special specific spite split
    splits stand start starts stay staying stays still stop stops straight strange strong stronger strongly
    succeed successful successfully such suddenly suffer suffice sufficient suggest suit suitable suited
    sure surprising surprisingly take taken takes taking talk talking technique techniques ten tend tends
    term terms test tested theory thing things think third thorough though three tie tiny today together
    told tool tools top total totally toward towards treat tried trouble true truly try turn turns twice two
    type types typical typically ultimately unable understand understanding understood unless unlike
    unlikely unusual use used useful useless usual usually various vary view vital wait waste way ways weak
    weaker well went whatever whenever wherever whether whole wide widely wish wonder word words work works
    worse worst worth wrong year years yet yield
    """.split()
)
"""Everyday words that say nothing about a subject, as typed in lower case: not their stems, for "general"
and "generation" have one stem. Words that are terms of machine learning too are left out: value, state,
return, action, reward, policy, shape, trust, regular."""

_INFLECTIONS = (("s", ""), ("es", ""), ("d", ""), ("ed", ""), ("ing", ""), ("ing", "e"))
_WORD = re.compile(r"\w+(?:[-\u2010\u2011]\w+)*")


def subject_of(question: Question, weights: Weights) -> dict[str, float]:
    """Return the terms that a question is about, with their weights; all its terms if none stands out.

    The weight is the square root of that in `weights`: one rare word among five is not half of what is
    asked.
    """
    general = {
        term for word in _WORD.findall(question.text.lower()) if is_general(word) for term in analyze(word)
    }
    terms = [term for term in weights.idf if term not in general or term in question.names] or weights.idf
    return {term: math.sqrt(weights.idf[term]) for term in terms}


def specific_terms(question: Question) -> frozenset[str]:
    """Return the terms of a question's words that are not general: none of "What should be used instead?"."""
    words = (word for word in _WORD.findall(question.text) if has_content(word.lower()))
    specific = " ".join(word for word in words if not is_general(word.lower()))
    return frozenset(analyze(specific)).intersection(question.terms)


def share_held(
    subject: Mapping[str, float], terms: Set[str], weights: Weights, names: Set[str] = frozenset()
) -> float:
    """Return the share of a subject's weight that `terms` hold, in [0, 1]; for `names` see `not_held`."""
    missing = not_held(subject, terms, weights, names)
    mass = math.fsum(subject.values())
    return (
        math.fsum([weight for term, weight in subject.items() if term not in missing]) / mass if mass else 0.0
    )


def not_held(
    subject: Iterable[str], terms: Set[str], weights: Weights, names: Set[str] = frozenset()
) -> set[str]:
    """Return the subject's terms that `terms` do not hold, nor what stands for them, nor one that begins so.

    "Curious" is held by "curiosity", whose stem differs; of `names`, "AlphaStar" is not by "AlphaZero".
    """
    held = widened(terms, weights.equivalents)
    begin = {term[:STUB] for term in held}
    return {
        term
        for term in subject
        if term not in held and (term in names or len(term) < STUB or term[:STUB] not in begin)
    }


@functools.lru_cache(4_096)  # some words of questions, over and over
def is_general(word: str) -> bool:
    """Whether a word, or that of which it is a plain inflection, is a general one."""
    return word in GENERAL_WORDS or any(
        word.removesuffix(ending) + base in GENERAL_WORDS
        for ending, base in _INFLECTIONS
        if word.endswith(ending)
    )


def phrases_of(text: str, terms: Set[str]) -> tuple[str, ...]:
    """Return the words of a text that have one of these terms, as typed; neighbours together.

    "quantum annealing" is one phrase where both its words are meant, and stays in the order of the text.
    """
    phrases: list[str] = []
    end = -1
    for match in _WORD.finditer(text):
        parts = analyze(match[0])
        if not parts or not has_content(match[0].lower()) or not terms >= set(parts):
            continue
        if phrases and text[end : match.start()] == " ":
            phrases[-1] += f" {match[0]}"
        else:
            phrases.append(match[0])
        end = match.end()
    return tuple(dict.fromkeys(phrases))
