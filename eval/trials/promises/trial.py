"""Asking an engine and checking what it gives: each answer whole, and the same in parts."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from types import TracebackType
from typing import Self

from eval.trials.promises.asking import Asking
from eval.trials.promises.checks import CHECKS, Check, Given
from eval.trials.promises.prose import uncited_sentences
from index.errors import AsktopicError, UnknownSource
from rag.answer import Answer, AskRequest, SourceInfo
from rag.engine import Engine
from rag.stream import Piece, SourcesKnown

ALL_CHECKS: Mapping[str, Check] = {"uncited sentences": uncited_sentences, **CHECKS}
_CACHED_SOURCES = 4_096


@dataclass(frozen=True, slots=True)
class Breach:
    """A promise that an answer broke."""

    promise: str
    what: str
    asking: Asking


@dataclass
class Tally:
    """What became of the requests of one kind."""

    asked: int = 0
    answered: int = 0
    refused: int = 0
    turned_away: int = 0
    written: int = 0
    """Answers that a model was asked to write."""
    seconds: float = 0.0
    breaches: list[Breach] = field(default_factory=list)
    supports: Counter[str] = field(default_factory=Counter)


class Trial:
    """Asks one engine and checks every answer. A context: it runs what is asynchronous in one loop.

    A request that is turned away with one of the contract's errors breaks no promise; any other exception
    does.
    """

    def __init__(self, engine: Engine, checks: Mapping[str, Check] = ALL_CHECKS) -> None:
        self.engine, self._checks = engine, checks
        self._runner = asyncio.Runner()
        self._executor = ThreadPoolExecutor(1)
        self.source = lru_cache(_CACHED_SOURCES)(self._source)

    def __enter__(self) -> Self:
        self._runner.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._runner.__exit__(kind, error, trace)
        self._executor.shutdown()

    def give(self, asking: Asking, tally: Tally, *, whole: bool = True) -> Answer | None:
        """Ask, check what comes, and count it; return the answer, if there is one.

        It is asked in parts and, with `whole`, at once too: both have to be the same.
        """
        tally.asked += 1
        began = time.perf_counter()
        try:
            answer, found = self._runner.run(self._in_parts(asking.request))
            if whole and _timeless(self.engine.ask(asking.request)) != _timeless(answer):
                found.append(("the same again", "asked once more, the answer is another"))
        except AsktopicError:
            tally.turned_away += 1
            return None
        except Exception as error:  # noqa: BLE001 - whatever it is, a reader would have met it
            tally.breaches.append(Breach("no crash", f"{type(error).__name__}: {error}", asking))
            return None
        tally.seconds += time.perf_counter() - began
        tally.answered += answer.answered
        tally.refused += not answer.answered
        tally.supports.update(citation.support for citation in answer.citations)
        tally.breaches += [Breach(promise, what, asking) for promise, what in found]
        tally.breaches += breaches(Given(asking.request, answer, self.source), asking, self._checks)
        return answer

    async def _in_parts(self, request: AskRequest) -> tuple[Answer, list[tuple[str, str]]]:
        """Ask for a stream; return its answer and what its parts broke."""
        parts = [part async for part in self.engine.stream(request, self._executor)]
        answer = parts[-1]
        assert isinstance(answer, Answer)
        return answer, [("stream", what) for what in parts_broken(parts, answer)]

    def _source(self, source_id: str) -> SourceInfo | None:
        try:
            return self.engine.source(source_id)
        except UnknownSource:
            return None


def breaches(given: Given, asking: Asking, checks: Mapping[str, Check] = ALL_CHECKS) -> Iterator[Breach]:
    """Run all checks of an answer."""
    for promise, check in checks.items():
        for what in check(given):
            yield Breach(promise, what, asking)


def parts_broken(parts: Sequence[object], answer: Answer) -> Iterator[str]:
    """A stream's pieces are the answer, its citations are too, and its sources are known before the words."""
    if sum(isinstance(part, Answer) for part in parts) != 1:
        yield "it ends in more than one answer"
    pieces = [part for part in parts if isinstance(part, Piece)]
    if "".join(piece.text for piece in pieces) != answer.answer:
        yield "the pieces are not the answer"
    cited = [citation for piece in pieces for citation in piece.citations]
    if Counter(cited) != Counter(answer.citations):
        yield "the citations of the pieces are not the answer's"
    known: set[int] = set()
    for part in parts:
        if isinstance(part, SourcesKnown):
            known = {source.n for source in part.sources}
        elif isinstance(part, Piece) and not {one.n for one in part.citations} <= known:
            yield "a source is cited before it is known"
    told = [part.sources for part in parts if isinstance(part, SourcesKnown)]
    if not told or told[-1] != answer.sources:
        yield "the sources told are not the answer's"


def _timeless(answer: Answer) -> Answer:
    return answer.model_copy(update={"timing_ms": {}})
