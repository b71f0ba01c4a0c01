"""Whole answers over the starter set: the contract and its promises."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from index.errors import BadFilter, BadQuestion, ModeUnavailable, UnknownTopic
from rag.answer import Answer, AskRequest, Filters, Turn
from rag.compose.phrases import lead_ins
from rag.engine import Engine

MARKER = re.compile(r"\[(\d+)\]")
TOPIC = "Reinforcement Learning"


def ask(engine: Engine, question: str, **request: object) -> Answer:
    return engine.ask(AskRequest.model_validate({"question": question, "topic": "RL", **request}))


def check_contract(engine: Engine, answer: Answer) -> None:
    """Check promises 1, 2, 3 and 5 on one answer."""
    assert answer.answered == bool(answer.answer) == bool(answer.citations) == bool(answer.sources)
    assert answer.answered == (answer.reason is None) == (answer.kind != "refusal")
    used = [int(n) for n in MARKER.findall(answer.answer)]
    assert list(dict.fromkeys(used)) == list(range(1, len(answer.sources) + 1)), "numbered by first use"
    assert [source.n for source in answer.sources] == list(range(1, len(answer.sources) + 1))
    assert len({source.id for source in answer.sources}) == len(answer.sources), "one number a source"
    assert used == [citation.n for citation in answer.citations], "a citation for every marker, in order"
    ids = {source.n: source.id for source in answer.sources}
    introduced = {source.n: {*lead_ins(answer, source)} for source in answer.sources}
    position = 0
    for citation in answer.citations:
        assert ids[citation.n] == citation.source_id
        fields = {field.field: field.text for field in engine.source(citation.source_id).fields}
        assert fields[citation.field][citation.quote_start : citation.quote_end] == citation.quote
        assert answer.answer[citation.start_index : citation.end_index] == citation.quote
        assert 0 <= citation.score <= 1
        between = answer.answer[position : citation.start_index]
        assert between.strip() == "" or between.lstrip() in introduced[citation.n], f"uncited {between!r}"
        marker = f" [{citation.n}]"
        position = citation.end_index + len(marker)
        assert answer.answer[citation.end_index : position] == marker
    assert position == len(answer.answer), "nothing behind the last marker"
    if not answer.answered:
        assert answer.related, "the nearest sources are named"


def corpus_questions(engine: Engine) -> list[str]:
    """Return some two hundred questions made from the titles, headlines and headings of the corpus."""
    papers = engine.papers(TOPIC, limit=100).papers
    headings = [field.heading for source in engine.explainers(TOPIC) for field in source.fields]
    return [
        *(f"What did “{paper.title}” find?" for paper in papers),
        *(f"How well does this work: {paper.headline}?" for paper in papers),
        *(f"What is meant by {heading.lower()}?" for heading in headings if heading),
        *(f"Why does {heading.lower()} matter?" for heading in headings if heading),
    ]


def test_every_citation_of_over_100_answers_is_exact(engine: Engine) -> None:
    answers = [ask(engine, question) for question in corpus_questions(engine)]
    for answer in answers:
        check_contract(engine, answer)
    answered = [answer for answer in answers if answer.answered]
    assert len(answered) >= 100
    sentences = [len(answer.citations) for answer in answered]
    assert max(sentences) <= 6
    assert sum(1 for count in sentences if count >= 2) >= 0.9 * len(sentences)


def test_what_is_asked_of_a_paper_is_answered_from_it(engine: Engine) -> None:
    papers = engine.papers(TOPIC, limit=100).papers
    hits = sum(
        paper.id in {source.id for source in ask(engine, f"What did “{paper.title}” find?").sources}
        for paper in papers
    )
    assert hits >= 0.95 * len(papers)


def test_what_is_asked_opens_with_the_explainer(engine: Engine) -> None:
    answer = ask(engine, "What is reinforcement learning?")
    assert answer.sources[0].kind in ("explainer", "topic")
    assert "agent" in answer.citations[0].quote


@pytest.mark.parametrize("question", ["What is RL?", "RL", "What does RL stand for?", "Explain RL to me"])
def test_the_topics_alias_asks_for_the_topic(engine: Engine, question: str) -> None:
    answer = ask(engine, question)
    assert answer.sources[0].kind in ("explainer", "topic")
    assert "einforcement learning" in answer.citations[0].quote


def test_a_new_subject_after_a_refused_question_is_answered(engine: Engine) -> None:
    history = [Turn(question="Who won the world cup?").model_dump()]
    assert ask(engine, "What is PPO?", history=history).answered


def test_a_number_that_is_asked_for_is_in_the_first_sentence(engine: Engine) -> None:
    answer = ask(engine, "How many steps longer do PERL agents survive than NERL agents?")
    assert "201.69" in answer.citations[0].quote


def test_several_papers_speak_where_several_are_asked_for(engine: Engine) -> None:
    answer = ask(engine, "Which papers study exploration with sparse rewards?")
    assert len(answer.sources) >= 3
    assert len(ask(engine, "Which papers study exploration with sparse rewards?", max_sources=1).sources) == 1


@pytest.mark.parametrize(
    "question",
    [
        "What does RL stand for in astrology?",
        "How do I bake sourdough bread?",
        "Who won the football world cup in 2018?",
        "What is the boiling point of ethanol?",
        "How does MuZero learn its model?",
        "How many games did AlphaStar win against professionals?",
        "How many robots did HydroGym use?",
        "When was Q-learning invented?",
        "In which year did exploration begin?",
    ],
)
def test_what_the_sources_do_not_say_is_refused(engine: Engine, question: str) -> None:
    answer = ask(engine, question)
    check_contract(engine, answer)
    assert answer.reason is not None
    assert answer.reason.code == "weak_evidence"


def test_another_language_is_told_so(engine: Engine) -> None:
    reason = ask(engine, "Was ist bestärkendes Lernen und wie wird es benutzt?").reason
    assert reason is not None
    assert reason.code == "language"


def test_a_question_without_content_is_told_so(engine: Engine) -> None:
    reason = ask(engine, "what is it?").reason
    assert reason is not None
    assert reason.code == "not_a_question"


@pytest.mark.parametrize(
    "question",
    [
        "How many papers did the survey review?",
        "Which papers by Nobody Whatsoever are here?",
    ],
)
def test_what_only_a_catalog_could_tell_is_not_guessed_from_sentences(engine: Engine, question: str) -> None:
    answer = ask(engine, question)
    check_contract(engine, answer)
    assert answer.reason is not None
    assert answer.reason.code == "about_the_collection"


def test_a_follow_up_keeps_its_subject(engine: Engine) -> None:
    history = [Turn(question="What is HydroGym?", answer="…").model_dump()]
    answer = ask(engine, "By how much does it reduce drag?", history=history)
    assert "HydroGym" in answer.understood.text
    assert "HydroGym" in answer.sources[0].title


def test_the_same_question_gives_the_same_answer(engine: Engine) -> None:
    def asked() -> dict[str, object]:
        return ask(engine, "How does Q-learning work?").model_dump(exclude={"timing_ms"})

    first = asked()
    assert all(asked() == first for _ in range(5))


def test_filters_restrict_every_source_and_combine(engine: Engine) -> None:
    since = dt.date(2025, 1, 1)
    answer = ask(engine, "How well do agents generalise?", filters={"from": "2025-01-01", "kinds": ["paper"]})
    assert answer.sources
    assert all(source.kind == "paper" and source.date and source.date >= since for source in answer.sources)
    by_author = ask(
        engine,
        "What does the method achieve?",
        filters=Filters(authors=("Haarnoja",)).model_dump(by_alias=True),
    )
    found = [*by_author.sources, *by_author.related]
    assert found
    assert all(any("Haarnoja" in name for name in engine.source(item.id).authors) for item in found)


def test_filters_that_nothing_passes_are_told_so(engine: Engine) -> None:
    reason = engine.ask(
        AskRequest(question="What is RL?", topic="RL", filters=Filters(from_=dt.date(2100, 1, 1)))
    ).reason
    assert reason is not None
    assert reason.code == "no_sources"


def test_impossible_requests_are_errors_that_say_what_to_do(engine: Engine) -> None:
    with pytest.raises(BadQuestion, match="empty"):
        ask(engine, " ")
    with pytest.raises(UnknownTopic, match="did you mean Reinforcement Learning"):
        ask(engine, "What is it about?", topic="reinforced learning")
    with pytest.raises(BadFilter, match="swap"):
        ask(engine, "What is RL?", filters={"from": "2025-01-02", "to": "2025-01-01"})
    with pytest.raises(BadFilter, match="empty value"):
        ask(engine, "What is RL?", filters={"authors": [" "]})
    with pytest.raises(ModeUnavailable, match="extractive"):
        ask(engine, "What is RL?", mode="generative")


@pytest.mark.parametrize("label", ["RL", "rl", "reinforcement-learning", "reinforcement LEARNING"])
def test_a_topic_is_found_by_slug_name_and_alias(engine: Engine, label: str) -> None:
    assert ask(engine, "What is a policy?", topic=label).topic == "reinforcement-learning"
