"""The verifier: is it a quote, do its words stand there, do the exact checks agree, what says a model."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from rag.verify.additions import check_additions, check_sides
from rag.verify.alignment import Aligned
from rag.verify.direction import check_direction
from rag.verify.names import check_names, covered
from rag.verify.numbers import check_numbers
from rag.verify.polarity import check_hedges, check_negation
from rag.verify.quoting import Span, exact_quote, fuzzy_quote
from rag.verify.reading import Reading, join, read, read_sentences
from rag.verify.terms import stands_on, weights_of

Check = Literal["terms", "numbers", "negation", "direction", "acronyms", "hedges", "additions", "entailment"]
Support = Literal["quoted", "terms", "entailed"]


@dataclass(frozen=True, slots=True)
class Bar:
    """How many of a claim's words its passages must hold.

    `share` of their weight, by inverse document frequency, at least; and of the weight of a word that no text
    holds, at most `lacking` times as much may be missing: half the words of a short claim are two or three,
    of a long one ten, and that is another sentence.
    """

    share: float
    lacking: float = math.inf


STRICT = Bar(0.66)
"""For judging sentences that ought to be near their sources' words. Macro-F1 0.816 on AttributionBench out of
domain."""
REWORDED = Bar(0.3, lacking=2.25)
"""For what someone wrote in words of their own, with the source's text as context. Fitted on the training
claims of SciFact; `eval.trials.verifier` says what it lets through, on the test claims."""
_UNHEARD = ""
"""A term that no text holds."""
NOTED_TERMS = 4
"""Missing words that a note names: the heaviest, since a list of all is no help to a reader."""


class Entailment(Protocol):
    """What judges whether a premise entails a claim; see `rag.verify.entailment`."""

    @property
    def name(self) -> str:
        """What `provenance` says of it."""
        ...

    def judge(self, premise: str, claim: str) -> Literal["entailed", "open", "contradicted"]:
        """Judge a claim by the sentences that it stands on."""
        ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found.

    `support` says how a supported claim is: "quoted", then the sentence meant is
    `passages[passage][start:end]` with `span` = (start, end), and that is what should be shown; "terms", its
    words stand there and no exact check speaks against it; "entailed", a model read it so. `passage` is the
    one that holds most of it. `coverage` is the IDF-weighted share of the claim's terms that the sentences
    it stands on hold, in [0, 1]; `failed` names the checks that spoke against it, `notes` say for each what
    was missing.
    """

    supported: bool
    coverage: float
    failed: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()
    support: Support | None = None
    passage: int | None = None
    span: tuple[int, int] | None = None


class Verifier:
    """Judges support by terms and by exact checks; it says "terms supported", never "entailed" of itself.

        verifier = Verifier(idf_of_texts(texts))
        verifier.verify("Error fell by 40%.", ["Error fell by 38%."]).notes
        # ("the number 40% stands in none of the quotes",)

    `idf` gives the weight of a term as the lexical index stems it. `entailment` is asked where there is one:
    it may accept what the terms leave open, and refuse what they accept, but never overrules an exact check.
    The same values give the same verdict.
    """

    def __init__(
        self,
        idf: Callable[[str], float],
        *,
        bar: Bar = STRICT,
        entailment: Entailment | None = None,
    ) -> None:
        self._idf, self._bar, self._entailment = idf, bar, entailment

    @property
    def model(self) -> str | None:
        """The name of the model of entailment; None where there is none."""
        return self._entailment.name if self._entailment else None

    def verify(self, claim: str, passages: Sequence[str], *, context: Sequence[str] = ()) -> Verdict:
        """Judge whether the passages, taken together, support the claim.

        `context` is what the passages speak about without repeating it, such as the titles of their papers:
        terms and names may stand there; numbers, negations and the rest may not.
        """
        quote = exact_quote(claim, passages)
        if quote is not None and read(claim).terms:
            return _quoted(1.0, quote)
        split = [read_sentences(passage) for passage in passages]
        sentences = [sentence for passage in split for sentence in passage]
        if not sentences:
            return Verdict(False, 0.0, ("terms",), ("there is no quote to support it",))
        claimed = read(claim)
        weights = weights_of(claimed, self._idf)
        if not weights:
            return Verdict(False, 0.0, ("terms",), ("the claim has no words of content to look for",))
        about = [sentence for text in context for sentence in read_sentences(text)]
        picked = stands_on(claimed, weights, sentences)
        evidence = [sentences[number] for number in sorted(picked)]
        missing = _missing(claimed, [*evidence, *about], [*sentences, *about])
        coverage = min(1.0, sum(weight for term, weight in weights.items() if term not in missing))
        found = _exact(claimed, evidence, sentences, about)
        lacking = sum(self._idf(term) for term in missing) / (self._idf(_UNHEARD) or 1.0)
        held = coverage >= self._bar.share and lacking <= self._bar.lacking
        # Below the bar the terms themselves say what is missing.
        extra = missing if held else ()
        found["additions"] = check_additions(claimed, extra, [*evidence, *about])
        found["additions"] += check_sides(claimed, evidence)
        terms = [] if held else [_terms_note(claimed, weights, missing)]
        owners = [number for number, passage in enumerate(split) for _ in passage]
        return self._verdict(claim, passages, evidence, owners[picked[0]], coverage, terms, found)

    def _verdict(
        self,
        claim: str,
        passages: Sequence[str],
        evidence: Sequence[Reading],
        passage: int,
        coverage: float,
        terms: Sequence[str],
        exact: dict[Check, list[str]],
    ) -> Verdict:
        failed = tuple(check for check, notes in exact.items() if notes)
        notes = tuple(note for found in exact.values() for note in found)
        if not failed and not terms and (quote := fuzzy_quote(claim, passages)):
            return _quoted(coverage, quote)
        support: Support = "terms"
        if not failed and self._entailment is not None:
            judged = self._entailment.judge(join(evidence).text, claim)
            if judged == "contradicted":
                failed, notes = ("entailment",), ("a model reads the quotes as saying the contrary",)
            elif judged == "entailed" and terms:
                support, terms = "entailed", []
        if terms:
            failed, notes = ("terms", *failed), (*terms, *notes)
        if failed:
            return Verdict(False, coverage, failed, notes, passage=passage)
        return Verdict(True, coverage, support=support, passage=passage)


def _quoted(coverage: float, quote: Span) -> Verdict:
    return Verdict(True, coverage, support="quoted", passage=quote.passage, span=(quote.start, quote.end))


def _exact(
    claim: Reading, evidence: Sequence[Reading], sentences: Sequence[Reading], context: Sequence[Reading]
) -> dict[Check, list[str]]:
    """Ask the exact checks, each of which can say no by itself."""
    ours, theirs = Aligned(claim), Aligned(join(evidence))
    return {
        "numbers": check_numbers(
            claim.text, [each.text for each in evidence], [each.text for each in sentences]
        ),
        "negation": check_negation(ours, theirs),
        "direction": check_direction(ours, theirs),
        "acronyms": check_names(claim, [*sentences, *context]),
        "hedges": check_hedges(ours, theirs),
    }


def _missing(claim: Reading, evidence: Sequence[Reading], known: Sequence[Reading]) -> set[str]:
    """Terms of the claim that the evidence does not hold, in full or as a text known abbreviates them."""
    missing = set(claim.terms).difference(*(each.terms for each in evidence))
    if not missing:
        return set()
    spelled = covered(claim, evidence, known)
    return missing - {claim.tokens[position].term for position in spelled}


def _terms_note(claim: Reading, weights: dict[str, float], missing: set[str]) -> str:
    heaviest = sorted((term for term in weights if term in missing), key=lambda term: -weights[term])
    words = {token.term: token.text for token in reversed(claim.tokens)}
    named = ", ".join(f"“{words[term]}”" for term in heaviest[:NOTED_TERMS])
    return f"the quotes hold too few of its words; they lack {named}"
