"""A topic's figures: how many papers, how many of them new, more or fewer than before."""

from __future__ import annotations

import datetime as dt
import json
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


def statistics_of(snapshot: Snapshot, keys: Sequence[int], today: dt.date) -> Statistics:
    """Compute the figures of papers, over the 28 days up to and including `today`."""
    last, previous = today, today - FOUR_WEEKS
    first = previous + dt.timedelta(1)
    whole = snapshot.catalog.rows(
        "SELECT count(*) FROM records WHERE kind = 'paper' AND date BETWEEN ? AND ?",
        (first.isoformat(), last.isoformat()),
    )
    return Statistics(
        first=first,
        last=last,
        recent=_dated(snapshot, keys, first, last),
        before=_dated(snapshot, keys, first - FOUR_WEEKS, previous),
        new_papers=int(whole[0][0]),
    )


def weekly(snapshot: Snapshot, topic: str, today: dt.date, weeks: int) -> list[tuple[dt.date, int]]:
    """Count a topic's papers by weeks of seven days, the last of which ends today; oldest first."""
    first = today - dt.timedelta(7 * weeks - 1)
    found = snapshot.catalog.rows(
        "SELECT CAST((julianday(r.date) - julianday(:first)) / 7 AS INTEGER) AS week, count(*) "
        "FROM membership m JOIN records r ON r.key = m.record "
        "WHERE m.topic = :topic AND r.kind = 'paper' AND r.date BETWEEN :first AND :last GROUP BY week",
        {"topic": topic, "first": first.isoformat(), "last": today.isoformat()},
    )
    counts = dict(found)
    return [(first + dt.timedelta(7 * week), counts.get(week, 0)) for week in range(weeks)]


def _dated(snapshot: Snapshot, keys: Sequence[int], first: dt.date, last: dt.date) -> tuple[int, ...]:
    found = snapshot.catalog.rows(
        "SELECT r.key FROM json_each(?) k JOIN records r ON r.key = k.value "
        "WHERE r.date BETWEEN ? AND ? ORDER BY k.key",
        (json.dumps(list(keys)), first.isoformat(), last.isoformat()),
    )
    return tuple(key for (key,) in found)


def _percent(value: float) -> str:
    return f"{value:.1f}%".replace(".0%", "%")
