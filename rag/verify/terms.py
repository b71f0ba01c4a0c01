"""Terms: how much of a claim its passages hold, and which of their sentences it stands on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from index.stores.lexical import analyze
from rag.verify.reading import Reading

WORTH_ADDING = 0.15
"""Share of a claim's weight that a further sentence must add to be what the claim stands on: less is a
word or two that sentences about the same subject share by chance."""
MOST_SENTENCES = 3
"""A claim seldom joins more sentences of its sources than this."""


def idf_of_texts(texts: Iterable[str]) -> Callable[[str], float]:
    """Return the inverse document frequency of stemmed terms over texts, as BM25 has it.

    ln(1 + (N - n + 0.5) / (n + 0.5)) for a term in n of N texts (Robertson and Zaragoza, 2009, with the
    one that keeps it positive); a term in none of them weighs most. Without texts every term weighs the
    same.
    """
    frequency: Counter[str] = Counter()
    documents = 0
    for text in texts:
        frequency.update(set(analyze(text)))
        documents += 1

    def idf(term: str) -> float:
        found = frequency[term]
        return math.log(1 + (documents - found + 0.5) / (found + 0.5))

    return idf


def weights_of(claim: Reading, idf: Callable[[str], float]) -> dict[str, float]:
    """Map each content term of a claim to its weight; the weights sum to 1, if there are any."""
    weights = {term: idf(term) for term in dict.fromkeys(token.term for token in claim.tokens) if term}
    total = sum(weights.values())
    return {term: weight / total for term, weight in weights.items()} if total else {}


def stands_on(claim: Reading, weights: Mapping[str, float], sentences: Sequence[Reading]) -> list[int]:
    """Pick the sentences that a claim stands on: the one that holds most of it, then what adds to that.

    Their numbers, in the order of picking; at least one, if there are any.
    """
    missing, picked = dict(weights), list[int]()
    while len(picked) < min(MOST_SENTENCES, len(sentences)):
        gains = [sum(missing[term] for term in missing.keys() & each.terms) for each in sentences]
        most = max(gains)
        if picked and most < WORTH_ADDING:
            break
        # Sentences that say alike of other groups hold the same terms; figures and small words differ.
        alike = [number for number, gain in enumerate(gains) if gain > most - 1e-9]
        best = max(alike, key=lambda number: len(claim.words & sentences[number].words))
        picked.append(best)
        missing = {term: weight for term, weight in missing.items() if term not in sentences[best].terms}
    return list(dict.fromkeys(picked))
