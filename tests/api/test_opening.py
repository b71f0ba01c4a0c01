"""The models that settings name are the ones that the engine asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.opening import open_engine
from api.settings import Settings
from eval.trials.lying import MODEL, Liar
from index.errors import EncoderError
from rag.answer import AskRequest


def test_the_models_of_the_environment_write_and_verify(
    data_dir: Path, toy_entailment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Liar().serving() as url:
        monkeypatch.setenv("ASKTOPIC_LLM__BASE_URL", url)
        monkeypatch.setenv("ASKTOPIC_LLM__MODEL", f"{MODEL}honest")
        monkeypatch.setenv("ASKTOPIC_VERIFIER__NLI_PATH", str(toy_entailment))
        monkeypatch.setenv("ASKTOPIC_VERIFIER__NLI_PRECISION", "fp32")
        with open_engine(Settings(data_dir=data_dir)) as engine:
            answer = engine.ask(AskRequest(question="What is reward hacking?", topic="RL"))
    assert f"{MODEL}honest@127.0.0.1" in answer.provenance.answerer
    assert "toy/fp32@" in answer.provenance.answerer


def test_a_model_of_entailment_that_is_not_there_is_named(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASKTOPIC_VERIFIER__NLI_PATH", str(data_dir / "nowhere"))
    with pytest.raises(EncoderError, match="nowhere"):
        open_engine(Settings(data_dir=data_dir))
