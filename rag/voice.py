"""Whose words a sentence is: which sentences need the name of their paper before them."""

from __future__ import annotations

import re


def _any(words: str) -> str:
    return "|".join(words.split())


# What a paper does or is, named without its name: "this paper", "the proposed method", "our results".
_WORK = _any(
    """
    agents? algorithms? analysis analyses approach(es)? architectures? articles? benchmarks? bounds? chapter
    dataset estimators? evaluations? experiments? findings formulation framework letter
    methods? models? papers? polic(y|ies) procedures? project reports? research results? reviews?
    schemes? simulations? solutions?
    strateg(y|ies) stud(y|ies) survey systems? techniques? theor(y|ems?) thesis works?
    """
)
_MADE = _any("proposed presented introduced investigated studied examined evaluated analy[sz]ed")
# Searched for in lowered text with a space before it, as in `rag.findings`: `\W` is quicker than `\b`.
_SPEAKS = re.compile(
    r"\W(?:(we|our|ours|us|i|my)\b(?![-.])"
    rf"|(?:this|the (?:present|current|resulting|suggested|above|new|{_MADE}))"
    rf"\s(?:\w+[ -]){{0,2}}?(?:{_WORK})\b"
    r"|the authors?\b"
    rf"|(?:is|are|was|were) (?:{_MADE})\b)"
)
# Only at the beginning: results of an unnamed work, and words that point to what stood before.
_OPENS = re.compile(
    r" \W*(?:(?:(?:the|these|in|through|with|from|across|on|"
    + _any(
        """
        additional comprehensive computational empirical experimental extensive further initial numerical
        preliminary real-world simulation theoretical
        """
    )
    + r") )*(?:results?|experiments?|experimentation|evaluations?|simulations?|ablations?|ablation studies"
    r"|findings|analys[ei]s|tests|trials|demonstrations?|comparisons?)\b"
    r"|(?:to address (?:this|these)|in (?:this way|addition|particular)|as a result"
    r"|(?:first|second|third)(?!-)|"
    + _any(
        """
        additionally also both consequently finally furthermore hence here however it its moreover
        specifically such their then therefore these they this those thus
        """
    )
    + r")\b|the (?:main |key |first |second |two )?(?:"
    + _any(
        """
        agents? aims? algorithms? approach(es)? architectures? contributions? former frameworks? goals?
        ideas? latter methods? models? problems? systems? tasks? techniques?
        """
    )
    + r")\b)"
)
# What was so when it was written, which a reader has to be told the year of.
_AGES = re.compile(
    r"\W(?:state[- ]of[- ]the[- ]art|(?:sota|recent|recently|current|currently|nowadays|today|latest|newest"
    r"|novel|new|modern|emerging|unknown|remains?|not yet|so far|to date|until now|for the first time"
    r"|(?:is|are) (?:the first|still)|the first (?:time|to|that|algorithm|method|result)"
    r"|best[- ](?:known|performing)"
    r"|has been introduced|in (?:the )?(?:last|past) (?:\w+ )?years)\b)"
)


def speaks_for_its_paper(text: str) -> bool:
    """Whether a sentence says "we", "this paper", "the proposed method" or the like, or points back."""
    lowered = f" {text.lower()}"
    return _SPEAKS.search(lowered) is not None or _OPENS.match(lowered) is not None


def ages(text: str) -> bool:
    """Whether a sentence claims what was so when it was written, such as "state-of-the-art"."""
    return _AGES.search(f" {text.lower()}") is not None
