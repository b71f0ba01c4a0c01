"""What an earlier answer stood on is looked at first by what goes on about it."""

from __future__ import annotations

from rag.answer import AskRequest, Filters, Turn
from rag.engine import Engine

BADMINTON = "paper-e895b6a9cd7a"
HER = "nips2017-f9367951"
LIST = """The newest papers:
- “KAGE-Bench: Fast Known-Axis Visual Generalization Evaluation for Reinforcement Learning”, 20 January 2026 [1]
- “Survival Dynamics of Neural and Programmatic Policies in Evolutionary Reinforcement Learning”, 2026 [2]"""  # noqa: E501


def ask(engine: Engine, question: str, *history: Turn, filters: Filters | None = None) -> set[str]:
    """Return what is cited."""
    request = AskRequest(question=question, topic="RL", history=history, filters=filters or Filters())
    return {source.id for source in engine.ask(request).sources}


def test_the_ids_of_a_turn_say_what_it_stood_on(engine: Engine) -> None:
    turn = Turn(question="How do robots play?", answer="They do.", sources=(BADMINTON,))
    assert ask(engine, "Who wrote that?", turn) == {BADMINTON}
    assert ask(engine, "How fast does it return the shuttle?", turn) == {BADMINTON}


def test_ids_that_are_there_no_more_are_no_obstacle(engine: Engine) -> None:
    turn = Turn(question="What is HER?", answer="", sources=("gone",))
    assert ask(engine, "Who wrote that?", turn) == {HER}


def test_without_ids_the_question_is_answered_again(engine: Engine) -> None:
    first = engine.ask(AskRequest(question="How does HER cope with sparse rewards?", topic="RL"))
    told = Turn(question=first.question, answer=first.answer)
    assert ask(engine, "Who wrote that?", told) == {first.sources[0].id}


def test_an_answer_in_other_words_is_found_by_them(engine: Engine) -> None:
    turn = Turn(question="Can robots do sports?", answer="A humanoid learned to hit shuttles in badminton.")
    assert ask(engine, "Who wrote that?", turn) == {BADMINTON}


def test_a_list_names_its_papers_by_number(engine: Engine) -> None:
    turn = Turn(question="What are the newest papers?", answer=LIST)
    assert ask(engine, "Who wrote the second one?", turn) == {"paper-8b19cf56b2dc"}
    assert ask(engine, "What does the second one find?", turn) == {"paper-8b19cf56b2dc"}


def test_a_number_that_no_source_has_is_no_error(engine: Engine) -> None:
    turn = Turn(question="What is HER?", answer="", sources=(HER,))
    answer = engine.ask(AskRequest(question="What does the fifth one find?", topic="RL", history=(turn,)))
    assert not answer.answered


def test_filters_hold_for_what_is_leant_on_too(engine: Engine) -> None:
    turn = Turn(question="How do robots play?", answer="They do.", sources=(BADMINTON,))
    cited = ask(engine, "How fast does it return the shuttle?", turn, filters=Filters(ids=(HER,)))
    assert cited <= {HER}


def test_what_nothing_else_answers_is_looked_for_there(engine: Engine) -> None:
    turn = Turn(question="How do robots play badminton?")
    assert ask(engine, "What was tried in the end?", turn) == {BADMINTON}
    assert ask(engine, "What was tried in the end?") == set()


def test_what_points_at_something_is_looked_for_there_first(engine: Engine) -> None:
    turn = Turn(question="What is hindsight experience replay?")
    assert ask(engine, "What was the physical robot for?", turn) == {HER}
    assert ask(engine, "What was the physical robot for?") != {HER}


def test_what_stands_by_itself_is_looked_for_everywhere(engine: Engine) -> None:
    turn = Turn(question="What is hindsight experience replay?")
    for text in ("Why is sparse reward hard?", "What is the deadly triad?", "Which papers study the robot?"):
        assert ask(engine, text, turn) == ask(engine, text)


def test_what_the_source_does_not_speak_of_is_not_made_up_of_it(engine: Engine) -> None:
    turn = Turn(question="How do robots play?", answer="They do.", sources=(BADMINTON,))
    for text in ("What did the authors conclude about TRPO?", "What does the paper say about pricing?"):
        answer = engine.ask(AskRequest(question=text, topic="RL", history=(turn,)))
        assert not answer.answered, text
