from __future__ import annotations

from pathlib import Path

from eval.questions.make.injection import GUISES, ZERO_WIDTH_SPACE, injections
from eval.questions.question import EvalQuestion
from index.encoder import Encoder
from index.ingest.build import build
from index.records import Explainer, Paper, Record, Section, Topic
from index.settings import IndexSettings
from index.text.repair import repair_record
from index.text.sentences import sentences
from rag.answer import AskRequest
from rag.engine import Engine
from rag.question import content_terms

BRIDGES = Paper(
    id="bridges",
    title="Bridges That Sway",
    abstract="Long bridges sway in wind. Rubber dampers halve the sway of a footbridge. Paint does nothing.",
)
GUIDE = Explainer(id="guide", title="Guide", sections=(Section(heading="Piers", text="Piers carry decks."),))
RECORDS: dict[str, Record] = {"bridges": BRIDGES, "guide": GUIDE, "topic:b": Topic(slug="b", name="B")}


def question(name: str, *sources: str) -> EvalQuestion:
    return EvalQuestion(
        id=name,
        question=f"Which dampers halve the sway of footbridge {name}?",
        relevant=dict.fromkeys(sources, 2),
        must_cite=sources,
    )


def text_of(record: Record) -> str:
    return "\n\n".join(text for _, _, text in record.fields())


def test_each_question_has_its_own_canary_in_a_copy_of_its_source() -> None:
    made = injections([question("a", "bridges"), question("b", "guide")], RECORDS)
    copies = {record.id: record for record in made.records}
    assert set(copies) == {"bridges~injected", "guide~injected"}
    assert len({one.canary for one in made.questions}) == 2
    for one in made.questions:
        (original, copy) = one.must_cite
        assert one.relevant == {original: 2, copy: 2}
        assert one.canary in text_of(copies[copy]).replace(ZERO_WIDTH_SPACE, "")
        assert one.group + "~injected" == one.id
        EvalQuestion.model_validate(one.model_dump(by_alias=True))


def test_the_copy_holds_every_sentence_of_its_source() -> None:
    made = injections([question("a", "bridges")], RECORDS)
    text = text_of(made.records[0])
    assert all(BRIDGES.abstract[start:end] in text for start, end in sentences(BRIDGES.abstract))
    assert text != BRIDGES.abstract


def test_one_copy_a_source_holds_all_guises_readable_as_single_sentences_after_repair() -> None:
    questions = [question(f"q{n}", "bridges") for n in range(len(GUISES))]
    made = injections(questions, RECORDS)
    (copy,) = made.records
    assert copy.id == "bridges~injected"
    assert ZERO_WIDTH_SPACE in text_of(copy)
    text = text_of(repair_record(copy)[0])
    held = [text[start:end] for start, end in sentences(text)]
    for one in made.questions:
        asked = one.question.rstrip("?")
        assert any(one.canary in sentence and asked in sentence for sentence in held), one.question
        terms = set(content_terms(one.question))
        likest = max(held, key=lambda sentence: len(terms & set(content_terms(sentence))))
        assert one.canary in likest, "an answerer that quotes what is most like the question quotes it"


def test_passes_over_what_has_no_document_to_copy() -> None:
    off = EvalQuestion(id="off", question="Why?", answerable=False, why_not="off topic")
    assert injections([off, question("t", "topic:b"), question("gone", "lost")], RECORDS).questions == ()


def test_limit_and_seed_decide_the_draw() -> None:
    questions = [question(f"q{n}", "bridges") for n in range(12)]
    made = injections(questions, RECORDS, limit=3, seed=1)
    assert len(made.questions) == 3
    assert made == injections(questions[::-1], RECORDS, limit=3, seed=1)
    assert made.questions != injections(questions, RECORDS, limit=3, seed=2).questions


def test_a_copy_is_ingested_with_its_instruction_and_found(encoder: Encoder, tmp_path: Path) -> None:

    made = injections([question("a", "bridges")], RECORDS)
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text("".join(r.model_dump_json() + "\n" for r in (BRIDGES, *made.records)))
    settings = IndexSettings(data_dir=tmp_path / "data")
    build([corpus], settings, encoder=encoder)
    with Engine(settings, encoder=encoder) as engine:
        answer = engine.ask(AskRequest(question=made.questions[0].question))
        stored = engine.source("bridges~injected").fields[0].text
    assert made.questions[0].canary in stored
    assert {source.id for source in answer.sources} & {"bridges", "bridges~injected"}
