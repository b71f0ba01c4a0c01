"""An answer as a model writes it: told sentence by sentence, each checked before it is shown.

Whatever the server does, the reader gets an answer: where nothing that was written can be shown, the one
made of quotes, with a notice that says why.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from concurrent.futures import Executor

from rag.answer import Answer, Checked, Citation, Related, SourceRef, Usage
from rag.draft import Draft, Material
from rag.evidence import Evidence
from rag.generate.checking import Checker, Shown
from rag.generate.client import ModelClient, ModelFailed, Trouble
from rag.generate.handing import Handed, hand_over
from rag.generate.prompt import (
    CANNOT,
    MOST_ASKED,
    PROMPT_VERSION,
    Form,
    messages_for,
    response_format,
)
from rag.generate.reply import ReplyReader, Written
from rag.sources import source_ref
from rag.stream import AnswerPart, Piece, SourcesKnown, parts_of
from rag.verify import Verifier

GENERATIVE = "generative/1"
"""Names the way replies are checked, in `provenance`; raised when the same reply gives another answer."""
ENOUGH = 2
"""Sentences shown below which an answer that broke off goes on in quotes."""
MOST_WRITTEN = 3 * MOST_ASKED
"""Sentences read of a reply at most."""

NOTICES: dict[Trouble | str, str] = {
    "unreachable": "The language model could not be reached, so this answer is made of quotes.",
    "refused": "The language model refused the request, so this answer is made of quotes.",
    "rate_limited": "The language model is at its limit, so this answer is made of quotes.",
    "slow": "The language model took too long, so this answer is made of quotes.",
    "broken": "The language model failed, so this answer is made of quotes.",
    "budget": "Today's budget for the language model is spent, so this answer is made of quotes.",
    "resting": "The language model has failed several times, so this answer is made of quotes.",
    "nothing": "Nothing that the language model wrote is supported by the sources, so this answer is made of "
    "quotes.",
    "cannot": "The language model found no answer in the sources; this is what they say that comes nearest.",
}
BROKE_OFF = "The language model broke off before its end."
LEFT_OUT = (
    "{} written by the language model {} not supported by the sources and {} left out or replaced by quotes."
)


async def write(
    draft: Draft,
    material: Material,
    client: ModelClient,
    verifier: Verifier,
    executor: Executor | None = None,
) -> AsyncGenerator[AnswerPart]:
    """Tell an answer as the model writes it; the last part is the whole of it.

    Checking takes the processor, in `executor`. Closing the iterator closes the connection to the model.
    """
    started = time.perf_counter()
    handed = hand_over(material, client.settings.evidence_tokens)
    if not handed.by_id:
        for part in parts_of(draft.answer):
            yield part
        return
    reading = _reading(handed)
    telling = _Telling(draft.answer, material, Checker(verifier, handed), reading)
    yield SourcesKnown((), reading)
    form: Form = "structured" if client.knows_schema else "plain"
    messages = messages_for(material, handed, form)
    trouble: Trouble | str | None = None
    usage = Usage()
    loop = asyncio.get_running_loop()
    try:
        async with client.reply(messages, response_format() if form == "structured" else None) as reply:
            async for sentence in _sentences(reply.pieces):
                usage = reply.usage
                if _is_refusal(sentence):
                    trouble = "cannot"
                    break
                shown = await loop.run_in_executor(executor, telling.check, sentence)
                if shown is not None:
                    for part in telling.add(shown, paragraph=sentence.paragraph):
                        yield part
                if telling.checked.written >= MOST_WRITTEN or telling.shown >= MOST_ASKED:
                    break
            usage = reply.usage
    except ModelFailed as failed:
        trouble = failed.trouble
    elapsed = round((time.perf_counter() - started) * 1000, 3)
    if telling.shown == 0:
        answer = telling.quoted(NOTICES[trouble or "nothing"], usage, elapsed)
        for part in parts_of(answer):
            yield part
        return
    if trouble and telling.shown < ENOUGH:
        for evidence in material.quoted:
            if telling.shown < ENOUGH and (shown := telling.checker.quote(evidence)):
                for part in telling.add(shown, paragraph=False):
                    yield part
    yield telling.whole(client.name, verifier.model, usage, elapsed, broke_off=trouble is not None)


async def _sentences(pieces: AsyncIterator[str]) -> AsyncIterator[Written]:
    reader = ReplyReader()
    async for piece in pieces:
        for sentence in reader.feed(piece):
            yield sentence
    for sentence in reader.end():
        yield sentence


class _Telling:
    """What has been told of an answer so far."""

    def __init__(
        self, draft: Answer, material: Material, checker: Checker, reading: Sequence[Related]
    ) -> None:
        self._draft, self._material, self.checker = draft, material, checker
        self._text = ""
        self._citations: list[Citation] = []
        self._groups: dict[str, list[Evidence]] = {}
        self._scores = {source.id: source.score for source in reading}
        self.checked = Checked()
        self.shown = 0

    def check(self, sentence: Written) -> Shown | None:
        shown = self.checker.check(sentence)
        outcome = shown.outcome if shown else "dropped"
        counts = self.checked.model_dump()
        counts["written"] += 1
        counts[outcome] += 1
        self.checked = Checked(**counts)
        return shown

    def add(self, shown: Shown, *, paragraph: bool) -> list[AnswerPart]:
        """Append a sentence with its markers; return the parts that tell it."""
        separator = ("\n\n" if paragraph else " ") if self._text else ""
        start = len(self._text) + len(separator)
        known = len(self._groups)
        numbers = []
        for evidence, _, _ in shown.quotes:
            self._groups.setdefault(evidence.source_id, []).append(evidence)
            # Fixed when the source is told, whatever of it is cited later.
            self._scores.setdefault(evidence.source_id, round(evidence.score, 4))
            numbers.append(list(self._groups).index(evidence.source_id) + 1)
        markers = " ".join(f"[{n}]" for n in dict.fromkeys(numbers))
        piece = f"{separator}{shown.text} {markers}"
        citations = tuple(
            _cite(evidence, first, last, n, start, shown)
            for n, (evidence, first, last) in zip(numbers, shown.quotes, strict=True)
        )
        self._text += piece
        self._citations += citations
        self.shown += 1
        parts: list[AnswerPart] = [Piece(piece, citations)]
        return [SourcesKnown(self._sources()), *parts] if len(self._groups) > known else parts

    def _sources(self) -> tuple[SourceRef, ...]:
        return tuple(
            source_ref(n, group[0].passage.record, self._scores[source])
            for n, (source, group) in enumerate(self._groups.items(), start=1)
        )

    def quoted(self, notice: str, usage: Usage, elapsed: float) -> Answer:
        """The answer made of quotes, with why it is."""
        draft = self._draft
        timing = {**draft.timing_ms, "write": elapsed, "total": draft.timing_ms.get("total", 0.0) + elapsed}
        return draft.model_copy(
            update={
                "notices": (notice, *draft.notices),
                "usage": usage,
                "checked": self.checked if self.checked.written else None,
                "timing_ms": timing,
            }
        )

    def whole(
        self, model: str, entailment: str | None, usage: Usage, elapsed: float, *, broke_off: bool
    ) -> Answer:
        draft, material = self._draft, self._material
        cited = set(self._groups)
        parts = (model, f"prompt {PROMPT_VERSION}", *([entailment] if entailment else []))
        provenance = draft.provenance.model_copy(update={"answerer": f"{GENERATIVE} ({', '.join(parts)})"})
        # A model may answer otherwise the next time: an id names what it wrote.
        named = f"{draft.id}\0{provenance.answerer}\0{self._text}".encode()
        timing = {**draft.timing_ms, "write": elapsed, "total": draft.timing_ms.get("total", 0.0) + elapsed}
        return draft.model_copy(
            update={
                "id": "ans-" + hashlib.blake2b(named, digest_size=10).hexdigest(),
                "answer": self._text,
                "citations": tuple(self._citations),
                "sources": self._sources(),
                "notices": (
                    *([BROKE_OFF] if broke_off else []),
                    *self._left_out(),
                    *material.notices(list(self._groups.values())),
                ),
                "related": material.related(cited),
                "followups": material.followups(cited),
                "usage": usage,
                "checked": self.checked,
                "timing_ms": timing,
                "provenance": provenance,
            }
        )

    def _left_out(self) -> list[str]:
        count = self.checked.replaced + self.checked.dropped
        if not count:
            return []
        one = count == 1
        told = "1 sentence" if one else f"{count} sentences"
        return [LEFT_OUT.format(told, "was" if one else "were", "was" if one else "were")]


def _cite(evidence: Evidence, first: int, last: int, n: int, start: int, shown: Shown) -> Citation:
    sentence, chunk = evidence.sentence, evidence.passage.chunk
    return Citation(
        n=n,
        source_id=evidence.source_id,
        start_index=start,
        end_index=start + len(shown.text),
        quote=sentence.text[first:last],
        chunk_id=chunk.id,
        field=chunk.field,
        quote_start=sentence.start + first,
        quote_end=sentence.start + last,
        support=shown.support,
        score=round(evidence.score, 4),
    )


def _reading(handed: Handed) -> tuple[Related, ...]:
    """The sources whose sentences the model is given."""
    return tuple(
        Related(
            id=record.id,
            kind=record.kind,
            title=record.title,
            date=record.date,
            url=record.url,
            score=round(max(evidence.score for _, evidence in group), 4),
        )
        for group in handed.sources()
        for record in [group[0][1].passage.record]
    )


def _is_refusal(sentence: Written) -> bool:
    return _letters(CANNOT) in _letters(sentence.text)


def _letters(text: str) -> str:
    return re.sub(r"\W+", " ", text.casefold()).strip()
