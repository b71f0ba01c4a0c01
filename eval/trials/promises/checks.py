"""What an answer promises, as checks of an answer that was given; each returns what it found broken.

A check reads the answer and the stored texts that it cites, and nothing else. An offset counts Unicode code
points, as everywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from rag.answer import Answer, AskRequest, Citation, SourceInfo

Found = Callable[[str], SourceInfo | None]
"""Returns a source by its id, or None where there is none."""


@dataclass(frozen=True, slots=True)
class Given:
    """An answer, what was asked, and where its sources are looked up."""

    request: AskRequest
    answer: Answer
    source: Found

    def text_of(self, citation: Citation) -> str | None:
        """Return the stored field that a citation quotes from."""
        source = self.source(citation.source_id)
        if source is None:
            return None
        if citation.field == "title":
            return source.title
        return next((field.text for field in source.fields if field.field == citation.field), None)


Check = Callable[[Given], Iterator[str]]

MARKER = re.compile(r"\[(\d+)\]")
_BETWEEN_MARKERS = re.compile(r"[\s.!?]*\Z")
# Whatever would load, lead away, run, or be taken for markup where an answer is rendered as Markdown or HTML.
_ACTIVE = re.compile(
    r"</?[a-z!]|&lt;|\]\(|\]:|!\[|://|www\.|javascript:|data:\w+/|```|^\s*#{1,6} |^\s*>|\|\s*-{3}"
    r"|\\href|\\url",
    re.IGNORECASE | re.MULTILINE,
)
_FOREIGN = re.compile(r"\[\^|\[\d+\s*[,–-]|【|†|[⁰¹²³⁴-⁹]{2}|\[e[0-9a-z]*\]|\[\]|\\cite")
_TURNS = re.compile(
    r"<\||\|>|</?think>|\[/?INST\]|^\s*(system|assistant|user)\s*:", re.IGNORECASE | re.MULTILINE
)


def dangling_markers(given: Given) -> Iterator[str]:
    """Every marker stands behind a sentence that cites the source it names, and every citation has one."""
    text, numbers = given.answer.answer, {source.n for source in given.answer.sources}
    marked: set[tuple[int, int]] = set()
    for match in MARKER.finditer(text):
        n = int(match[1])
        if any(one.start_index <= match.start() < one.end_index for one in given.answer.citations):
            yield f"{match[0]} stands within a cited sentence, as part of its words"
        if n not in numbers:
            yield f"{match[0]} names no source"
        ends = [
            one.end_index
            for one in given.answer.citations
            if one.n == n
            and one.end_index <= match.start()
            and _BETWEEN_MARKERS.match(MARKER.sub("", text[one.end_index : match.start()]))
        ]
        if not ends:
            yield f"{match[0]} stands behind no sentence that cites source {n}"
        marked.update((n, end) for end in ends)
    for citation in given.answer.citations:
        if (citation.n, citation.end_index) not in marked:
            yield f"the citation of source {citation.n} at {citation.end_index} has no marker"


def numbering(given: Given) -> Iterator[str]:
    """Numbers run 1, 2, 3 in order of first use, one a source, and citations agree with the sources."""
    answer = given.answer
    used = list(dict.fromkeys(int(match[1]) for match in MARKER.finditer(answer.answer)))
    if used != list(range(1, len(used) + 1)):
        yield f"numbers are first used in the order {used}"
    if [source.n for source in answer.sources] != used:
        yield f"sources are numbered {[source.n for source in answer.sources]}, used are {used}"
    ids = [source.id for source in answer.sources]
    if len(set(ids)) != len(ids):
        yield "a source has two numbers"
    named = {source.n: source.id for source in answer.sources}
    for citation in answer.citations:
        if named.get(citation.n) != citation.source_id:
            yield f"citation [{citation.n}] is of {citation.source_id}, source {citation.n} is another"


def inexact_quotes(given: Given) -> Iterator[str]:
    """Every quote is the stored text, character for character, and "quoted" sentences are their quotes."""
    for citation in given.answer.citations:
        stored = given.text_of(citation)
        start, end = citation.quote_start, citation.quote_end
        if stored is None:
            yield f"{citation.source_id} has no {citation.field}"
        elif not (0 <= start < end <= len(stored)) or stored[start:end] != citation.quote:
            yield f"the quote from {citation.source_id} is not {citation.field}[{start}:{end}]"
        if not citation.quote.strip():
            yield f"the quote from {citation.source_id} is empty"
        shown = given.answer.answer[citation.start_index : citation.end_index]
        if citation.support == "quoted" and shown != citation.quote:
            yield f"a sentence said to be quoted is not its quote: {shown!r}"


def spans(given: Given) -> Iterator[str]:
    """Every cited span is a span of words within the answer; two are the same, or apart."""
    length = len(given.answer.answer)
    found = sorted({(one.start_index, one.end_index) for one in given.answer.citations})
    for start, end in found:
        if not 0 <= start < end <= length:
            yield f"a cited span is {start}:{end} of {length}"
        elif not any(map(str.isalnum, given.answer.answer[start:end])):
            yield f"a cited span holds no words: {given.answer.answer[start:end]!r}"
    for (_, end), (start, _) in pairwise(found):
        if start < end:
            yield f"cited spans overlap at {start}"


def active_text(given: Given) -> Iterator[str]:
    """Nothing in an answer is markup, a link, an image, a foreign marker or another speaker's turn."""
    for pattern in (_ACTIVE, _FOREIGN, _TURNS):
        if match := pattern.search(given.answer.answer):
            yield f"the answer holds {match[0]!r}"


def hidden_characters(given: Given) -> Iterator[str]:
    """Nothing that is shown holds characters that nobody sees."""
    answer = given.answer
    shown = (
        answer.answer,
        *answer.followups,
        *answer.notices,
        answer.reason.message if answer.reason else "",
    )
    for text in (
        *shown,
        *(source.title for source in answer.sources),
        *(one.quote for one in answer.citations),
    ):
        for character in text:
            # Format, control, private and unassigned characters, and selectors of variants.
            hidden = unicodedata.category(character) in {"Cf", "Cc", "Co", "Cs", "Cn"} and character != "\n"
            if hidden or "\ufe00" <= character <= "\ufe0f":
                yield f"a hidden character U+{ord(character):04X}"
                break


def refusals(given: Given) -> Iterator[str]:
    """What is not answered has a reason and says nothing; what is answered says something and cites it."""
    answer = given.answer
    if answer.answered:
        if answer.reason is not None or answer.kind == "refusal":
            yield "an answer has a reason not to be one"
        if not answer.answer.strip() or not answer.citations:
            yield "an answer says or cites nothing"
    else:
        if answer.reason is None or not answer.reason.message.strip():
            yield "a refusal has no reason"
        if answer.answer or answer.citations or answer.sources or answer.kind != "refusal":
            yield "a refusal says or cites something"


def counted_records(given: Given) -> Iterator[str]:
    """What was counted exists, and "counted" is only what the catalog computed."""
    answer = given.answer
    supports = {citation.support for citation in answer.citations}
    if supports and {support == "counted" for support in supports} != {answer.kind == "catalog"}:
        yield f"an answer of kind {answer.kind} has support {sorted(supports)}"
    if answer.counted is not None:
        ids = answer.counted.ids
        if answer.counted.total < len(ids) or len(set(ids)) != len(ids):
            yield f"{answer.counted.total} were counted, {len(set(ids))} of {len(ids)} are named"
        gone = [one for one in ids if given.source(one) is None]
        if gone:
            yield f"a counted record does not exist: {gone[0]}"


def filters_held(given: Given) -> Iterator[str]:
    """Nothing is cited that the request's filters, or its number of sources, leave out."""
    filters, request = given.request.filters, given.request
    if len(given.answer.sources) > request.max_sources and (
        given.answer.kind != "catalog" or "max_sources" in request.model_fields_set
    ):
        yield f"{len(given.answer.sources)} sources are cited, {request.max_sources} were asked for"
    for source in given.answer.sources:
        if filters.from_ and (source.date is None or source.date < filters.from_):
            yield f"{source.id} is dated {source.date}, before {filters.from_}"
        if filters.to and (source.date is None or source.date > filters.to):
            yield f"{source.id} is dated {source.date}, after {filters.to}"
        if filters.kinds and source.kind not in filters.kinds:
            yield f"{source.id} is a {source.kind}"
        if filters.ids and source.id not in filters.ids:
            yield f"{source.id} is not among the ids asked for"
        for wanted, has in ((filters.authors, source.authors), (filters.venues, (source.venue,))):
            folded = {value.casefold() for value in has}
            if wanted and not any(value.casefold() in name for value in wanted for name in folded):
                yield f"{source.id} has none of {wanted}"


def repetition(given: Given) -> Iterator[str]:
    """No sentence of a source's is said twice."""
    if given.answer.kind == "catalog":  # two papers may have one title
        return
    said = [
        _bare(given.answer.answer[start:end])
        for start, end in {(one.start_index, one.end_index) for one in given.answer.citations}
    ]
    for sentence in {sentence for sentence in said if said.count(sentence) > 1 and sentence}:
        yield f"said twice: {sentence[:60]}"


def numbers_kept(given: Given) -> Iterator[str]:
    """No sentence of a source's holds a number that the passages cited for it lack."""
    passages: dict[tuple[int, int], list[str]] = {}
    for one in given.answer.citations:
        if one.support != "counted":
            passages.setdefault((one.start_index, one.end_index), []).append(one.quote)
    for (start, end), quotes in passages.items():
        sentence = given.answer.answer[start:end]
        passage = " ".join(quotes)
        worded = {_WORDED[word] for word in re.findall(r"[a-z]+", passage.lower()) if word in _WORDED}
        lost = _numbers(sentence) - _numbers(passage) - worded
        if lost:
            yield f"{sorted(lost)} of {sentence[:80]!r} stand in nothing that it cites"


_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORDED = {
    word: str(n)
    for n, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}


def _numbers(text: str) -> set[str]:
    """Return the numbers of a text that stand in digits, without separators of thousands."""
    return {found.replace(",", "") for found in _NUMBER.findall(unicodedata.normalize("NFKC", text))}


def round_trip(given: Given) -> Iterator[str]:
    """An answer survives being written as JSON and read."""
    if Answer.model_validate_json(given.answer.model_dump_json()) != given.answer:
        yield "the answer read from its JSON is another"


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


CHECKS: Mapping[str, Check] = {
    "dangling markers": dangling_markers,
    "numbering": numbering,
    "inexact quotes": inexact_quotes,
    "spans": spans,
    "active text": active_text,
    "hidden characters": hidden_characters,
    "refusals": refusals,
    "counted records": counted_records,
    "filters": filters_held,
    "repetition": repetition,
    "numbers": numbers_kept,
    "JSON": round_trip,
}
