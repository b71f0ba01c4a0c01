"""The explainer page dump."""

from __future__ import annotations

from pathlib import Path

import pytest

from index.errors import SourceError
from index.records import Explainer, Paper, Topic, title_id
from index.sources.base import Quarantined, Read
from index.sources.explainer_page import ExplainerPage

FIXTURE = Path(__file__).parents[2] / "fixtures" / "explainer_page.txt"


def read(path: Path) -> list[Read | Quarantined]:
    return list(ExplainerPage().read(path))


def page(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "page.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_topic_is_named_after_the_page_and_says_nothing_more() -> None:
    topic = read(FIXTURE)[0].record  # type: ignore[union-attr]
    assert topic == Topic(slug="graph-learning", name="Graph learning")


def test_explainer_has_the_sections_before_the_papers() -> None:
    explainer = read(FIXTURE)[1].record  # type: ignore[union-attr]
    assert isinstance(explainer, Explainer)
    assert (explainer.title, explainer.topic) == ("Graph learning", "Graph learning")
    assert [section.heading for section in explainer.sections] == ["What it is", "Why it matters"]
    assert explainer.sections[0].text.endswith("in rounds.\n\nTwo rounds see two steps far.")


def test_papers_have_headline_title_and_summary() -> None:
    found = [item.record for item in read(FIXTURE)[2:] if isinstance(item, Read)]
    assert found[0] == Paper(
        id=title_id("paper", "$W^2$: Counting Short Walks Is Enough"),
        title="$W^2$: Counting Short Walks Is Enough",
        headline="Counting Walks to Tell Trees Apart",
        summary="The paper counts short walks and tells apart trees that earlier models confuse.",
        tags=("Graph learning",),
    )
    assert len(found) == 2


@pytest.mark.parametrize(
    ("entry", "missing"),
    [("•\n  T\n\n  S.", "headline"), ("• H\n\n", "title"), ("• H\n  T\n", "summary")],
)
def test_incomplete_paper_is_quarantined_with_what_is_missing(
    tmp_path: Path, entry: str, missing: str
) -> None:
    path = page(tmp_path, f"P\n\nWhat\n\nText is here.\n\nWhere it appears\n\n{entry}\n• A\n  B\n\n  C.\n")
    bad, good = read(path)[2:]
    assert isinstance(bad, Quarantined)
    assert f"{missing} is missing" in bad.reason
    assert bad.line == 9
    assert isinstance(good, Read)


def test_page_without_sections_still_gives_its_papers(tmp_path: Path) -> None:
    found = read(page(tmp_path, "P\n\nWhere it appears\n\n• A\n  B\n\n  C.\n"))
    assert [type(item) for item in found] == [Read, Quarantined, Read]


def test_page_without_papers_says_so(tmp_path: Path) -> None:
    last = read(page(tmp_path, "P\n\nWhat\n\nText is here.\n\nWhere it appears\n"))[-1]
    assert isinstance(last, Quarantined)
    assert "papers" in last.reason


def test_file_of_another_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="Where it appears"):
        read(page(tmp_path, "prose"))


def test_matches_by_content_alone() -> None:
    assert ExplainerPage().matches(Path("x"), FIXTURE.read_bytes())
    assert not ExplainerPage().matches(FIXTURE, b"Where it appears\n\nnowhere")
