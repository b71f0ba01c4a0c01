"""The starter set: valid records, facts that its sources bear out, and prose of its own."""

from __future__ import annotations

import functools
import json
import lzma
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from pydantic import TypeAdapter

from index.records import AnyRecord, Paper, Record, Topic, title_id

STARTER = files("index") / "starter"
# As many words in a row as two writers seldom share by chance: names and stock phrases are shorter.
RUN = 8
DATE_LINE = re.compile(r"^[A-Z][a-z]{2} \d{1,2}, \d{4}$", re.MULTILINE)
# A digit right after a letter belongs to a name (A3C, TD3, Qwen2.5), not to a finding.
NUMBER = re.compile(r"(?<![A-Za-z\d.])\d+(?:,\d{3})*(?:\.\d+)?")


@functools.cache
def records() -> tuple[Record, ...]:
    adapter: TypeAdapter[Record] = TypeAdapter(AnyRecord)
    lines = (STARTER / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(adapter.validate_json(line) for line in lines)


def papers() -> tuple[Paper, ...]:
    return tuple(r for r in records() if isinstance(r, Paper))


def explainer() -> tuple[dict[str, str], str]:
    """Return the front matter and the body of the explainer."""
    _, front, body = (STARTER / "explainer.md").read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(front), body


def sections(body: str) -> list[tuple[str, str]]:
    parts = re.split(r"^## (.+)$", body, flags=re.MULTILINE)
    assert not parts[0].strip(), "text before the first heading would be a section without a name"
    return list(zip(parts[1::2], parts[2::2], strict=True))


def own_prose() -> Iterator[tuple[str, str]]:
    """Yield (where, text) of everything written for the starter set; titles are facts, not prose."""
    for record in records():
        if isinstance(record, Paper):
            yield record.id, f"{record.headline}. {record.summary}"
        elif isinstance(record, Topic):
            yield record.id, record.description
    for heading, text in sections(explainer()[1]):
        # A formula is notation that all authors share; what stands around it is prose.
        yield f"explainer: {heading}", re.sub(r"\$[^$]+\$", "FORMULA", text)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def runs(text: str) -> set[tuple[str, ...]]:
    w = words(text)
    return {tuple(w[i : i + RUN]) for i in range(len(w) - RUN + 1)}


@functools.cache
def paper_sources(shared_data: Path) -> dict[str, str]:
    """The text each summary was written from: title, abstract and one-line summary by paper id."""
    wanted = {paper.id for paper in papers()}
    sources: dict[str, str] = {}
    with lzma.open(shared_data / "papers.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            if line[8 : line.index('"', 8)] in wanted:  # lines begin {"id": "…
                row = json.loads(line)
                sources[row["id"]] = f"{row['title']}\n{row['abstract']}\n{row.get('tldr') or ''}"
    for page in (shared_data / "seeds").glob("*.txt"):
        for block in DATE_LINE.split(page.read_text(encoding="utf-8")):
            title = block.strip().partition("\n")[0]
            if title and (id_ := title_id("paper", title)) in wanted:
                sources[id_] = block
    return sources


def numbers(text: str) -> set[str]:
    return {n.replace(",", "") for n in NUMBER.findall(text)}


def test_the_topic_comes_first_and_carries_its_alias() -> None:
    first = records()[0]
    assert isinstance(first, Topic)
    assert (first.slug, first.aliases) == ("reinforcement-learning", ("RL",))
    assert 3 <= len(re.findall(r"\.(?:\s|$)", first.description)) <= 5


def test_every_record_round_trips() -> None:
    adapter: TypeAdapter[Record] = TypeAdapter(AnyRecord)
    for record in records():
        assert adapter.validate_json(record.model_dump_json()) == record


def test_ids_are_unique() -> None:
    ids = [record.id for record in records()] + [explainer()[0]["id"]]
    assert len(ids) == len(set(ids))


def test_there_are_about_sixty_papers() -> None:
    assert 58 <= len(papers()) <= 66


@pytest.mark.parametrize("paper", papers(), ids=lambda p: p.id)
def test_a_paper_is_complete(paper: Paper) -> None:
    assert paper.title == " ".join(paper.title.split())
    assert paper.date is not None
    assert paper.authors
    assert len(set(paper.authors)) == len(paper.authors)
    assert paper.authors_total is not None
    assert paper.authors_total >= len(paper.authors)
    assert paper.tags[0] == "Reinforcement Learning"
    assert 2 <= len(paper.tags) <= 4
    assert 1 <= len(paper.headline.split()) <= 8
    assert not paper.abstract, "abstracts belong to their authors and are not shipped"
    if not paper.url:
        assert paper.id == title_id("paper", paper.title)


@pytest.mark.parametrize("paper", papers(), ids=lambda p: p.id)
def test_a_summary_is_three_to_six_sentences_that_stand_alone(paper: Paper) -> None:
    sentences = re.split(r"(?<=\.)(?<!\bDr\.) (?=[A-Z])", paper.summary)
    assert 3 <= len(sentences) <= 6
    assert not [s for s in sentences if re.match(r"(?:It|They|This|That) |These (?:are|were) ", s)]


def test_the_explainer_has_its_front_matter_and_sections() -> None:
    front, body = explainer()
    assert front == {
        "title": "Reinforcement learning",
        "topic": "Reinforcement Learning",
        "id": "explainer-reinforcement-learning",
    }
    assert 9 <= len(sections(body)) <= 13
    for heading, text in sections(body):
        assert 2 <= len(text.strip().split("\n\n")) <= 5, heading
    assert body.count("$") % 2 == 0
    assert "$$" not in body


def test_every_paper_has_a_known_source(shared_data: Path) -> None:
    assert {paper.id for paper in papers()} == set(paper_sources(shared_data))


@pytest.mark.parametrize("paper", papers(), ids=lambda p: p.id)
def test_numbers_of_a_summary_stand_in_its_source(paper: Paper, shared_data: Path) -> None:
    assert numbers(paper.summary) <= numbers_in_source(paper_sources(shared_data)[paper.id])


def numbers_in_source(text: str) -> set[str]:
    """Numbers of a source, also those glued to a letter ("33M", "H^3")."""
    return {n.replace(",", "") for n in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?", text)}


def test_no_run_of_words_is_copied(shared_data: Path) -> None:
    explainers = [
        p.read_text(encoding="utf-8") for p in (shared_data / "explainers").rglob("*") if p.is_file()
    ]
    seeds = [p.read_text(encoding="utf-8") for p in (shared_data / "seeds").glob("*.txt")]
    theirs = set[tuple[str, ...]]().union(
        *map(runs, [*paper_sources(shared_data).values(), *explainers, *seeds])
    )
    copied = {where: sorted(" ".join(run) for run in runs(text) & theirs) for where, text in own_prose()}
    assert {where: found for where, found in copied.items() if found} == {}
