"""Papers that no longer stand as they are."""

from __future__ import annotations

from index.records import Explainer, Paper, Section
from rag.standing import standing_of


def paper(name: str, title: str = "On cats", **fields: object) -> Paper:
    return Paper.model_validate({"id": name, "title": title, "abstract": "Cats sleep.", **fields})


def test_a_retracted_paper_is_marked() -> None:
    assert standing_of([paper("a", retracted=True), paper("b")]) == {"a": "retracted"}


def test_an_earlier_version_is_superseded_by_a_later_one_of_the_same_title() -> None:
    versions = [paper("a", version="v9"), paper("b", version="v10"), paper("c", "On dogs", version="v1")]
    assert standing_of(versions) == {"a": "superseded"}


def test_one_title_without_versions_says_nothing() -> None:
    explainer = Explainer(id="e", title="On cats", sections=(Section(text="Cats sleep."),))
    assert standing_of([paper("a"), paper("b"), paper("c", version="v1"), explainer]) == {}
