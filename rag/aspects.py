"""Aspects: reasons, limits, benefits and uses are asked for by one word and told in others.

"The main risk is model bias" answers "What are the limits of model-based RL?" and holds no "limit", while "a
penalty limits over-optimisation" does not answer it and does. So where an aspect is asked for, its word is
no part of what is looked for, and a sentence that tells one has the form of an answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Aspect:
    """What is asked for: `asked` finds the word for it in a question, `told` what tells it in a sentence."""

    asked: re.Pattern[str]
    told: re.Pattern[str]

    def is_told_by(self, lowered: str) -> bool:
        """Whether a sentence, in small letters, tells such a thing."""
        return self.told.search(f" {lowered}") is not None


_AND = r"^\W*(?:and |but |so )?"
_WHAT = (
    rf"{_AND}(?:what|which)(?:'s|\s+(?:is|are|was|were))\s+(?:(?:the|its|their|some|any)\s+)?"
    r"(?:(?:main|biggest|major|known|possible|typical|common|greatest)\s+)?"
)
# "Advantages of", not "advantage estimation" or "risk-sensitive".
_OF = r"(?=\W*$|\s+(?:of|in|to|with|when|for|on|if|over)\b)"
_REASONS = (
    rf"{_AND}(?P<a>why)\b",
    rf"{_AND}what (?P<b>causes|caused|explains|makes)\b",
    rf"{_WHAT}(?P<c>reasons?|causes?){_OF}",
)
_REASON = r"""
    because|due\ to|owing\ to|thanks\ to|caused?\ by|as\ a\ result|results?\ from|stems?\ from
    |attribut\w+\ to|therefore|thus|hence|so\ that
    |(?:the|a|main|one)\ (?:\w+\ )?(?:reason|cause|source|culprit)\ (?:is|of|for)
    |which\ (?:makes|leads|causes|means|lets|allows)|leads?\ to|since|as\ (?:it|they|the)
"""
_LIMITS = (
    rf"{_WHAT}(?P<a>limits?|limitations?|weakness(?:es)?|drawbacks?|disadvantages?|shortcomings?){_OF}",
    rf"{_WHAT}(?P<b>pitfalls?|downsides?|risks?|dangers?){_OF}",
)
_LIMIT = r"""
    limitations?|weakness\w*|drawbacks?|disadvantages?|shortcomings?|pitfalls?|downsides?|risks?|dangers?
    |suffer\w*|fail\w*|cannot|can\ not|unable|struggl\w+|unstable|instabil\w+|brittle|sensitive
    |costly|expensive|inefficien\w+|difficult\w*|hard\ to|challeng\w+|problem\w*|although|though|however
    |but|bias|poor\w*|degrad\w+|needs?\ (?:fresh|many|much|more)|only\ (?:if|when|where)|prone
"""
_BENEFITS = (rf"{_WHAT}(?P<a>advantages?|benefits?|strengths?|merits?|upsides?){_OF}",)
_BENEFIT = r"""
    advantages?|benefits?|strengths?|merits?|efficien\w+|simpl\w+|stable|stability|robust\w*|faster|cheaper
    |better|improv\w+|outperform\w*|allows?|enables?|without\ (?:any\ |the\ )?(?:need|\w+ing)|no\ longer
    |popular|fewer|less|scal\w+
"""
_USES = (
    rf"{_AND}when (?:would|should|do|can|could|to) (?:(?:i|we|you|one) )?(?P<a>use)\b",
    rf"{_WHAT}(?P<b>applications?|uses?|use cases?){_OF}",
    r"\bwhat (?:is|are) .{2,60} (?P<c>used for|good for|useful for)\b",
)
_USE = r"""
    appl(?:y|ies|ied|ications?)|used\ (?:for|in|to|when|where)|useful|suit\w*|deployed|deployment
    |works?\ (?:best|well)|such\ as|where\ (?:\w+\ ){0,3}(?:expensive|dangerous|impossible|risky)|in\ practice
    |industry|medicine|healthcare|robotics
"""
# What opens with `\W` is tried only where a word begins: half the time of a pattern that opens with `\b`.
_ASPECTS = tuple(
    Aspect(re.compile("|".join(asked), re.I), re.compile(rf"\W(?:{told})\b", re.VERBOSE))
    for asked, told in ((_REASONS, _REASON), (_LIMITS, _LIMIT), (_BENEFITS, _BENEFIT), (_USES, _USE))
)


def aspect_of(question: str) -> tuple[Aspect, str] | None:
    """Return the aspect that a question asks for and the word that does; None where it asks for none."""
    for aspect in _ASPECTS:
        if match := aspect.asked.search(question):
            return aspect, next(filter(None, match.groupdict().values()), "")
    return None
