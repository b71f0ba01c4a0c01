"""A topic's figures: how many papers, how many of them new, more or fewer than before."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from index.records import Topic
from index.snapshot import Snapshot

FOUR_WEEKS = dt.timedelta(days=28)


@dataclass(frozen=True, slots=True)
class Statistics:
    """Papers of a selection in the four weeks up to and including `last`, and in the four weeks before.

    `recent` and `before` are keys of records, newest first; `new_papers` counts those of all topics that are
    dated in the same four weeks as `recent`.
    """

    first: dt.date
    last: dt.date
    recent: tuple[int, ...]
    before: tuple[int, ...]
    new_papers: int

    @property
    def change(self) -> float | None:
        """By how much more there are than before, in percent; None where there were none."""
        return 100 * (len(self.recent) - len(self.before)) / len(self.before) if self.before else None

    @property
    def share(self) -> float | None:
        """Their share of all new papers, in percent; None where there are none."""
        return 100 * len(self.recent) / self.new_papers if self.new_papers else None

    def recent_sentence(self) -> str:
        count = f"{len(self.recent):,}" if self.recent else "None"
        are = "is" if len(self.recent) == 1 else "are"
        if self.change is None:
            change = ""
        elif self.change == 0:
            change = ", no change"
        else:
            change = f", {'up' if self.change > 0 else 'down'} {_percent(abs(self.change))}"
        return (
            f"{count} of them {are} dated in the four weeks from {self.first.isoformat()} to "
            f"{self.last.isoformat()}, against {len(self.before):,} in the four weeks before{change}."
        )

    def share_sentence(self) -> str:
        assert self.share is not None  # where there are recent ones, there are new ones
        return f"That is {_percent(self.share)} of the {self.new_papers:,} papers of all topics dated so."

    @staticmethod
    def published_sentence(topic: Topic) -> str:
        """Say what the topic's own page published, which need not be what this index counts."""
        told = topic.statistics
        if told is None:
            return ""
        parts = [
            f"{told.papers:,} papers" if told.papers is not None else "",
            f"{told.papers_last_four_weeks:,} in its last four weeks"
            if told.papers_last_four_weeks is not None
            else "",
            f"a change of {told.change_percent:+g}%" if told.change_percent is not None else "",
            f"{told.share_of_new_papers_percent:g}% of all new papers"
            if told.share_of_new_papers_percent is not None
            else "",
        ]
        given = ", ".join(filter(None, parts))
        published = "The topic's own page published other figures, over its own collection"
        return f"{published}: {given}." if given else ""


Dated = Sequence[tuple[int, str | None]]
"""Keys of papers with their ISO dates, newest first."""


def statistics_of(snapshot: Snapshot, keys: Sequence[int], today: dt.date) -> Statistics:
    """Compute the figures of papers, over the 28 days up to and including `today`."""
    found = snapshot.catalog.rows(
        "SELECT k.value, r.date FROM json_each(?) k JOIN records r ON r.key = k.value ORDER BY k.key",
        (json.dumps(list(keys)),),
    )
    return statistics_of_dated(snapshot, found, today)


def statistics_of_dated(snapshot: Snapshot, papers: Dated, today: dt.date) -> Statistics:
    """Compute the figures of papers whose dates are known."""
    last, previous = today, today - FOUR_WEEKS
    first = previous + dt.timedelta(1)
    whole = snapshot.catalog.rows(
        "SELECT count(*) FROM records WHERE kind = 'paper' AND date BETWEEN ? AND ?",
        (first.isoformat(), last.isoformat()),
    )
    return Statistics(
        first=first,
        last=last,
        recent=_between(papers, first, last),
        before=_between(papers, first - FOUR_WEEKS, previous),
        new_papers=int(whole[0][0]),
    )


def weekly(papers: Dated, today: dt.date, weeks: int) -> list[tuple[dt.date, int]]:
    """Count papers by weeks of seven days, the last of which ends today; oldest first."""
    first = today - dt.timedelta(7 * weeks - 1)
    counts = Counter(
        (dt.date.fromisoformat(date) - first).days // 7
        for _, date in papers
        if date and first.isoformat() <= date <= today.isoformat()
    )
    return [(first + dt.timedelta(7 * week), counts[week]) for week in range(weeks)]


def _between(papers: Dated, first: dt.date, last: dt.date) -> tuple[int, ...]:
    return tuple(key for key, date in papers if date and first.isoformat() <= date <= last.isoformat())


def _percent(value: float) -> str:
    return f"{value:.1f}%".replace(".0%", "%")
