"""Split a topic page's tag lines, which run together without a separator.

"RL Benchmarks Reinforcement Learning Visual RL Generalization in RL" is four tags. Nothing on the
page says where one ends, so each way of cutting a line is scored by what the page does offer: the
topic's own name (a tag of nearly every line), phrases that recur across lines, word pairs that the
page's titles and abstracts use together, the number of tags after which the page cuts with "+N",
and the shape of English noun phrases. The best-scoring cut is found by dynamic programming.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

MAX_WORDS = 60
"""Longest line cut apart, in words: some three times the longest seen; a longer one is no tag line."""

MAX_TAGS = 12
"""Most tags looked for in one line: twice what the page shows before it cuts with "+N"."""

LONGEST_TAG = 7
"""Most words in one tag: "RL for Language Model Reasoning" has five."""

# Scores are log-odds in spirit; only their differences matter. Most names of research topics are two
# words, fewer three, single words are rare, and each word beyond makes a name less likely.
_LENGTH_SCORE = (0.0, -3.0, 0.0, -0.8, -2.0, -3.5, -5.0, -7.0)
_EACH_TAG = -1.25  # so that fewer tags win where all else is equal
_RECURS = 1.0  # the phrase occurs in other lines too
_PAIR_KEPT = 0.8  # two words that the page's prose also uses together stay in one tag
_NOUN_ENDS = 0.7  # a tag ends in what looks like a noun: "-tion", "-ing", a plural
_MODIFIER_ENDS = -3.0  # a tag ends in an adjective: "Computational", "Memory-Augmented"
_HYPHEN_INSIDE = -1.5  # hyphenated modifiers open tags: "Low-Light Image Enhancement"
_ALIAS_ENDS = 1.0  # "Offline RL": the alias is usually the head of its tag
_ALIAS_INSIDE = -2.0  # and rarely stands in its middle, unless before a preposition
_ALIAS_ALONE = -3.0  # nor alone: the topic's full name is the tag
_FUNCTION_WORD_EDGE = -6.0  # a tag begins or ends with "of": only where nothing else can be
_IMPOSSIBLE = float("-inf")

_FUNCTION_WORDS = frozenset(
    re.findall(r"\w+", "a an and as at by for from in into of on or over the to under via with")
)
_NOUN_ENDING = re.compile(r"(?:ing|tions?|sions?|ments?|ics|[^s]s|sis|it(?:y|ies)|[ae]nc(?:e|y|es|ies))$")
_ADJECTIVE_ENDING = re.compile(r"(?:al|ive|ic|ed|ary|ous|ian|ent|ant|able|ible|ar)$")
_CUT = re.compile(r"\s*\+\s?(\d{1,6})\s*$")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class TagLine:
    """The tags read from one line, and how many the source has in all ("+N" included)."""

    tags: tuple[str, ...]
    total: int


def split_count(text: str) -> tuple[str, int]:
    """Split a trailing "+N" off: "Policy Learning+1" → ("Policy Learning", 1)."""
    found = _CUT.search(text)
    return (text[: found.start()].rstrip(), int(found[1])) if found else (text.strip(), 0)


def split_tag_lines(
    lines: Sequence[str], topic: str, aliases: Iterable[str], prose: Iterable[str]
) -> list[TagLine]:
    """Split every line of one page at once, since the lines explain one another.

    `prose` is the page's titles and abstracts. A line too long to be one gets no tags.
    """
    bare = [split_count(line) for line in lines]
    words = [text.split() for text, _ in bare]
    scorer = _Scorer(words, topic, aliases, prose)
    cuts = [_best_cuts(line, scorer) if len(line) <= MAX_WORDS else {} for line in words]
    shown = _tags_shown([cut for cut, (_, more) in zip(cuts, bare, strict=True) if more], cuts)
    found = []
    for cut, (_, more) in zip(cuts, bare, strict=True):
        allowed = {n: c for n, c in cut.items() if shown is None or n == shown or (not more and n < shown)}
        tags = max((allowed or cut).values(), default=(0.0, ()))[1]
        found.append(TagLine(tags, len(tags) + more))
    return found


_Cuts = dict[int, tuple[float, tuple[str, ...]]]


def _tags_shown(cut_lines: Sequence[_Cuts], all_lines: Sequence[_Cuts]) -> int | None:
    """How many tags the page shows before "+N": the number that suits its lines best."""
    if not cut_lines:
        return None

    def suits(n: int) -> float:
        exact = [cut[n][0] if n in cut else _IMPOSSIBLE for cut in cut_lines]
        others = [max((s for k, (s, _) in cut.items() if k <= n), default=0.0) for cut in all_lines]
        return sum(exact) + sum(others)

    best = max(range(1, MAX_TAGS + 1), key=suits)
    return best if suits(best) > _IMPOSSIBLE else None


def _best_cuts(words: Sequence[str], scorer: _Scorer) -> _Cuts:
    """The best cut of a line into n tags, for every n; the topic is a tag once where it occurs."""
    named = any(scorer.is_topic(words[i:j]) for i, j in _spans(len(words)))
    # best[end][(tags so far, topic seen)] = (score, tags)
    best: list[dict[tuple[int, bool], tuple[float, tuple[str, ...]]]] = [{} for _ in range(len(words) + 1)]
    best[0][0, not named] = (0.0, ())
    for start, end in sorted(_spans(len(words))):
        is_topic = scorer.is_topic(words[start:end])
        score = scorer.score(words, start, end)
        for (count, seen), (before, tags) in best[start].items():
            if count == MAX_TAGS or (is_topic and seen and named):
                continue
            state = (count + 1, seen or is_topic)
            candidate = (before + score, (*tags, " ".join(words[start:end])))
            if state not in best[end] or candidate > best[end][state]:
                best[end][state] = candidate
    return {count: found for (count, seen), found in best[-1].items() if seen and count}


def _spans(length: int) -> Iterable[tuple[int, int]]:
    return ((i, j) for i in range(length) for j in range(i + 1, min(i + LONGEST_TAG, length) + 1))


class _Scorer:
    """How much a run of words looks like one tag, judged by the page it stands on."""

    def __init__(
        self, lines: Sequence[Sequence[str]], topic: str, aliases: Iterable[str], prose: Iterable[str]
    ) -> None:
        self._topic = _key(topic.split())
        self._aliases = frozenset(alias.casefold() for alias in aliases)
        self._recurring = _recurring(lines)
        self._pairs = frozenset(pair for text in prose for pair in _pairs(_stems(text)))

    def is_topic(self, words: Sequence[str]) -> bool:
        return _key(words) == self._topic

    def score(self, line: Sequence[str], start: int, end: int) -> float:
        words = [word.casefold() for word in line[start:end]]
        if self.is_topic(words):
            return 2.0  # as good as a tag can be: the one tag known for certain
        if words[0] in _FUNCTION_WORDS or words[-1] in _FUNCTION_WORDS:
            return _FUNCTION_WORD_EDGE * len(words)
        content = [word for word in words if word not in _FUNCTION_WORDS]
        length = len(content)
        if length > 2 and len(words) > length and "to" not in words:
            length -= 1  # "RL for Language Models" is two short phrases, not one long one
        score = _EACH_TAG + _LENGTH_SCORE[length]
        if self._recurring[tuple(words)] > 1:
            score += _RECURS
        score += _PAIR_KEPT * len(self._pairs.intersection(_pairs(_stems(" ".join(words)))))
        score += _HYPHEN_INSIDE * self._hyphens_inside(words)
        return score + self._ending(words) + self._alias(words)

    def _hyphens_inside(self, words: Sequence[str]) -> int:
        """Hyphenated words after the first, but for those that a known pair ties to the word before
        ("Large Language Model-Guided")."""
        pairs = pairwise(words)
        return sum(
            "-" in word and tuple(_stems(before)[-1:] + _stems(word)[:1]) not in self._pairs
            for before, word in pairs
        )

    def _ending(self, words: Sequence[str]) -> float:
        last = words[-1].rpartition("-")[2]
        if last in self._aliases:
            return 0.0
        if _NOUN_ENDING.search(last):
            return _NOUN_ENDS
        hyphenated = "-" in words[-1]
        return _MODIFIER_ENDS if hyphenated or _ADJECTIVE_ENDING.search(last) else 0.0

    def _alias(self, words: Sequence[str]) -> float:
        if len(words) == 1:
            return _ALIAS_ALONE if words[0] in self._aliases else 0.0
        score = _ALIAS_ENDS if words[-1] in self._aliases else 0.0
        for word, following in pairwise(words):
            if word in self._aliases and following not in _FUNCTION_WORDS:
                score += _ALIAS_INSIDE
        return score


def _key(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word.casefold() for word in words)


def _recurring(lines: Sequence[Sequence[str]]) -> Counter[tuple[str, ...]]:
    """In how many lines each run of words occurs."""
    counts: Counter[tuple[str, ...]] = Counter()
    for line in lines:
        if len(line) <= MAX_WORDS:
            counts.update({_key(line[i:j]) for i, j in _spans(len(line))})
    return counts


def _stems(text: str) -> list[str]:
    """Words in lower case without a plural's ending, so that "policies" and "Policy" are one."""
    return [re.sub(r"ies$", "y", word.casefold()).removesuffix("s") for word in _WORD.findall(text)]


def _pairs(stems: Sequence[str]) -> set[tuple[str, str]]:
    return {pair for pair in pairwise(stems) if not _FUNCTION_WORDS.intersection(pair)}
