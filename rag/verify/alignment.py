"""Which word of the evidence a word of the claim renders: the same term among the same neighbours."""

from __future__ import annotations

from collections.abc import Sequence

from rag.verify.reading import Reading, Token

REACH = 4
"""Content words to each side that tell one occurrence of a term from another."""


class Aligned:
    """A reading whose tokens can be compared with those of another by what stands around them."""

    def __init__(self, reading: Reading) -> None:
        self.tokens: Sequence[Token] = reading.tokens
        self._content = [number for number, token in enumerate(reading.tokens) if token.term]
        self._places: dict[int, dict[str, float]] = {}
        self._order: list[float] = []
        count = 0
        for token in reading.tokens:
            # A function word stands between two content words.
            self._order.append(count if token.term else count - 0.5)
            count += bool(token.term)
        self.by_term: dict[str, list[int]] = {}
        for number in self._content:
            self.by_term.setdefault(reading.tokens[number].term, []).append(number)

    def neighbours(self, number: int) -> dict[str, float]:
        """Map the terms around a token to their distance, in content words, negative before it."""
        place = self._places.get(number)
        if place is None:
            place = {}
            at = self._order[number]
            first = max(0, int(at + 0.5) - REACH)
            for other in self._content[first : int(at + 0.5) + REACH + 1]:
                distance = self._order[other] - at
                term = self.tokens[other].term
                if other != number and abs(distance) < abs(place.get(term, REACH + 1)):
                    place[term] = distance
            self._places[number] = place
        return place

    def nearest(self, number: int, other: Aligned, candidates: Sequence[int]) -> list[int]:
        """Return those of the other's tokens whose surroundings are most like those of this token here.

        Several where they are equally like; none if there are no candidates.
        """
        if len(candidates) < 2:
            return list(candidates)
        scores = [self.likeness(number, other, candidate) for candidate in candidates]
        best = max(scores)
        return [candidate for candidate, score in zip(candidates, scores, strict=True) if score == best]

    def likeness(self, number: int, other: Aligned, candidate: int) -> float:
        """How alike two surroundings are: 1 for each neighbour at the same distance, less if farther."""
        here, there = self.neighbours(number), other.neighbours(candidate)
        return sum(1 / (1 + abs(here[term] - there[term])) for term in here.keys() & there.keys())
