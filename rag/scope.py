"""A request's topic and filters as a scope of the index."""

from __future__ import annotations

from index.errors import BadFilter
from index.records import Topic
from index.stores.lexical import Scope
from rag.answer import Filters


def scope_of(filters: Filters, topic: Topic | None) -> Scope:
    """Turn filters into a scope. Raises `BadFilter` if they can match nothing by construction."""
    if filters.from_ and filters.to and filters.from_ > filters.to:
        raise BadFilter(f"filters.from ({filters.from_}) is after filters.to ({filters.to}); swap them")
    for name, values in (("authors", filters.authors), ("venues", filters.venues), ("ids", filters.ids)):
        if any(not value.strip() for value in values):
            raise BadFilter(f"filters.{name} holds an empty value; leave it out")
    return Scope(
        topic=topic.slug if topic else None,
        date_from=filters.from_,
        date_to=filters.to,
        authors=filters.authors,
        venues=filters.venues,
        kinds=filters.kinds,
        ids=filters.ids,
    )
