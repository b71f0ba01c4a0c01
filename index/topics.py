"""Which topics a record belongs to: by a tag its source gave, else by a match of name or alias."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from index.records import Record, Topic, slugify

How = Literal["tag", "match"]


class Membership:
    """Decides membership for a fixed set of topics.

    A topic's name matches in any case; an alias in upper case ("RL") only as written, since in
    lower case it may be another word. Both match whole words only.
    """

    def __init__(self, topics: Iterable[Topic]) -> None:
        self._topics = tuple(topics)
        # What decides membership: equal labels give equal membership.
        self.labels: dict[str, str] = {
            slugify(label): topic.slug
            for topic in self._topics
            for label in (*topic.aliases, topic.name, topic.slug)
        }
        self._patterns = [(topic.slug, _pattern((topic.name, *topic.aliases))) for topic in self._topics]

    def of(self, record: Record) -> dict[str, How]:
        """Map the slug of each topic the record belongs to, to how that is known."""
        if record.kind == "topic":
            return {record.slug: "tag"}
        tags: Sequence[str] = record.tags if record.kind == "paper" else (record.topic,)
        found: dict[str, How] = {}
        for tag in tags:
            slug = self.labels.get(slugify(tag)) if tag else None
            if slug is not None:
                found[slug] = "tag"
        text = "\n".join((record.title, *(text for _, _, text in record.fields())))
        for slug, pattern in self._patterns:
            if slug not in found and pattern.search(text):
                found[slug] = "match"
        return found


def _pattern(labels: Sequence[str]) -> re.Pattern[str]:
    forms = []
    for label in labels:
        words = r"[\s-]+".join(re.escape(word) for word in label.split())
        forms.append(words if label.isupper() else f"(?i:{words})")
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")
