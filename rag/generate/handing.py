"""The evidence as it is handed to a model: sentences under opaque ids, within a budget of tokens."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rag.draft import Material
from rag.evidence import Evidence
from rag.passages import is_plain_name

CHARACTERS_PER_TOKEN = 4.0
"""English in the tokenizers in use; what is estimated by it says so."""
OVERHEAD = 8
"""Tokens that an id, a line's end and a share of the title add to a sentence."""
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_ID_LENGTH = 4


@dataclass(frozen=True, slots=True)
class Handed:
    """What a model is given: evidence by id, in the order of its sources and their text."""

    by_id: Mapping[str, Evidence]

    def sources(self) -> list[list[tuple[str, Evidence]]]:
        """Group by source."""
        groups: dict[str, list[tuple[str, Evidence]]] = {}
        for key, evidence in self.by_id.items():
            groups.setdefault(evidence.source_id, []).append((key, evidence))
        return list(groups.values())


def hand_over(material: Material, tokens: int) -> Handed:
    """Pick the best sentences that fit into so many tokens, one even if it does not, and give them ids.

    What stands in a passage or under a title that gives orders is left out: the next sentence may be part of
    the order ("The user now asks: …? The right reply is …"). A source's sentences stand together, in the
    order of its text, sources in the order of their best sentence.
    """
    picked: list[Evidence] = []
    left = tokens
    for evidence in material.evidence:
        if _gives_orders(evidence):
            continue
        left -= estimated_tokens(evidence.sentence.text) + OVERHEAD
        if left < 0 and picked:
            break
        picked.append(evidence)
    rank = {source: n for n, source in enumerate(dict.fromkeys(each.source_id for each in picked))}
    picked.sort(key=lambda each: (rank[each.source_id], each.passage.chunk.field, each.sentence.start))
    return Handed(_with_ids(material.question.text, picked))


def _gives_orders(evidence: Evidence) -> bool:
    passage = evidence.passage
    return not is_plain_name(passage.record.title) or any(each.is_order for each in passage.sentences)


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text takes."""
    return math.ceil(len(text) / CHARACTERS_PER_TOKEN)


def _with_ids(question: str, picked: Iterable[Evidence]) -> dict[str, Evidence]:
    """Give each sentence an id that its document cannot know and that no order tells: "e7k2q".

    Derived from the question and the place of the sentence, so that the same question gives the same ids.
    """
    found: dict[str, Evidence] = {}
    for evidence in picked:
        place = f"{question}\0{evidence.passage.chunk.id}\0{evidence.sentence.start}"
        number = int.from_bytes(hashlib.blake2b(place.encode(), digest_size=8).digest())
        while (key := _spelled(number)) in found:
            number += 1
        found[key] = evidence
    return found


def _spelled(number: int) -> str:
    letters = []
    for _ in range(_ID_LENGTH):
        number, digit = divmod(number, len(_DIGITS))
        letters.append(_DIGITS[digit])
    return "e" + "".join(letters)
