"""Additions: what a claim says beside the words that its evidence holds, where that changes all of it.

Most of a claim's words may stand in its evidence and the rest still turn it round ("It is false that …") or
add a statement of their own ("…, which cures insomnia"). Or all of them stand there with the sides of a verb
exchanged ("B outperforms A").
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from rag.verify.reading import Reading, Token

LONGEST_RUN = 3
"""Content words in a row that the evidence lacks, up to which they may be another wording of it."""

FOREIGN = 0.65
"""Share of a clause's content words that the evidence lacks, from which the clause is none of its own."""

_SAID = r"(?:say|said|claim(?:ed)?|think|thought|believe[ds]?|assume[ds]?|argue[ds]?|conclude[ds]?|show[ns]?)"
_DENIES = re.compile(
    r"\b(?:it|this|that|which) (?:is|was|would be|seems) (?:\w+ly |just )?(?:false|untrue|wrong|incorrect"
    r"|mistaken|a myth|a misconception|a lie|not (?:true|the case|correct|so))\b"
    rf"|\bit (?:can ?not|could not|may not|should not|must not) be {_SAID}\b"
    r"|\b(?:contrary to|in contradiction to) (?:what|the (?:claim|belief|view|source|evidence))\b"
    r"|\b(?:false|untrue|wrong|incorrect|no truth|a myth|a misconception) (?:that|to)\b"
    r"|\b(?:nobody|no one|no study|no paper|none of the (?:sources|papers|studies)) (?:has |have |ever )*\w+"
)


_BETWEEN = frozenset(
    "outperform exceed surpass beat caus lead improv enabl reduc increas decreas induc inhibit activ prevent"
    " domin replac requir follow preced support produc yield generat".split()
)
"""Stems of verbs that say other things with their sides exchanged."""
_SIDE = 3
"""Content words to each side of a verb that are what it is said of: farther ones are circumstances."""


def check_additions(claim: Reading, missing: Collection[str], evidence: Sequence[Reading]) -> list[str]:
    """Say what a claim adds: a frame that denies the rest of it, or more words in a row than a wording."""
    notes = []
    denial = _DENIES.search(claim.text.lower())
    if denial and not any(_DENIES.search(each.text.lower()) for each in evidence):
        notes.append(f"the claim says “{denial[0]}”, which none of the quotes does")
    run: list[str] = []
    for token in (token for token in claim.tokens if token.term):
        run = [*run, token.text] if token.term in missing else []
        if len(run) > LONGEST_RUN:
            notes.append(f"none of the quotes says anything like “{' '.join(run)}”")
            break
    clauses: dict[int, list[Token]] = {}
    for token in claim.tokens:
        if token.term:
            clauses.setdefault(token.clause, []).append(token)
    for words in clauses.values():
        lacking = [token.text for token in words if token.term in missing]
        if len(clauses) > 1 and len(words) > 1 and len(lacking) >= FOREIGN * len(words):
            notes.append(f"none of the quotes says anything like “{' '.join(lacking)}”")
            break
    return notes


def check_sides(claim: Reading, evidence: Sequence[Reading]) -> list[str]:
    """Say which verb of a claim has on either side what the evidence has on the other."""
    notes = []
    for verb, left, right in _sides(claim):
        straight = crossed = False
        for each in evidence:
            for other, before, after in _sides(each):
                if other == verb:
                    straight |= bool(left & before)
                    crossed |= bool(left & after and right & before)
        if crossed and not straight:
            notes.append(f"the claim exchanges the sides of “{verb}”")
    return notes


def _sides(reading: Reading) -> Iterator[tuple[str, frozenset[str], frozenset[str]]]:
    """Yield each active verb with the content words to its left and to its right."""
    content = [number for number, token in enumerate(reading.tokens) if token.term]
    for place, number in enumerate(content):
        term = reading.tokens[number].term
        behind = reading.tokens[number + 1].word if number + 1 < len(reading.tokens) else ""
        if term in _BETWEEN and behind != "by":
            left = (reading.tokens[at].term for at in content[max(0, place - _SIDE) : place])
            right = (reading.tokens[at].term for at in content[place + 1 : place + 1 + _SIDE])
            yield term, frozenset(left), frozenset(right)
