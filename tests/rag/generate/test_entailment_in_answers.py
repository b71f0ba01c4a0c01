"""The operator's model of entailment has a say on what the model writes, and is named in the provenance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from eval.trials.lying.script import Asked, cite
from rag.answer import AskRequest
from rag.settings import VerifierSettings
from rag.verify.entailment import ModelOfEntailment, open_entailment

if TYPE_CHECKING:
    from tests.rag.generate.conftest import Scripted, Written

HACKING = AskRequest(question="What is reward hacking?", topic="RL")
REWORDED = "Reward hacking: a high reward earned in a way that its designer did not intend."


@pytest.fixture(scope="module")
def toy(toy_entailment: Path, tmp_path_factory: pytest.TempPathFactory) -> ModelOfEntailment:
    settings = VerifierSettings(nli_path=toy_entailment, nli_precision="fp32")
    model = open_entailment(settings, tmp_path_factory.mktemp("nli-cache"))
    assert model is not None
    return model


class Contradicting:
    """Reads every quote as saying the contrary."""

    name = "contradicting"

    def judge(self, premise: str, claim: str) -> str:
        return "contradicted"


def reworded(asked: Asked) -> str:
    found = next(each for each in asked.evidence if each.text.startswith("Reward hacking happens when"))
    return cite(REWORDED, found.id)


def test_it_is_named_where_it_was_asked(server: Scripted, written: Written, toy: ModelOfEntailment) -> None:
    server.write = reworded
    answer = written(entailment=toy).ask(HACKING)
    assert REWORDED in answer.answer
    assert toy.name in answer.provenance.answerer


def test_what_it_reads_as_a_contradiction_is_replaced(server: Scripted, written: Written) -> None:
    server.write = reworded
    answer = written(entailment=Contradicting()).ask(HACKING)
    assert REWORDED not in answer.answer
    assert answer.checked is not None
    assert answer.checked.replaced == 1
    assert [one.support for one in answer.citations] == ["quoted"]
