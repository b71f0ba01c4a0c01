"""What an earlier turn spoke of: the sources of its answer, which a question that leans on it is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from index.records import Paper, Record
from index.snapshot import Snapshot
from index.stores.lexical import Scope
from rag.answer import SourceRef, Turn
from rag.facts.records import find_paper
from rag.followup import resolve

NEAREST = 3
"""Sources taken where only the words of an earlier answer tell what it stood on."""

_MARKER = re.compile(r"\s*\[\d+\]")
_BULLET = re.compile(r"^\W*(?:[-*•]\s+|\d{1,2}[.)]\s+)?")
_AND = re.compile(r"[,;]\s*(?:and\s+|then\s+)?|\s+and\s+|\s+then\s+|[.\n]\s*")
_TITLE = re.compile(r"“([^”]+)”|\*([^*]+)\*")


class Antecedent:
    """The sources of the last turn's answer, in the order of their numbers; found when first asked for.

    The turn may name them by id, as the answer did. Else they are those that its question is answered from
    now, if that answer is the same; else what the text of the answer names in a list or by title; else the
    sources nearest to both texts. `answered` gives the answer's text and sources for the question of a turn
    after others, `nearest` the records nearest to a text.
    """

    def __init__(
        self,
        history: Sequence[Turn],
        snapshot: Snapshot,
        scope: Scope,
        answered: Callable[[Turn, Sequence[Turn]], tuple[str, Sequence[SourceRef]]],
        nearest: Callable[[str], Sequence[Record]],
    ) -> None:
        self._history, self._snapshot, self._scope = history, snapshot, scope
        self._answered, self._nearest = answered, nearest

    @cached_property
    def sources(self) -> tuple[Record, ...]:
        if not self._history:
            return ()
        *before, last = self._history
        if given := self._by_id(last.sources):
            return given
        text, cited = self._answered(last, before)
        again = self._by_id([source.id for source in cited])
        if not last.answer or _bare(text) == _bare(last.answer):
            return again
        if named := tuple(dict.fromkeys(self._named(last.answer))):
            return named
        found = self._nearest(self._said(self._history))[:NEAREST]
        return tuple({record.id: record for record in (*found, *again)}.values())

    def _said(self, turns: Sequence[Turn]) -> str:
        """The last turn's words, with those of the turns that it leans on."""
        *before, last = turns
        own = f"{last.question} {_MARKER.sub('', last.answer)}"
        return f"{self._said(before)} {own}" if before and resolve(last.question, before).is_after else own

    @property
    def paper(self) -> Paper | None:
        """The paper that the answer stood on first."""
        return next((record for record in self.sources if isinstance(record, Paper)), None)

    def _by_id(self, ids: Sequence[str]) -> tuple[Record, ...]:
        keys = (self._snapshot.catalog.record_key(each) for each in ids)
        return tuple(self._snapshot.record(key) for key in keys if key is not None)

    def _named(self, answer: str) -> Iterator[Record]:
        """Yield what a list, or an answer that introduces papers by their titles, names in that order."""
        entries = [entry for entry in _MARKER.split(answer) if any(map(str.isalnum, entry))]
        is_list = len(entries) > 1
        if not is_list:
            listed = [paper for part in _AND.split(answer) if (paper := self._titled(part)) is not None]
            if len(listed) > 1:
                yield from listed
                return
        for entry in entries if is_list else [answer]:
            titles = [first or second for first, second in _TITLE.findall(entry)]
            plain = _BULLET.sub("", entry.strip()).rstrip(" .,;")
            if not titles and not is_list:
                continue
            found = (self._titled(title) for title in (*titles, plain))
            named: Record | None = next((record for record in found if record is not None), None)
            if named is None and is_list:
                named = next(iter(self._nearest(plain)), None)
            if named is not None:
                yield named

    def _titled(self, title: str) -> Record | None:
        return find_paper(self._snapshot, title, self._scope)


def _bare(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
