"""The vocabulary: which words the stored texts hold, and which abbreviations they explain.

Two tables of the catalog, kept by the build. They are asked through SQL, a few rows at a time, so they
cost nothing when a program starts, and no more memory than the words beside misspelt ones need.
"""

from __future__ import annotations

import functools
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_lowercase
from typing import Any

from index.records import Record
from index.stores.lexical import analyze
from index.text.abbreviations import find_abbreviations
from index.text.hyphens import is_word

VOCABULARY_SCHEMA = """
-- Words and hyphenated compounds with their number of occurrences; `letters` is the word without hyphens.
CREATE TABLE IF NOT EXISTS words (
    initial TEXT NOT NULL, length INTEGER NOT NULL, letters TEXT NOT NULL, word TEXT NOT NULL,
    count INTEGER NOT NULL, PRIMARY KEY (initial, length, letters, word)) WITHOUT ROWID;
-- Abbreviations as terms of the lexical index, those of the long form in order; `spelt` as it was written.
CREATE TABLE IF NOT EXISTS abbreviations (
    short TEXT NOT NULL, long TEXT NOT NULL, record INTEGER NOT NULL, spelt TEXT NOT NULL,
    PRIMARY KEY (short, long, record)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS abbreviations_by_long ON abbreviations (long);
CREATE INDEX IF NOT EXISTS abbreviations_by_record ON abbreviations (record);
"""

SHORTEST, LONGEST = 3, 30
"""Letters of a word that is counted."""
MIN_COUNT = 2
"""Occurrences that a word needs to correct another, unless it is English: what stands once may be
misspelt itself."""
MAX_LONG_TERMS = 8
"""Terms of the longest long form kept."""
CACHED = 8_192

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")

Rows = Callable[[str, Sequence[Any]], list[Any]]


@dataclass(frozen=True, slots=True)
class Meaning:
    """A long form of an abbreviation: its terms in order, its spelling, and how many records explain it."""

    short: str
    long: tuple[str, ...]
    spelt: str
    records: int


class VocabularyChange:
    """What the records that come and go change in the vocabulary, and its writing."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._abbreviations: list[tuple[str, str, int, str]] = []

    def add(self, key: int, record: Record) -> None:
        """Count a record that will have this key."""
        for text in texts_of(record):
            self._counts.update(words_of(text))
            for found in find_abbreviations(text):
                short, long = analyze(found.short), analyze(found.long)
                if len(short) == 1 and 0 < len(long) <= MAX_LONG_TERMS and short != long:
                    self._abbreviations.append((short[0], " ".join(long), key, found.long.lower()))

    def remove(self, record: Record) -> None:
        """Count off a record that is stored. Its abbreviations go by its key."""
        for text in texts_of(record):
            self._counts.subtract(words_of(text))

    def write(self, db: sqlite3.Connection, gone: Iterable[int]) -> None:
        """Apply the change inside the caller's transaction; `gone` are the keys of records that go."""
        db.executemany("DELETE FROM main.abbreviations WHERE record = ?", [(key,) for key in gone])
        db.executemany("INSERT OR IGNORE INTO main.abbreviations VALUES (?, ?, ?, ?)", self._abbreviations)
        counts = Counter[str]()
        for word, count in self._counts.items():
            for part in {word, *word.split("-")}:
                if count and SHORTEST <= len(part) <= LONGEST:
                    counts[part] += count
        rows = ((*_place(word), word, count) for word, count in counts.items() if count)
        db.executemany(
            "INSERT INTO main.words VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (initial, length, letters, word) DO UPDATE SET count = count + excluded.count",
            rows,
        )
        db.execute("DELETE FROM main.words WHERE count <= 0")


class Vocabulary:
    """Read access to one generation's vocabulary through the catalog's `rows`. Thread-safe."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.holds: Callable[[str], bool] = functools.lru_cache(CACHED)(self._holds)
        self.nearest: Callable[[str, int], str | None] = functools.lru_cache(CACHED)(self._nearest)
        self._bucket: Callable[[str, int], tuple[list[str], list[int]]] = functools.lru_cache(CACHED)(
            self._read_bucket
        )
        self._beginning_with: Callable[[str], dict[str, list[tuple[str, str]]]] = functools.lru_cache(CACHED)(
            self._read_beginning_with
        )
        self.hyphenated: Callable[[str], str | None] = functools.lru_cache(CACHED)(self._hyphenated)
        self.meanings: Callable[[str, str | None], tuple[Meaning, ...]] = functools.lru_cache(CACHED)(
            self._meanings
        )

    def _holds(self, word: str) -> bool:
        """Whether the texts hold a word, in lower case, in just this form."""
        query = "SELECT 1 FROM words WHERE initial = ? AND length = ? AND letters = ? AND word = letters"
        return bool(self._rows(query, (word[:1], len(word), word)))

    def _nearest(self, word: str, errors: int) -> str | None:
        """Return the word that a misspelt one, in lower case, most likely stands for.

        The fewest errors (a letter added, left out, replaced, or two exchanged; at most `errors`) count
        first, then the number of occurrences. The first letter is taken to be right unless it was left
        out, or stands second.
        """
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        count = len(word)
        near: dict[str, tuple[int, int]] = {}  # errors, and occurrences downwards
        for initial, lengths in (
            (word[0], range(count - errors, count + errors + 1)),
            (word[1], range(count - 1, count + 1)),
        ):
            for length in lengths:
                words, counts = self._bucket(initial, length)
                found = process.extract(word, words, scorer=OSA.distance, score_cutoff=errors, limit=None)
                near.update((words[at], (distance, -counts[at])) for _, distance, at in found)
        if all(distance > 1 for distance, _ in near.values()):
            near.update((found, (1, -times)) for found, times in self._with_first_letter(word))
        for known in sorted(near, key=lambda known: (near[known], known)):
            if (-near[known][1] >= MIN_COUNT or is_word(known)) and not _is_inflected(word, known):
                return known
        return None

    def _read_bucket(self, initial: str, length: int) -> tuple[list[str], list[int]]:
        """Read the words with an initial and a length, and their occurrences."""
        rows = self._rows(
            "SELECT word, count FROM words WHERE initial = ? AND length = ? AND word = letters",
            (initial, length),
        )
        return [word for word, _ in rows], [count for _, count in rows]

    def _with_first_letter(self, word: str) -> list[tuple[str, int]]:
        """Return the words that a letter before this one makes, with their occurrences."""
        query = (
            "SELECT word, count FROM words WHERE (initial, length, letters) = (?, ?, ?) AND word = letters"
        )
        places = ((letter, len(word) + 1, letter + word) for letter in ascii_lowercase)
        return [row for place in places for row in self._rows(query, place)]

    def _hyphenated(self, word: str) -> str | None:
        """Return the most frequent compound with the word's letters: "off-policy" for "offpolicy"."""
        found = self._rows(
            "SELECT word FROM words WHERE initial = ? AND length = ? AND letters = ? AND word <> letters "
            "AND count >= ? ORDER BY count DESC, word LIMIT 1",
            (word[:1], len(word), word, MIN_COUNT),
        )
        return found[0][0] if found else None

    def _meanings(self, short: str, topic: str | None) -> tuple[Meaning, ...]:
        """Return what a term abbreviates in a topic, or anywhere if nothing there; frequent ones first."""
        # Most words abbreviate nothing, which takes a fraction of the time to find out.
        if not self._rows("SELECT 1 FROM abbreviations WHERE short = ? LIMIT 1", (short,)):
            return ()
        query = (
            "SELECT long, min(spelt), count(*) AS records FROM abbreviations a {join} WHERE short = ? "
            "GROUP BY long ORDER BY records DESC, long"
        )
        found: list[Any] = []
        if topic is not None:
            join = "JOIN membership m ON m.record = a.record AND m.topic = ?"
            found = self._rows(query.format(join=join), (topic, short))
        found = found or self._rows(query.format(join=""), (short,))
        return tuple(Meaning(short, tuple(long.split()), spelt, records) for long, spelt, records in found)

    def abbreviated(self, terms: Sequence[str]) -> list[tuple[str, str]]:
        """Return the (short, long) of the phrases in a sequence of terms that a text abbreviates.

        `long` are two terms or more, joined by blanks; sorted by it, then by `short`.
        """
        text = f" {' '.join(terms)} "
        possible = {
            pair for first, second in pairwise(terms) for pair in self._beginning_with(first).get(second, ())
        }
        return sorted((pair for pair in possible if f" {pair[1]} " in text), key=lambda pair: pair[::-1])

    def _read_beginning_with(self, term: str) -> dict[str, list[tuple[str, str]]]:
        """Map the second terms of long forms that begin with this one to the (short, long) of those."""
        query = "SELECT DISTINCT short, long FROM abbreviations WHERE long > ? AND long < ?"
        found: dict[str, list[tuple[str, str]]] = {}
        for short, long in self._rows(query, (f"{term} ", f"{term}!")):  # "!" is what follows a blank
            found.setdefault(long.split(" ", 2)[1], []).append((short, long))
        return found


def texts_of(record: Record) -> list[str]:
    """Return the texts of a record whose words count: its title, headings and fields."""
    fields = list(record.fields())
    headings = dict.fromkeys(heading for _, heading, _ in fields if heading)
    return [record.title, *headings, *(text for name, _, text in fields if name != "title")]


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, hyphenated compounds as one."""
    return _WORD.findall(text.lower())


def _is_inflected(word: str, known: str) -> bool:
    """Whether a word is a known one with an ending, rather than with a letter typed twice."""
    return word.startswith(known) and word[-1] != word[-2]


def _place(word: str) -> tuple[str, int, str]:
    letters = word.replace("-", "")
    return letters[0], len(letters), letters
