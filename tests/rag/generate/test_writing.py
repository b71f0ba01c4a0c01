"""An answer that a model writes: checked sentence by sentence, and always one that can be shown."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from eval.trials.lying.script import Asked, asked_of, cite
from rag.answer import Answer, AskRequest
from rag.engine import Engine
from rag.generate.prompt import CANNOT
from rag.generate.writing import BROKE_OFF, NOTICES
from rag.stream import AnswerPart, Piece, SourcesKnown, whole_of

if TYPE_CHECKING:
    from tests.rag.generate.conftest import Scripted, Written

HACKING = AskRequest(question="What is reward hacking?", topic="RL")
LIE = "It cures insomnia in 97% of adults."


def said(answer: Answer) -> list[str]:
    return [answer.answer[one.start_index : one.end_index] for one in answer.citations]


def test_what_the_evidence_says_is_shown_with_its_citations(server: Scripted, written: Written) -> None:
    answer = written().ask(HACKING)
    evidence = set(handed(server))
    assert len(answer.citations) == 3
    assert all(one.support == "quoted" and one.quote in evidence for one in answer.citations)
    assert answer.checked is not None
    assert (answer.checked.written, answer.checked.supported) == (3, 3)
    assert answer.provenance.answerer.startswith("generative/")
    assert "small@127.0.0.1" in answer.provenance.answerer
    assert answer.notices == ()


def handed(server: Scripted) -> list[str]:
    return [each.text for each in asked_of(server.bodies[-1]["messages"]).evidence]


def test_a_reworded_sentence_stays_as_the_model_has_it(server: Scripted, written: Written) -> None:
    def reworded(asked: Asked) -> str:
        found = next(each for each in asked.evidence if each.text.startswith("Reward hacking happens when"))
        return cite(
            "An agent that earns a high reward in a way its designer did not intend: reward hacking happens.",
            found.id,
        )

    server.write = reworded
    answer = written().ask(HACKING)
    assert [one.support for one in answer.citations] == ["terms"]
    assert answer.answer.startswith("An agent that earns a high reward")
    assert answer.citations[0].quote.startswith("Reward hacking happens when")


def test_a_true_sentence_under_a_wrong_id_gets_its_own(server: Scripted, written: Written) -> None:
    server.write = lambda asked: cite(asked.evidence[0].text, asked.evidence[-1].id)
    answer = written().ask(HACKING)
    assert answer.checked is not None
    assert answer.checked.reattributed == 1
    assert said(answer) == [answer.citations[0].quote] == [handed(server)[0]]


def test_a_lie_is_replaced_by_what_it_cites_or_dropped_and_counted(
    server: Scripted, written: Written
) -> None:
    server.write = lambda asked: f"{cite(LIE, asked.few[0].id)}\n{LIE}\n{asked.few[1].cited}"
    answer = written().ask(HACKING)
    assert answer.checked is not None
    counts = answer.checked.model_dump()
    assert counts == {"written": 3, "supported": 1, "reattributed": 0, "replaced": 1, "dropped": 1}
    assert "insomnia" not in answer.answer
    assert said(answer) == handed(server)[:2]
    assert answer.notices[0].startswith("2 sentences written by the language model were not supported")


def test_halves_of_two_sentences_are_none(server: Scripted, written: Written) -> None:
    def stitched(asked: Asked) -> str:
        one, other = asked.evidence[0].text.split(), asked.evidence[1].text.split()
        return cite(" ".join([*one[:-6], *other[-6:]]), asked.evidence[0].id)

    server.write = stitched
    answer = written().ask(HACKING)
    assert answer.checked is not None
    assert answer.checked.supported == 0
    assert set(said(answer)) <= set(handed(server))


def test_the_same_words_in_another_order_are_quoted_instead(server: Scripted, written: Written) -> None:
    def swapped(asked: Asked) -> str:
        found = next(each for each in asked.evidence if each.text.startswith("Reward hacking happens when"))
        text = found.text.replace("agent", "X").replace("designer", "agent").replace("X", "designer")
        return cite(text, found.id)

    server.write = swapped
    answer = written().ask(HACKING)
    assert "designer earns" not in answer.answer
    assert all(one.support == "quoted" for one in answer.citations)


def test_a_model_that_finds_no_answer_leaves_the_quotes(
    server: Scripted, written: Written, engine: Engine
) -> None:
    server.write = lambda asked: CANNOT
    answer = written().ask(HACKING)
    assert answer.answer == engine.ask(HACKING).answer
    assert answer.notices[0] == NOTICES["cannot"]
    assert answer.provenance.answerer.startswith("extractive/")


def test_a_reply_that_breaks_off_says_so(server: Scripted, written: Written) -> None:
    server.write = lambda asked: [f"{asked.few[0].cited}\n{asked.few[1].cited}\n", "never"]
    answer = written(timeout=1.0).ask(HACKING)
    assert len(answer.citations) == 2
    assert answer.notices[0] == BROKE_OFF
    assert server.left.wait(5)


def test_each_sentence_is_told_before_the_next_is_written(server: Scripted, written: Written) -> None:
    server.write = lambda asked: [f"{asked.few[0].cited}\n", f"{asked.few[1].cited}\n"]

    async def told() -> list[AnswerPart]:
        parts = []
        async for part in written().stream(HACKING):
            parts.append(part)
            if isinstance(part, Piece):
                server.go_on.set()  # the server has held the second sentence back until now
        return parts

    parts = asyncio.run(told())
    first = parts[0]
    assert isinstance(first, SourcesKnown)
    assert len(first.reading) >= 2
    pieces = [part for part in parts if isinstance(part, Piece)]
    assert len(pieces) == 2
    assert isinstance(parts[-1], Answer)
    assert "".join(piece.text for piece in pieces) == parts[-1].answer
    told_sources = [part.sources for part in parts if isinstance(part, SourcesKnown)]
    assert told_sources[-1] == parts[-1].sources


def test_a_reader_that_leaves_closes_the_connection_to_the_model(server: Scripted, written: Written) -> None:
    server.write = lambda asked: [f"{asked.few[0].cited}\n", "never"]

    async def read_a_piece() -> None:
        stream = written().stream(HACKING)
        async for part in stream:
            if isinstance(part, Piece):
                break
        await stream.aclose()

    asyncio.run(read_a_piece())
    assert server.left.wait(5)


def test_it_is_asked_in_threads_and_in_a_loop_at_once(server: Scripted, written: Written) -> None:
    engine = written()

    async def streamed() -> Answer:
        with ThreadPoolExecutor(2) as executor:
            return await whole_of(engine.stream(HACKING, executor))

    with ThreadPoolExecutor(3) as threads:
        asked = [threads.submit(engine.ask, HACKING) for _ in range(3)]
        answers = [asyncio.run(streamed()), *(each.result() for each in asked)]
    assert {answer.answer for answer in answers} == {answers[0].answer}
    assert len({answer.id for answer in answers}) == 1
    assert len(server.bodies) == 4


@pytest.mark.parametrize("question", ["How many papers are there?", "What is a good pizza recipe?"])
def test_what_is_computed_or_refused_asks_no_model(
    server: Scripted, written: Written, engine: Engine, question: str
) -> None:
    request = AskRequest(question=question, topic="RL")
    answer = written().ask(request)
    assert server.bodies == []
    assert answer.answer == engine.ask(request).answer


def test_an_extractive_answer_asks_no_model(server: Scripted, written: Written) -> None:
    answer = written().ask(HACKING.model_copy(update={"mode": "extractive"}))
    assert answer.provenance.answerer.startswith("extractive/")
    assert server.bodies == []


def test_warming_up_asks_no_model(server: Scripted, written: Written) -> None:
    written().warm_up()
    assert server.bodies == []


FOREIGN = AskRequest(question="Was ist Belohnungs-Hacking und warum ist es ein Problem?", topic="RL")


def test_a_question_in_another_language_is_answered_through_the_model(
    server: Scripted, written: Written
) -> None:
    def write(asked: Asked) -> str:
        return asked.few[0].cited if asked.evidence else "What is reward hacking and why is it a problem?"

    server.write = write
    answer = written().ask(FOREIGN)
    assert answer.answered
    assert answer.question == FOREIGN.question
    assert "Read as: What is reward hacking and why is it a problem?" in answer.notices


@pytest.mark.parametrize("reply", ["", "I cannot help.", "Was ist das?", "<b>What is it?</b>", "One?\nTwo?"])
def test_a_translation_that_is_none_leaves_the_refusal(
    server: Scripted, written: Written, engine: Engine, reply: str
) -> None:
    server.write = lambda asked: reply
    answer = written().ask(FOREIGN)
    refused = engine.ask(FOREIGN)
    assert not answer.answered
    assert answer.reason is not None
    assert answer.reason == refused.reason
    assert answer.reason.code == "language"
