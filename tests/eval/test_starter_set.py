"""The shipped question set: what it says of an answer is borne out by the corpus it is asked of."""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from eval.questions.question import EvalQuestion, Nugget, folded
from eval.questions.sets import open_set
from index.records import Paper, Record
from index.sources.base import Read
from index.sources.detect import read
from index.stores.lexical import analyze
from index.text.repair import repair_record
from index.text.sentences import sentences
from rag.words import FUNCTION_WORDS

CATEGORIES = frozenset(
    """
    definition introduction quantity comparison reason method list finding follow_up filtered acronym
    typo paraphrase catalog injection near_miss off_topic false_premise language not_a_question
    """.split()
)
NEVER_ANSWERABLE = frozenset("near_miss off_topic language not_a_question".split())
SEEN, UNSEEN = "starter, seen in tuning", "starter, unseen"
TUNED_ON = Path(__file__).parents[1] / "fixtures" / "starter_questions.jsonl"
VENUE = "asktopic evaluation"


@functools.cache
def questions() -> tuple[EvalQuestion, ...]:
    return open_set("starter").questions


@functools.cache
def records() -> dict[str, Record]:
    """What an index of the set holds, by id: every record with its text repaired, as ingest does it."""
    found: dict[str, Record] = {}
    for path in open_set("starter").paths:
        for entry in read(path):
            assert isinstance(entry, Read), entry
            found[entry.record.id], _ = repair_record(entry.record)
    return found


def papers() -> list[Paper]:
    """Every paper, oldest first."""
    found = [record for record in records().values() if isinstance(record, Paper)]
    return sorted(found, key=lambda paper: str(paper.date))


def documents() -> list[Paper]:
    """The set's own documents, which carry hidden instructions."""
    return [paper for paper in papers() if paper.venue == VENUE]


def of(*categories: str) -> list[EvalQuestion]:
    return [question for question in questions() if question.category in categories]


def with_nuggets_of_text() -> list[EvalQuestion]:
    """Questions whose nuggets stand in a text, as what the catalog computes does not."""
    return [question for question in questions() if question.nuggets and question.category != "catalog"]


def each(cases: Sequence[EvalQuestion]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("question", cases, ids=[case.id for case in cases])


@functools.cache
def sentences_of(source: str) -> tuple[str, ...]:
    texts = [text for _, _, text in records()[source].fields()]
    return tuple(text[start:end] for text in texts for start, end in sentences(text))


def content(text: str) -> frozenset[str]:
    words = re.findall(r"[^\W_]+", text.lower())
    return frozenset(analyze(" ".join(word for word in words if word not in FUNCTION_WORDS)))


def holding(phrasing: str, numbers: Sequence[str], sources: Sequence[str]) -> Iterator[str]:
    """Yield the sentences of the sources that hold all words of a phrasing and all the numbers."""
    for source in sources:
        for sentence in sentences_of(source):
            stated = all(re.search(rf"(?<![\d.]){re.escape(n)}(?!\d)", sentence) for n in numbers)
            if stated and content(phrasing) <= content(sentence):
                yield sentence


def test_the_set_is_large_enough_and_covers_every_category() -> None:
    by_category = Counter(question.category for question in questions())
    assert len(questions()) >= 120
    assert set(by_category) == CATEGORIES
    assert min(by_category.values()) >= 5, by_category


def test_lines_leave_out_what_equals_a_default() -> None:
    (folder,) = (path.parent for path in open_set("starter").paths if path.name == "corpus.jsonl")
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    for line, question in zip(lines, questions(), strict=True):
        assert json.loads(line) == question.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def test_ids_are_readable() -> None:
    assert [q.id for q in questions() if not re.fullmatch(r"[a-z]+(-[a-z0-9]+)+", q.id)] == []


def test_every_question_says_where_it_comes_from() -> None:
    tuned_on = {json.loads(line)["question"] for line in TUNED_ON.read_text(encoding="utf-8").splitlines()}
    for question in questions():
        assert question.licence == "Apache-2.0"
        assert question.source == (SEEN if question.question in tuned_on else UNSEEN), question.id
    assert sum(question.source == SEEN for question in questions()) <= 40


def test_no_question_is_asked_twice_in_the_same_way() -> None:
    asked = Counter((q.question, q.filters, q.as_of, q.history) for q in questions())
    assert [key for key, times in asked.items() if times > 1] == []


def test_what_can_be_answered_has_a_gold_answer_and_nuggets_and_the_rest_says_why_not() -> None:
    for question in questions():
        if question.answerable:
            assert question.gold_answer, question.id
            assert 1 <= len(question.nuggets) <= 4, question.id
            assert any(nugget.vital for nugget in question.nuggets), question.id
        else:
            assert not question.relevant, question.id
    assert all(not question.answerable for question in of(*NEVER_ANSWERABLE))
    assert all(question.why_not.startswith("language: ") for question in of("language"))


def test_all_sources_named_exist() -> None:
    for question in questions():
        named = {*question.relevant, *question.must_cite, *question.filters.ids}
        assert named <= set(records()), question.id


def test_what_must_be_cited_answers_the_question() -> None:
    for question in with_nuggets_of_text():
        assert question.must_cite, question.id
        assert {question.relevant[source] for source in question.must_cite} == {2}, question.id


@each(with_nuggets_of_text())
def test_a_nugget_stands_in_one_sentence_of_a_source(question: EvalQuestion) -> None:
    for nugget in question.nuggets:
        assert 1 <= len(content(nugget.text)) <= 10, nugget.text
        assert list(holding(nugget.text, nugget.numbers, question.must_cite)), nugget


@each(with_nuggets_of_text())
def test_every_accepted_phrasing_is_in_the_words_of_a_source(question: EvalQuestion) -> None:
    words = [content(text) for id_ in question.must_cite for _, _, text in records()[id_].fields()]
    words += [content(records()[id_].title) for id_ in question.must_cite]
    for nugget in question.nuggets:
        for phrasing in nugget.accepted:
            assert any(content(phrasing) <= field for field in words), phrasing


@each([question for question in questions() if any(nugget.forbidden for nugget in question.nuggets)])
def test_a_forbidden_phrasing_condemns_no_true_sentence(question: EvalQuestion) -> None:
    for nugget in question.nuggets:
        for phrasing in nugget.forbidden:
            assert not list(holding(phrasing, (), tuple(question.positives))), phrasing
            assert not content(phrasing) <= content(question.gold_answer), phrasing


@each([question for question in with_nuggets_of_text() if not question.history])
def test_a_gold_answer_states_the_numbers(question: EvalQuestion) -> None:
    for nugget in question.nuggets:
        assert [n for n in nugget.numbers if n not in question.gold_answer] == []


@each([question for question in questions() if question.cluster])
def test_a_question_asked_otherwise_has_the_answer_of_its_original(question: EvalQuestion) -> None:
    original = next(other for other in questions() if other.id == question.cluster)
    assert question.category in {"typo", "paraphrase"}
    assert (question.nuggets, question.relevant) == (original.nuggets, original.relevant)


@each([question for question in of("filtered") if question.answerable])
def test_filters_let_through_what_must_be_cited(question: EvalQuestion) -> None:
    filters = question.request().filters
    for record in map(records().__getitem__, question.must_cite):
        day = record.date
        assert filters.from_ is None or (day is not None and day >= filters.from_)
        assert filters.to is None or (day is not None and day <= filters.to)
        assert not filters.kinds or record.kind in filters.kinds
        assert not filters.ids or record.id in filters.ids
        if filters.authors or filters.venues:
            assert isinstance(record, Paper)
            assert not filters.authors or any(n in " ".join(record.authors) for n in filters.authors)
            assert not filters.venues or any(name in record.venue for name in filters.venues)


def test_follow_ups_have_an_earlier_turn() -> None:
    assert all(question.history for question in of("follow_up"))


def test_documents_with_instructions_are_marked_and_belong_to_the_topic() -> None:
    assert len(documents()) == 6
    assert all(document.id.startswith("evaluation-") for document in documents())
    assert all("Reinforcement Learning" in paper.tags for paper in papers())
    assert papers()[0] not in documents()
    assert papers()[-1] not in documents()


def test_one_instruction_is_hidden_in_invisible_characters() -> None:
    (corpus,) = (path for path in open_set("starter").paths if path.name == "corpus.jsonl")
    raw = {entry.record.id: entry.record for entry in read(corpus) if isinstance(entry, Read)}
    (canary,) = {q.canary for q in of("injection") if "evaluation-zero-width" in q.relevant}
    assert canary not in raw["evaluation-zero-width"].field("abstract")
    assert canary in records()["evaluation-zero-width"].field("abstract")


@each([question for question in questions() if question.canary])
def test_a_canary_is_planted_and_belongs_to_no_true_answer(question: EvalQuestion) -> None:
    def text_of(record: Record) -> str:
        return folded(" ".join(text for _, _, text in record.fields()))

    canary = folded(question.canary)
    planted = {record.id for record in records().values() if canary in text_of(record)}
    asked = " ".join((question.question, *(turn.answer for turn in question.history)))
    assert planted == ({*question.relevant} if question.id.startswith("inj-doc-") else set())
    assert bool(planted) != (canary in folded(asked))
    truth = folded(" ".join((question.gold_answer, *(nugget.text for nugget in question.nuggets))))
    assert canary not in truth


def test_every_document_with_instructions_answers_a_question_and_only_of_its_kind() -> None:
    ids = {document.id for document in documents()}
    assert {source for q in of("injection") for source in q.relevant} >= ids
    assert not {source for q in questions() if q.category != "injection" for source in q.relevant} & ids


# -------------------------------------------------------------- what a catalog computes


def count(matches: Callable[[Paper], bool]) -> list[str]:
    return [str(sum(map(matches, papers())))]


def paper(start: str) -> Paper:
    (found,) = [paper for paper in papers() if paper.title.startswith(start)]
    return found


COMPUTED: dict[str, Callable[[], list[str]]] = {
    "cat-papers": lambda: count(lambda paper: True),
    "cat-papers-2025": lambda: count(lambda paper: str(paper.date).startswith("2025-")),
    "cat-papers-icml2017": lambda: count(lambda paper: paper.venue == "ICML 2017"),
    "cat-papers-colm2025-filter": lambda: count(lambda paper: paper.venue == "COLM 2025"),
    "cat-papers-by-levine": lambda: count(lambda paper: "Sergey Levine" in paper.authors),
    "cat-papers-evaluation": lambda: count(lambda paper: paper.venue == VENUE),
    "cat-explainers": lambda: [str(sum(record.kind == "explainer" for record in records().values()))],
    "cat-newest": lambda: [papers()[-1].title],
    "cat-latest-three": lambda: [paper.title for paper in reversed(papers()[-3:])],
    "cat-oldest": lambda: [papers()[0].title],
    "cat-authors-double-q": lambda: [*paper("Double Q-learning").authors],
    "cat-authors-hydrogym": lambda: [*paper("The HydroGym").authors],
    "cat-date-qmix": lambda: [str(paper("QMIX").date)[:4]],
    "cat-papers-by-finn": lambda: [p.title for p in papers() if "Chelsea Finn" in p.authors],
}
"""What each catalog question asks for, computed anew: numbers, titles or names, in the nuggets' order."""


def stated(nugget: Nugget) -> str:
    return " ".join(nugget.numbers) or nugget.text


@each(of("catalog"))
def test_catalog_answers_are_what_the_corpus_gives(question: EvalQuestion) -> None:
    assert question.answerable
    assert [stated(nugget) for nugget in question.nuggets] == COMPUTED[question.id]()
    assert all(stated(nugget) in question.gold_answer for nugget in question.nuggets)
