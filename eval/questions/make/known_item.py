"""Known-item questions: each made from one stored paper, which is what should be found.

Made for speed and for a first look at a corpus without questions of its own; nobody asks in the words of
an abstract, so they say little about quality.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from eval.bench.questions import make_questions
from eval.questions.question import EvalQuestion
from index.errors import UnknownTopic
from index.records import Paper, slugify
from index.stores.catalog import Catalog
from index.topics import labels_of

CATEGORY = "known_item"


def stored_papers(catalog: Path, topic: str | None = None) -> tuple[list[Paper], str | None]:
    """Read the papers of a catalog, or of one of its topics, and the topic's slug.

    Raises `IndexMissing` where nothing is ingested, and `UnknownTopic`.
    """
    store = Catalog(catalog)
    try:
        if topic is None:
            keys = [key for (key,) in store.rows("SELECT key FROM records WHERE kind = 'paper' ORDER BY key")]
            slug = None
        else:
            slug = labels_of(store.topics()).get(slugify(topic))
            if slug is None:
                raise UnknownTopic(f"no topic is called {topic!r}; `asktopic topics` lists them")
            keys = store.members(slug, "paper")
        records = (store.record(key) for key in keys)
        return [record for record in records if isinstance(record, Paper)], slug
    finally:
        store.close()


def known_items(
    papers: Iterable[Paper], count: int, *, topic: str | None = None, seed: int = 0
) -> list[EvalQuestion]:
    """Return up to `count` questions, each with the paper that it was made from.

    Titles quoted, content words of titles shuffled, and inner sentences of abstracts come in turn. The same
    papers and seed give the same questions. `topic` is what they are asked inside of.
    """
    return [
        EvalQuestion(
            id=f"known-{number:05d}",
            question=made.text,
            topic=topic,
            category=f"{CATEGORY}_{made.form}",
            relevant={made.paper_id: 1},
            must_cite=(made.paper_id,),
            source="made from the stored papers",
        )
        for number, made in enumerate(make_questions(list(papers), count, seed), start=1)
    ]
