"""What is cited, as the formats below need it."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from api.markup import web_url
from rag.answer import SourceInfo, SourceRef

_JOURNAL = re.compile(
    r"\b(journal|transactions|trans|letters|annals|review|nature|science|jmlr|tmlr)\b", re.I
)
_SMALL = frozenset("a an the on of for in to and with from by is are via towards toward".split())


@dataclass(frozen=True, slots=True)
class Reference:
    """A cited source. `is_whole` says that the authors are all of them."""

    id: str
    title: str
    authors: tuple[str, ...]
    is_whole: bool
    date: dt.date | None
    venue: str
    url: str

    @classmethod
    def of(cls, source: SourceRef | SourceInfo) -> Reference:
        total = source.authors_total
        return cls(
            id=source.id,
            title=" ".join(source.title.split()),
            authors=tuple(" ".join(name.split()) for name in source.authors if name.strip()),
            is_whole=total is None or total <= len(source.authors),
            date=source.date,
            venue=" ".join(source.venue.split()),
            url=web_url(source.url),
        )

    @property
    def is_journal(self) -> bool:
        return _JOURNAL.search(self.venue) is not None

    @property
    def key(self) -> str:
        """The key by which others cite it: `liu2025humanoid`."""
        author = _letters(self.authors[0].split()[-1]) if self.authors else ""
        words = [_letters(word) for word in re.findall(r"[\w'’-]+", self.title)]
        word = next((word for word in words if word and word not in _SMALL), "")
        year = str(self.date.year) if self.date else ""
        return f"{author}{year}{word}" or _letters(self.id) or "source"


def keys_of(references: Iterable[Reference]) -> list[str]:
    """Return a key for each, made unique by a letter behind those that are alike."""
    taken: set[str] = set()
    keys = []
    for reference in references:
        key, count = reference.key, 0
        while key in taken:
            count += 1
            key = f"{reference.key}{_suffix(count)}"
        taken.add(key)
        keys.append(key)
    return keys


def _suffix(count: int) -> str:
    letters = ""
    while count:
        count, rest = divmod(count - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def _letters(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", plain.lower())
