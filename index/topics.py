"""Which topics a record belongs to: by a tag its source gave, else by a match of name or alias."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from index.records import Record, Topic, slugify

How = Literal["tag", "match"]
LONGEST_NAME = 200
"""Characters of a name that becomes a topic: as many as its slug, which is an id, may have."""


def bare_topic(name: str) -> Topic:
    """Return the topic of which only a name is known. Raises `ValueError` where it cannot be one."""
    if not re.search(r"[^\W_]", name):
        raise ValueError(f"topic: expected a name with a letter or a digit, got {name[:40]!r}")
    try:
        if len(name) <= LONGEST_NAME:
            topic = Topic(slug=slugify(name), name=name)
            topic.model_dump_json()  # fails on half of a surrogate pair
            return topic
    except ValueError:
        pass
    raise ValueError(
        f"topic: expected a name of at most {LONGEST_NAME} characters of valid text, "
        f"got {len(name)}: {name[:40]!r}"
    )


def labels_of(topics: Iterable[Topic]) -> dict[str, str]:
    """Map the URL form of every slug, name and alias to the slug of its topic.

    A topic's own slug and name are its own, whatever topic has them for an alias.
    """
    ordered = sorted(topics, key=lambda topic: topic.slug)
    labels = {slugify(alias): topic.slug for topic in ordered for alias in topic.aliases if alias.strip()}
    labels |= {slugify(topic.name): topic.slug for topic in ordered}
    return labels | {slugify(topic.slug): topic.slug for topic in ordered}


class Membership:
    """Decides membership for a fixed set of topics.

    A topic's name matches in any case; an alias in upper case ("RL") only as written, since in
    lower case it may be another word. Both match whole words only.
    """

    def __init__(self, topics: Iterable[Topic]) -> None:
        topics = tuple(topics)
        self._labels = labels_of(topics)
        self._patterns = {topic.slug: _pattern((topic.name, *topic.aliases)) for topic in topics}

    def decides_as(self, other: Membership) -> bool:
        """Whether both find the same topics for every record."""
        return (self._labels, self._patterns) == (other._labels, other._patterns)

    def of(self, record: Record) -> dict[str, How]:
        """Map the slug of each topic the record belongs to, to how that is known."""
        if record.kind == "topic":
            return {record.slug: "tag"}
        tags: Sequence[str] = record.tags if record.kind == "paper" else (record.topic,)
        found: dict[str, How] = {}
        for tag in tags:
            slug = self._labels.get(slugify(tag)) if tag else None
            if slug is not None:
                found[slug] = "tag"
        text = "\n".join((record.title, *(text for _, _, text in record.fields())))
        for slug, pattern in self._patterns.items():
            if slug not in found and pattern.search(text):
                found[slug] = "match"
        return found


def _pattern(labels: Sequence[str]) -> re.Pattern[str]:
    forms = []
    for label in labels:
        words = [re.escape(word) for word in re.split(r"[\s-]+", label) if word]
        if words:
            form = r"[\s-]+".join(words)
            forms.append(form if label.isupper() else f"(?i:{form})")
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)" if forms else "(?!)")
