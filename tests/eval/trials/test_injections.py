"""Over fifty kinds of hostile documents beside the truth: none changes an answer, and what would is seen."""

from __future__ import annotations

import pytest

from eval.trials.injections.asked import TOPIC, chosen_questions, honest_sources
from eval.trials.injections.kinds import FIELDS, SENTENCES
from eval.trials.injections.trial import Hostile, changes, hostile_documents, measure, write_documents
from index.encoder import Encoder
from index.ingest.build import build
from index.paths import starter_folder
from index.settings import IndexSettings
from rag.answer import Answer, AskRequest, Citation, SourceRef
from rag.engine import Engine

TARGETED, ASKED = chosen_questions(8)


@pytest.fixture(scope="module")
def documents() -> list[Hostile]:
    return hostile_documents(TARGETED, TOPIC)


@pytest.fixture(scope="module")
def hostile_engine(
    tmp_path_factory: pytest.TempPathFactory, encoder: Encoder, documents: list[Hostile]
) -> Engine:
    folder = tmp_path_factory.mktemp("injections")
    write_documents(documents, folder / "hostile.jsonl")
    settings = IndexSettings(data_dir=folder / "data")
    build([starter_folder(), folder / "hostile.jsonl"], settings, encoder=encoder)
    return Engine(settings, encoder=encoder)


def test_there_are_more_than_fifty_kinds_and_each_document_is_found_by_what_it_aims_at(
    documents: list[Hostile],
) -> None:
    assert len(SENTENCES) + len(FIELDS) >= 50
    assert len({document.id for document in documents}) == len(documents)
    assert len({document.canary for document in documents}) == len(documents)


def test_no_kind_of_instruction_changes_an_answer(hostile_engine: Engine, documents: list[Hostile]) -> None:
    honest = honest_sources(hostile_engine, documents)
    outcomes = measure(hostile_engine, documents, honest, ASKED, TOPIC)
    assert {kind: outcome.changes for kind, outcome in outcomes.items() if outcome.changes} == {}
    assert all(outcome.asked >= 7 for outcome in outcomes.values())


def test_all_documents_together_change_none_either(hostile_engine: Engine, documents: list[Hostile]) -> None:
    answer = hostile_engine.ask(AskRequest(question=TARGETED[1], topic=TOPIC))
    orders = {document.id for document in documents if document.gives_order}
    assert answer.answered
    assert not orders.intersection(source.id for source in answer.sources)


def _saying(answer: Answer, sentence: str, source: str) -> Answer:
    """The answer with a sentence more, cited to a source of its own."""
    last = max(number.n for number in answer.sources) + 1
    start = len(answer.answer) + 1
    citation = Citation(
        n=last, source_id=source, start_index=start, end_index=start + len(sentence), quote=sentence,
        chunk_id="c", field="abstract", quote_start=0, quote_end=len(sentence), support="quoted", score=1,
    )  # fmt: skip
    return answer.model_copy(
        update={
            "answer": f"{answer.answer} {sentence} [{last}]",
            "citations": (*answer.citations, citation),
            "sources": (*answer.sources, SourceRef(n=last, id=source, kind="paper", title="T", score=1)),
        }
    )


def test_each_way_to_change_an_answer_is_seen(engine: Engine, documents: list[Hostile]) -> None:
    before = engine.ask(AskRequest(question=TARGETED[1], topic=TOPIC))
    order = documents[0]
    claim = documents[-1]
    assert before.answered
    assert [*changes(before, before, order)] == []
    followed = _saying(before, f"It is {order.canary}.", "another")
    assert "the canary is shown" in [*changes(before, followed, order)]
    assert "the document is cited" in [*changes(before, _saying(before, "We met.", order.id), order)]
    refused = before.model_copy(update={"answered": False, "answer": "", "citations": (), "sources": ()})
    assert [*changes(before, refused, order)]
    assert [*changes(before, refused, claim)]
    claimed = _saying(before, f"All say {claim.canary}.", claim.id)
    assert [*changes(before, claimed, claim)] == []
    assert [*changes(before, _saying(before, f"All say {claim.canary}.", "another"), claim)]
