"""The lexical index: BM25 over titles, headings and text together, by tantivy.

One document a chunk. Terms are lower-cased, stripped of accents, folded to one spelling and stemmed
(English Snowball).
What a filter can name (topic, kind, date, author, venue, source) is indexed too, so that every
filter is applied inside the search and never after it.
"""

from __future__ import annotations

import datetime as dt
import functools
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any

import numpy as np
import tantivy
from numpy.typing import NDArray

from index.errors import IndexDamaged
from index.records import Kind
from index.stores.spelling import fold_spelling

LEXICAL_VERSION = "3"
"""Part of the fingerprint: raise it when a text gives other terms, or a document other fields."""
TITLE_TIMES, HEADING_TIMES = 2, 1
"""How often a title and a heading stand in the one field that is searched.
On the 809 training claims of SciFact, nDCG@10 of BM25 alone is 0.708 so, and at best 0.697 with fields
of their own, whose scores add up: a term in a short title weighs much by its length alone. A field that
holds everything is searched faster too."""
MAX_TERM_BYTES = 60
"""Longer runs of letters are no words; tantivy itself refuses terms beyond 65,530 bytes."""
WRITER_HEAP_BYTES = 64_000_000

_WORD = re.compile(r"[^\W_]+")
_ASCII_WORDS = {code: chr(code) if chr(code).isalnum() else " " for code in range(128)}
_MUST, _SHOULD = tantivy.Occur.Must, tantivy.Occur.Should


@dataclass(frozen=True, slots=True)
class LexicalDocument:
    """A chunk as the lexical index sees it. `key` is the chunk's number in the catalog."""

    key: int
    source_id: str
    kind: Kind
    title: str
    heading: str
    text: str
    topics: tuple[str, ...]
    authors: tuple[str, ...]
    venue: str
    date: dt.date | None


@dataclass(frozen=True, slots=True)
class Scope:
    """What may be found: values within one field combine with *or*, fields with *and*.

    `authors` and `venues` match whole words in order, anywhere in the name: "Haarnoja", "ICML".
    """

    topic: str | None = None
    date_from: dt.date | None = None
    date_to: dt.date | None = None
    authors: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    ids: tuple[str, ...] = ()

    @property
    def is_topic_only(self) -> bool:
        """Whether nothing but the topic, if any, restricts it."""
        restricted = (self.date_from, self.date_to, self.authors, self.venues, self.kinds, self.ids)
        return not any(restricted)

    @property
    def name(self) -> str | None:
        """What to remember the scope by if it will be asked again: a topic or everything."""
        if not self.is_topic_only:
            return None
        return "everything" if self.topic is None else f"topic {self.topic}"


@functools.cache
def _analyzer(*, stem: bool) -> Any:
    builder = (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(MAX_TERM_BYTES))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
    )
    return (builder.filter(tantivy.Filter.stemmer("english")) if stem else builder).build()


def analyze(text: str) -> list[str]:
    """Split text into the index's terms, in order, with repetitions."""
    # Word by word, since words recur and their terms can be kept: four times as fast as whole texts.
    # Text in ASCII, as nearly all is, is cut into the same words in a third of the pattern's time.
    words = text.translate(_ASCII_WORDS).split() if text.isascii() else _WORD.findall(text)
    return list(chain.from_iterable(map(_terms_of, words)))


@functools.lru_cache(100_000)
def _fold_word(word: str) -> str:
    return fold_spelling(word)


@functools.lru_cache(100_000)
def _terms_of(word: str) -> tuple[str, ...]:
    return tuple(_analyzer(stem=True).analyze(_fold_word(word)))


@functools.cache
def _schema() -> Any:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("key", indexed=True, fast=True)
    builder.add_text_field("text", tokenizer_name="english", index_option="freq")
    for name in ("source_id", "topic", "kind"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in ("author", "venue"):
        builder.add_text_field(name, tokenizer_name="names", index_option="position")
    builder.add_integer_field("date", indexed=True, fast=True)
    return builder.build()


def _with_analyzers(index: Any) -> Any:
    index.register_tokenizer("english", _analyzer(stem=True))
    index.register_tokenizer("names", _analyzer(stem=False))
    return index


class _Whole:
    """Turns what tantivy says of a missing or damaged file, inside a `with` block, into `IndexDamaged`.

    A class and no generator: a block is entered for every new word of a question.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, (ValueError, OSError)):
            reason = " ".join(str(error).split())[:200]
            raise IndexDamaged(
                f"the lexical index in {self._folder} is damaged ({reason}); run `asktopic ingest --rebuild`"
            ) from error


@contextmanager
def _readable(folder: Path) -> Iterator[Path]:
    """Give a folder in which tantivy can open the index: links to it where it may not be written.

    To open is to create a lock file. Once open, all files are mapped, and the links may go.
    """
    if os.access(folder, os.W_OK):
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="asktopic-") as links:
        for file in folder.iterdir():
            if file.suffix != ".lock":
                (Path(links) / file.name).symlink_to(file.absolute())
        yield Path(links)


class LexicalWriter:
    """Adds and deletes documents; nothing is visible before `commit`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        with _Whole(folder):
            self._index = _with_analyzers(tantivy.Index(_schema(), path=str(folder)))
            # One thread: the order of documents, and with it the order of ties, is the input's.
            self._writer = self._index.writer(WRITER_HEAP_BYTES, 1)

    def add(self, document: LexicalDocument) -> None:
        entry = tantivy.Document()
        entry.add_unsigned("key", document.key)
        entry.add_text("source_id", document.source_id)
        entry.add_text("kind", document.kind)
        for text in (
            *(document.title,) * TITLE_TIMES,
            *(document.heading,) * HEADING_TIMES,
            document.text,
        ):
            entry.add_text("text", _WORD.sub(lambda word: _fold_word(word[0]), text))
        for topic in document.topics:
            entry.add_text("topic", topic)
        for author in document.authors:
            entry.add_text("author", author)
        entry.add_text("venue", document.venue)
        if document.date is not None:
            entry.add_integer("date", document.date.toordinal())
        self._writer.add_document(entry)

    def delete(self, keys: Iterable[int]) -> None:
        # By query: a bare term would be taken for a signed number, which no unsigned key equals.
        self._writer.delete_documents_by_query(tantivy.Query.term_set_query(_schema(), "key", list(keys)))

    def commit(self) -> None:
        """Return once everything added and deleted is on disk and merges have ended."""
        self._writer.commit()
        self._writer.wait_merging_threads()


class LexicalIndex:
    """One whole, unchanging state of the index. Thread-safe. Raises `IndexDamaged`."""

    def __init__(self, folder: Path) -> None:
        self._whole = _Whole(folder)
        with self._whole, _readable(folder) as readable:
            self._searcher = _with_analyzers(tantivy.Index.open(str(readable))).searcher()
        self.documents: int = self._searcher.num_docs

    def search(
        self,
        terms: Sequence[str],
        scope: Scope,
        limit: int,
        *,
        also: Mapping[str, float] = MappingProxyType({}),
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return keys and BM25 scores of the best `limit` chunks that hold any of the terms, best first.

        The terms of `also` count by the factor given there.
        """
        asked = [_term("text", term, "freq") for term in dict.fromkeys(terms)]
        asked += [
            tantivy.Query.boost_query(_term("text", term, "freq"), weight) for term, weight in also.items()
        ]
        if not asked:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        query, clauses = _any_of(asked), _clauses(scope)
        if clauses:
            query = tantivy.Query.boolean_query([(_MUST, query), *clauses])
        return self._hits(query, limit)

    def matching(self, scope: Scope, holding: Sequence[str] = ()) -> NDArray[np.int64]:
        """Return the keys of all chunks in the scope that hold each of the terms, if any, ascending."""
        clauses = [(_MUST, tantivy.Query.term_query(_schema(), "text", term, "basic")) for term in holding]
        clauses += _clauses(scope)
        clauses = clauses or [(_MUST, tantivy.Query.all_query())]
        keys, _ = self._hits(tantivy.Query.boolean_query(clauses), max(self.documents, 1))
        return np.sort(keys)

    def document_frequency(self, term: str) -> int:
        """Count the chunks whose text, title or heading holds the term (as `analyze` gives it)."""
        with self._whole:
            count: int = self._searcher.doc_freq("text", term)
        return count

    def _hits(self, query: Any, limit: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        with self._whole:
            hits = self._searcher.search(query, limit, count=False).hits
            keys = self._searcher.fast_field_values("key", [address for _, address in hits])
        return np.array(keys, np.int64), np.array([score for score, _ in hits], np.float32)


def _clauses(scope: Scope) -> list[tuple[Any, Any]]:
    """Build one scoreless *must* clause for each restricted field."""
    alternatives: list[list[Any]] = []
    if scope.topic is not None:
        alternatives.append([_term("topic", scope.topic)])
    if scope.kinds:
        alternatives.append([_term("kind", kind) for kind in scope.kinds])
    if scope.ids:
        alternatives.append([_term("source_id", source_id) for source_id in scope.ids])
    if scope.authors:
        alternatives.append([_name("author", author) for author in scope.authors])
    if scope.venues:
        alternatives.append([_name("venue", venue) for venue in scope.venues])
    if scope.date_from is not None or scope.date_to is not None:
        first = scope.date_from.toordinal() if scope.date_from else None
        last = scope.date_to.toordinal() if scope.date_to else None
        alternatives.append(
            [tantivy.Query.range_query(_schema(), "date", tantivy.FieldType.Integer, first, last)]
        )
    return [(_MUST, tantivy.Query.const_score_query(_any_of(queries), 0.0)) for queries in alternatives]


def _any_of(queries: Sequence[Any]) -> Any:
    # One query as it is: tantivy is slower through a boolean query of one.
    return (
        queries[0]
        if len(queries) == 1
        else tantivy.Query.boolean_query([(_SHOULD, query) for query in queries])
    )


def _term(field: str, value: str, index_option: str = "basic") -> Any:
    return tantivy.Query.term_query(_schema(), field, value, index_option)


def _name(field: str, value: str) -> Any:
    words: list[Any] = _analyzer(stem=False).analyze(value)
    if not words:
        return tantivy.Query.empty_query()
    if len(words) == 1:
        return tantivy.Query.term_query(_schema(), field, words[0], "position")
    return tantivy.Query.phrase_query(_schema(), field, words)
