"""The verifier: terms first, then the exact checks that terms are blind to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from rag.verify.alignment import Aligned
from rag.verify.direction import check_direction
from rag.verify.names import check_names, covered
from rag.verify.numbers import check_numbers
from rag.verify.polarity import check_hedges, check_negation
from rag.verify.reading import Reading, join, read, read_sentences
from rag.verify.terms import stands_on, weights_of

Check = Literal["terms", "numbers", "negation", "direction", "acronyms", "hedges"]

TERMS_BAR = 0.66
"""IDF-weighted share of a claim's terms that its passages must hold."""
NOTED_TERMS = 4
"""Missing words that a note names: the heaviest, since a list of all is no help to a reader."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found. `coverage` is the IDF-weighted share of the claim's terms that the passages hold, in
    [0, 1]; `failed` names the checks that spoke against it, `notes` say for each what was missing."""

    supported: bool
    coverage: float
    failed: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()


class Verifier:
    """Judges support by terms and by exact checks; it says "terms supported", never "entailed".

        verifier = Verifier(idf_of_texts(texts))
        verifier.verify("Error fell by 40%.", ["Error fell by 38%."]).notes
        # ("the number 40% stands in none of the quotes",)

    `idf` gives the weight of a term as the lexical index stems it. The same values give the same verdict.
    """

    def __init__(self, idf: Callable[[str], float], *, bar: float = TERMS_BAR) -> None:
        self._idf, self._bar = idf, bar

    def verify(self, claim: str, passages: Sequence[str]) -> Verdict:
        """Judge whether the passages, taken together, support the claim."""
        sentences = [sentence for passage in passages for sentence in read_sentences(passage)]
        if not sentences:
            return Verdict(False, 0.0, ("terms",), ("there is no quote to support it",))
        claimed = read(claim)
        weights = weights_of(claimed, self._idf)
        if not weights:
            return Verdict(False, 0.0, ("terms",), ("the claim has no words of content to look for",))
        missing = _missing(claimed, sentences)
        coverage = min(1.0, sum(weight for term, weight in weights.items() if term not in missing))
        found: dict[Check, list[str]] = {}
        if coverage < self._bar:
            found["terms"] = [_terms_note(claimed, weights, missing)]
        evidence = stands_on(claimed, weights, sentences)
        found["numbers"] = check_numbers(
            claimed.text, [each.text for each in evidence], [each.text for each in sentences]
        )
        ours, theirs = Aligned(claimed), Aligned(join(evidence))
        found["negation"] = check_negation(ours, theirs)
        found["direction"] = check_direction(ours, theirs)
        found["acronyms"] = check_names(claimed, sentences)
        found["hedges"] = check_hedges(ours, theirs)
        failed = tuple(check for check, notes in found.items() if notes)
        return Verdict(
            not failed, coverage, failed, tuple(note for notes in found.values() for note in notes)
        )


def _missing(claim: Reading, passages: Sequence[Reading]) -> set[str]:
    """Terms of the claim that none of the passages holds, in full or abbreviated."""
    missing = set(claim.terms).difference(*(passage.terms for passage in passages))
    if not missing:
        return set()
    spelled = covered(claim, passages)
    return missing - {claim.tokens[position].term for position in spelled}


def _terms_note(claim: Reading, weights: dict[str, float], missing: set[str]) -> str:
    heaviest = sorted((term for term in weights if term in missing), key=lambda term: -weights[term])
    words = {token.term: token.text for token in reversed(claim.tokens)}
    named = ", ".join(f"“{words[term]}”" for term in heaviest[:NOTED_TERMS])
    return f"the quotes hold too few of its words; they lack {named}"
