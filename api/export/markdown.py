"""An answer or a source as Markdown. Text of documents stays text: nothing in it can become markup."""

from __future__ import annotations

import re

from api.export.reference import Reference
from rag.answer import Answer, SourceInfo

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>#|~!&$^])")
_FORMULA = re.compile(r"\\\(.+?\\\)|\\\[.+?\\\]|\$\$.+?\$\$", re.DOTALL)
_LINE_START = re.compile(r"(?m)^(\s*)([-+]|\d+(?=[.)]))")


def answer_markdown(answer: Answer, page: str = "") -> str:
    """The question, the answer with its markers, what each marker quotes, and what produced it."""
    told = _told(answer) if answer.answered else escaped(answer.reason.message if answer.reason else "")
    references = []
    for source in answer.sources:
        quotes = dict.fromkeys(
            citation.quote
            for citation in answer.citations
            if citation.n == source.n and citation.quote != source.title
        )
        quoted = "".join(f"\n\n    > {escaped(' '.join(quote.split()))}" for quote in quotes)
        references.append(f"{source.n}. {reference_line(Reference.of(source))}{quoted}")
    parts = [
        f"# {escaped(' '.join(answer.question.split()))}",
        told,
        *(f"*{escaped(notice)}*" for notice in answer.notices),
        *(["## References", "\n\n".join(references)] if references else []),
        "---",
        _provenance(answer, page),
    ]
    return "\n\n".join(parts) + "\n"


def source_markdown(source: SourceInfo) -> str:
    """A source with its stored text, field by field."""
    parts = [f"# {escaped(source.title)}", reference_line(Reference.of(source), title=False)]
    if source.retracted:
        parts.append("**This paper has been retracted.**")
    for field in source.fields:
        parts += [*([f"## {escaped(field.heading)}"] if field.heading else []), escaped(field.text)]
    return "\n\n".join(filter(None, parts)) + "\n"


def reference_line(reference: Reference, *, title: bool = True) -> str:
    authors = ", ".join(reference.authors) + ("" if reference.is_whole else " et al.")
    about = [
        escaped(authors),
        f"*{escaped(reference.title)}*" if title else "",
        escaped(reference.venue),
        reference.date.isoformat() if reference.date else "",
        f"<{_address(reference.url)}>" if reference.url else "",
    ]
    return ". ".join(part.rstrip(".") for part in about if part)


def escaped(text: str) -> str:
    r"""Text in which Markdown sees no markup; formulas between `\(` and `\)` are kept as they are."""
    parts, start = [], 0
    for match in _FORMULA.finditer(text):
        parts += [_plain(text[start : match.start()]), match[0]]
        start = match.end()
    return "".join([*parts, _plain(text[start:])])


def _plain(text: str) -> str:
    return _LINE_START.sub(r"\1\\\2", _ACTIVE.sub(r"\\\1", text))


def _told(answer: Answer) -> str:
    """The answer, whose own words are Markdown already, with what is cited escaped."""
    parts, start = [], 0
    spans = {(citation.start_index, citation.end_index) for citation in answer.citations}
    for first, end in sorted(spans):
        if first < start:  # inside one that was taken already
            continue
        parts += [answer.answer[start:first], escaped(answer.answer[first:end])]
        start = end
    return "".join([*parts, answer.answer[start:]])


def _provenance(answer: Answer, page: str) -> str:
    made = answer.provenance
    told = f"asktopic {made.version}, {made.answerer}, index {made.index}, answer {answer.id}"
    return f"{escaped(told)}" + (f", <{_address(page)}>" if page else "")


def _address(url: str) -> str:
    return url.replace("<", "%3C").replace(">", "%3E").replace(" ", "%20").replace("\n", "")
