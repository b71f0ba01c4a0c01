"""The sets written by hand: whole, apart from each other, and true to the papers they ask about."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from pathlib import Path

import pytest

from eval.metrics.nuggets import match
from eval.metrics.phrasing import SUPPORT
from eval.questions.make.topic_corpus import left_out_by
from eval.questions.question import EvalQuestion, Nugget
from eval.questions.sets import open_set
from index.paths import starter_folder
from index.sources.base import Read
from index.sources.detect import read
from index.text.repair import repair
from index.text.sentences import sentences

OVER_PAPERS = ("findings", "findings-dev", "dialogues", "dialogues-papers-dev", "refusal", "premises")
COUNTED = frozenset({"fact", "restriction"})
"""Categories of dialogues whose answers are computed from records, so that no abstract states them."""


@pytest.fixture(scope="module")
def papers(shared_data: Path) -> dict[str, tuple[str, str]]:
    """Title and repaired abstract of the papers that the sets name, by id."""
    wanted = {
        source for name in OVER_PAPERS for question in open_set(name).questions for source in named(question)
    }
    with lzma.open(shared_data / "papers.jsonl.xz", "rt", encoding="utf-8") as file:
        rows = (row for row in map(json.loads, file) if row["id"] in wanted)
        return {row["id"]: (row["title"], repair(row["abstract"])) for row in rows}


def named(question: EvalQuestion) -> frozenset[str]:
    return question.positives | frozenset((*question.must_cite, *question.without))


def stated(nugget: Nugget, *texts: str) -> bool:
    """Whether a sentence of one of the texts, as the metric reads it, states the nugget."""
    return any(
        match(nugget, [text[start:end] for start, end in sentences(text)]).support == SUPPORT
        for text in texts
    )


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("findings-dev", 40),
        ("findings", 60),
        ("dialogues-dev", 50),
        ("dialogues-papers-dev", 93),
        ("dialogues-starter", 20),
        ("dialogues", 30),
        ("premises", 40),
    ],
)
def test_a_set_has_as_many_questions_as_it_says(name: str, count: int) -> None:
    questions = open_set(name).questions
    assert len(questions) == count
    assert len({question.question for question in questions}) == count


def test_refusals_are_asked_for_in_every_way_they_come() -> None:
    counts = Counter(question.category for question in open_set("refusal").questions)
    assert counts["answerable"] >= 60
    assert min(counts["near_miss"], counts["off_topic"]) >= 40
    assert counts["off_scope"] >= 20


def test_what_is_developed_against_is_not_what_is_reported() -> None:
    asked = {source for question in open_set("findings-dev").questions for source in question.positives}
    assert not asked & {
        source for question in open_set("findings").questions for source in question.positives
    }


@pytest.mark.parametrize("name", ["findings-dev", "findings"])
def test_a_finding_is_asked_for_by_one_vital_fact_and_its_paper(name: str) -> None:
    for question in open_set(name).questions:
        assert [nugget.vital for nugget in question.nuggets].count(True) == 1, question.id
        assert question.must_cite == tuple(question.relevant), question.id


@pytest.mark.parametrize("name", ["dialogues-dev", "dialogues-papers-dev", "dialogues-starter", "dialogues"])
def test_every_dialogue_has_a_history_and_says_what_resolves_it(name: str) -> None:
    for question in open_set(name).questions:
        assert 1 <= len(question.history) <= 3, question.id
        assert question.nuggets or not question.answerable, question.id


def test_no_other_question_rests_on_what_near_misses_leave_out() -> None:
    questions = open_set("refusal").questions
    assert not left_out_by(questions) & {source for question in questions for source in question.positives}
    for question in questions:
        assert bool(question.without) == (question.category == "near_miss"), question.id


def test_each_false_premise_stands_beside_a_true_one() -> None:
    pairs = Counter((question.cluster, question.category) for question in open_set("premises").questions)
    assert set(pairs.values()) == {1}
    clusters = {cluster for cluster, _ in pairs}
    assert len(clusters) == 20
    assert all((cluster, kind) in pairs for cluster in clusters for kind in ("true_premise", "false_premise"))


def test_dialogues_over_the_starter_corpus_are_true_to_it() -> None:
    records = {item.record.id: item.record for item in read(starter_folder()) if isinstance(item, Read)}
    for question in open_set("dialogues-starter").questions:
        assert set(question.must_cite) <= records.keys(), question.id
        texts = [
            f"{found.summary} {found.abstract}"
            for source in question.must_cite
            if (found := records[source]).kind == "paper"
        ]
        if question.category not in COUNTED and question.id != "ds-first-who":
            assert all(stated(nugget, *texts) for nugget in question.nuggets), question.id


@pytest.mark.parametrize("name", OVER_PAPERS)
def test_the_papers_are_there_and_state_what_is_asked_for(
    name: str, papers: dict[str, tuple[str, str]]
) -> None:
    for question in open_set(name).questions:
        assert named(question) <= papers.keys(), question.id
        if question.category in COUNTED or question.id == "dr-minecraft-first":
            continue
        texts = [papers[source][1] for source in question.must_cite]
        assert all(stated(nugget, *texts) for nugget in question.nuggets), question.id


@pytest.mark.parametrize("name", ["findings", "findings-dev"])
def test_findings_are_not_asked_for_by_the_title(name: str, papers: dict[str, tuple[str, str]]) -> None:
    for question in open_set(name).questions:
        for source in question.positives:
            assert papers[source][0].casefold() not in question.question.casefold(), question.id


def test_false_premises_contradict_their_papers(papers: dict[str, tuple[str, str]]) -> None:
    questions = open_set("premises").questions
    papers_of = {question.cluster: question.must_cite for question in questions if question.answerable}
    for question in questions:
        if question.correction:
            texts = [papers[source][1] for source in papers_of[question.cluster]]
            assert stated(question.correction, *texts), question.id
