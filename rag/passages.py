"""Chunks read for answering: their sentences, with all about them that no question changes."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from index.records import Chunk, Record
from index.snapshot import Snapshot
from index.stores.lexical import analyze
from rag.findings import finding_score
from rag.orders import is_order
from rag.question import named_terms
from rag.voice import ages, speaks_for_its_paper
from rag.words import FUNCTION_WORDS

CACHED_PASSAGES = 2_048
"""Passages kept read: some 25 MB at ten sentences each."""
LONGER = 4
"""Characters that "with", "from" and the like, small in headings, do not exceed."""
OPENING = 6
"""Terms in which a definition names its subject: "Proximal policy optimization (PPO) is"."""
MIN_WORDS, MAX_CHARACTERS = 4, 700
"""Shorter is a fragment; longer is a table or a list that slipped through."""

# Text that would be taken for a marker, a link, an image or markup where the answer is rendered.
# Patterns of which every branch opens with a character of its own are searched for many times as fast.
_ACTIVE = re.compile(r"\[\s*\^?\d+(\s*[,–-]\s*\d+)*\s*\]|\]\s*\(|!\[|<[a-zA-Z/!]|`|\*\*")
_LINE_MARK = re.compile(r"\s*(#|>|[-*+]\s|\d+[.)]\s)")
# What frames a conversation with a model, and ends of comments: no paper says anything in such a form.
# The tokens of the chat formats in use (ChatML, Llama, Mistral, Gemma's are tags), and role headings.
_TURNS = re.compile(
    r"<\||\|>|\[/?(INST|SYS|SYSTEM|USER|ASSISTANT)\]|<</?SYS>>|-->|\]\]>|&lt;[a-z/!|]"
    r"|##+\s",
    re.I,
)
_ROLE = re.compile(r"(^|\n)\W*(system|assistant|user|human)\s*:", re.I)
_FORMULA = re.compile(r"\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL)
# Where to find code or pages: not what a paper says.
_ADDRESSES = (
    "http://",
    "https://",
    "www.",
    "github.com",
    "project page",
    "code is available",
    "code will be",
)
# What a course says to its reader about itself, rather than about its subject.
_GUIDANCE = re.compile(
    r"^(see|note|recall|remember|let['’]s|let us|click|check|before going|to recap)\b"
    r"|^(as|if) (we|you)\b"
    r"|\b(next|previous|this|following|first|second|last) (section|unit|chapter|page|tutorial|lesson|video)\b"
    r"|\bwe (first )?(have to|need to|will|are going to) (first )?"
    r"(introduce|see|discuss|explain|talk|look|study)\b"
    r"|\b(we|you)['’]ll (see|learn|discuss|work|explain|look|talk|study|focus|dive)\b"
    r"|\blet['’]s (see|look|take|go|move|start|talk|dive)\b|\bnow that (we|you)\b"
    r"|\bworth describing\b|\bthink about\b|\bblog post\b|\byou['’]re ready\b|\bconclude with\b"
)
_DANGLING = re.compile(
    r"^(it|its|this|these|those|they|their|such|he|she|both|here|then|instead|moreover|furthermore"
    r"|additionally|in addition|also|but|however|therefore|thus|hence|consequently|as a result|for this"
    r"|to this end|in contrast|on the other hand|nevertheless|yet|that|the (former|latter)|another|finally|so"
    r"|second|third|similarly)\b",
    re.I,
)
# Looked for in lowered text with a space before it, as in `rag.findings`.
_POINTS_BACK = re.compile(
    r"\W(?:for (this|these|that) (purposes?|reasons?)|to (this|these) ends?"
    r"|to (do|achieve) (this|so|it)"
    # "We address these", but not "X addresses this problem by …", which says how.
    r"|(address|resolv|solv|tackl|overcom|mitigat|handl|alleviat|bridg|fill)(e|ing)? (this|these|those))\b"
)
_INTRODUCES = re.compile(
    r"\b(?:we|paper|work|article)\s(?:\w+ly\s)?(?:introduces?|presents?|proposes?|develops?)\s"
    r"(?:[^.;]{0,60}?\s(?:called|named|termed|dubbed)\s|(?:(?:an?|the|novel|new|simple)\s)*)"
)
_DEFINES = re.compile(
    r"\b(is|are|refers? to|means?|denotes?|consists? of|describes?|(happens?|occurs?|arises?) when"
    r"|introduce[sd]?|presents?|proposes?|proposed|called|known as|named)\b"
)


@dataclass(frozen=True, eq=False)
class Sentence:
    """A sentence of a chunk.

    `start` and `end` are its half-open span in the field, `text` the characters there. `order` is
    its number in the chunk and `place` the same as a share, from 0, the first, to 1, the last.
    The rest is found out when asked for and kept: most sentences are set aside before.
    """

    order: int
    place: float
    start: int
    end: int
    text: str
    explains: bool

    @cached_property
    def lowered(self) -> str:
        return self.text.lower()

    @cached_property
    def is_quotable(self) -> bool:
        """Whether it can stand in an answer as it is, and says something about the subject."""
        return is_quotable(self.text) and not (self.explains and _GUIDANCE.search(self.lowered))

    @cached_property
    def is_order(self) -> bool:
        """Whether it tells its reader what to say: it is not weighed, quoted or handed to a model."""
        return is_order(self.text)

    @cached_property
    def sequence(self) -> tuple[str, ...]:
        """Its terms in order."""
        return tuple(analyze(self.text))

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(self.sequence)

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Its terms that stand side by side."""
        return frozenset(pairwise(self.sequence))

    @property
    def opening(self) -> tuple[str, ...]:
        """Its first terms, which in a definition hold what it defines."""
        return self.sequence[:OPENING]

    @cached_property
    def introduced(self) -> tuple[str, ...]:
        """Its first terms behind "we present", or "called" after that: the name of what it introduces."""
        match = _INTRODUCES.search(self.lowered)
        return tuple(analyze(self.text[match.end() :]))[:OPENING] if match else ()

    @cached_property
    def names(self) -> frozenset[str]:
        """Those of its terms that name something: "Atari", "PPO"; no plain numbers."""
        return frozenset(term for term in named_terms(self.text) if not term.isdigit())

    @cached_property
    def dangling(self) -> bool:
        """Whether it opens with a word, or holds a phrase, that only the sentence before explains."""
        return _DANGLING.match(self.text) is not None or _POINTS_BACK.search(f" {self.lowered}") is not None

    @cached_property
    def finding(self) -> float:
        """How much it looks like a finding, in [0, 1]."""
        return finding_score(self.text)

    @cached_property
    def defines(self) -> bool:
        """Whether it has a verb by which things are defined or introduced."""
        return _DEFINES.search(self.text) is not None

    @cached_property
    def attributed(self) -> bool:
        """Whether it needs the name of its paper before it: it speaks for that, or of its own time.

        An explainer speaks of its subject, and its "we" is the reader and the writer.
        """
        return not self.explains and (speaks_for_its_paper(self.text) or ages(self.text))


@dataclass(frozen=True, eq=False)
class Passage:
    """A chunk, its record, the terms of its title and heading in order, and its sentences."""

    record: Record
    chunk: Chunk
    context_sequence: tuple[str, ...]
    sentences: tuple[Sentence, ...]

    @cached_property
    def context(self) -> frozenset[str]:
        """The terms of its title and heading."""
        return frozenset(self.context_sequence)

    @cached_property
    def terms(self) -> frozenset[str]:
        """All its terms, those of its title and heading included."""
        return self.context.union(analyze(self.chunk.text))

    @cached_property
    def context_pairs(self) -> frozenset[tuple[str, str]]:
        """Those of them that stand side by side."""
        return frozenset(pairwise(self.context_sequence))


class PassageReader:
    """Reads passages of one snapshot, keeping those read last. Thread-safe."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.read: Callable[[int], Passage] = functools.lru_cache(CACHED_PASSAGES)(self._read)

    def _read(self, row: int) -> Passage:
        return read_passage(self._snapshot.record_of(row), self._snapshot.text_of(row))


def is_plain_name(name: str) -> bool:
    """Whether a title or a heading only names: one that gives orders, or would be active where it is shown,
    was made to be found."""
    return not (_ACTIVE.search(name) or is_order(name))


def read_passage(record: Record, chunk: Chunk) -> Passage:
    """Take a chunk of a record apart into its sentences."""
    last = max(len(chunk.sentences) - 1, 1)
    sentences = tuple(
        Sentence(
            order=order,
            place=order / last,
            start=start,
            end=end,
            text=chunk.text[start - chunk.start : end - chunk.start],
            explains=record.kind == "explainer",
        )
        for order, (start, end) in enumerate(_without_stray_quotes(chunk))
    )
    names = [name for name in (record.title, chunk.heading) if name and is_plain_name(name)]
    return Passage(record, chunk, tuple(analyze(" ".join(names))), sentences)


def _without_stray_quotes(chunk: Chunk) -> Iterator[tuple[int, int]]:
    """Leave out the quotation mark that some sources put behind a whole abstract: it opens nothing."""
    for start, end in chunk.sentences:
        text = chunk.text[start - chunk.start : end - chunk.start]
        stray = text.endswith('."') and text.count('"') % 2
        yield start, end - 1 if stray else end


def is_quotable(text: str) -> bool:
    """Whether a sentence can stand in an answer as it is: whole, and free of anything active."""
    words = text.split()
    if not (len(words) >= MIN_WORDS and len(text) <= MAX_CHARACTERS and text[-1] in '.!)”"’'):
        return False
    # The rest of a sentence that a displayed formula cut in two, or an aside.
    if words[0] in FUNCTION_WORDS or (text[0] == "(" and text[-1] == ")"):
        return False
    if not _is_balanced(_FORMULA.sub("", text)) or _is_heading(words):
        return False
    lowered = text.lower()
    return not (
        any(address in lowered for address in _ADDRESSES)
        or "†" in text  # a footnote that is not here, and the marker of other assistants
        or _ACTIVE.search(text)
        or _LINE_MARK.match(text)
        or _TURNS.search(text)
        or (":" in text and _ROLE.search(text))
    )


def _is_balanced(text: str) -> bool:
    """Whether brackets and quotation marks come in pairs: a cut sentence often has half a pair."""
    return (
        text.count("(") == text.count(")") and text.count("“") == text.count("”") and text.count('"') % 2 == 0
    )


def _is_heading(words: Sequence[str]) -> bool:
    """Whether every longer word begins with a capital: "Data Augmentation for Model-Free Methods."."""
    if not all(word[0].isupper() for word in words if len(word) > LONGER):
        return False
    return sum(len(word) > LONGER for word in words) >= MIN_WORDS - 1
