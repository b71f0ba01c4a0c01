"""A model of entailment: its labels by their names, its probabilities those of transformers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from index.encoder import EntailmentModel, open_entailment_model
from index.errors import EncoderError

CLAIM = "the keeper is near ."
PREMISES = {
    "entailment": "the keeper of the lighthouse is near the harbour .",
    "contradiction": "the keeper of the cliff is near the harbour .",
    "neutral": "the keeper of the ships is near the harbour .",
}


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("entailment-cache")


@pytest.fixture(scope="module")
def toy(toy_entailment: Path, cache: Path) -> EntailmentModel:
    return open_entailment_model(toy_entailment, "fp32", cache)


def with_config(folder: Path, target: Path, **changes: Any) -> Path:
    shutil.copytree(folder, target)
    config = json.loads((target / "config.json").read_text())
    (target / "config.json").write_text(json.dumps(config | changes))
    return target


@pytest.mark.parametrize("label", PREMISES)
def test_each_label_is_found_by_its_name(toy: EntailmentModel, label: str) -> None:
    found = toy.judge(PREMISES[label], CLAIM)._asdict()
    assert max(found, key=lambda each: found[each]) == label
    assert sum(found.values()) == pytest.approx(1)


def test_probabilities_are_those_of_transformers(toy: EntailmentModel, toy_entailment: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(toy_entailment).eval()
    tokenizer = AutoTokenizer.from_pretrained(toy_entailment)
    for premise in PREMISES.values():
        inputs = tokenizer(premise, CLAIM, return_tensors="pt")
        with torch.no_grad():
            expected = torch.softmax(model(**inputs).logits[0], -1).tolist()
        names = [model.config.id2label[place] for place in range(3)]
        found = toy.judge(premise, CLAIM)._asdict()
        assert [found[name] for name in names] == pytest.approx(expected, abs=1e-4)


def test_the_premise_and_the_claim_are_not_interchangeable(toy: EntailmentModel) -> None:
    assert toy.judge(CLAIM, PREMISES["entailment"]).neutral > 0.5


def test_of_texts_that_do_not_fit_the_claim_is_kept(toy: EntailmentModel) -> None:
    long = "ships " * 300
    assert toy.judge(f"lighthouse {long}", CLAIM).entailment > 0.5
    assert toy.judge(f"{long} lighthouse", CLAIM).entailment < 0.5
    assert sum(toy.judge(long, long)) == pytest.approx(1)


def test_labels_without_names_are_refused(toy_entailment: Path, tmp_path: Path, cache: Path) -> None:
    names = {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}
    folder = with_config(toy_entailment, tmp_path / "unnamed", id2label=names)
    with pytest.raises(EncoderError, match="write their names into id2label"):
        open_entailment_model(folder, "fp32", cache)


def test_a_reranker_is_no_model_of_entailment(toy_reranker: Path, cache: Path) -> None:
    with pytest.raises(EncoderError, match="are not those of a model of entailment"):
        open_entailment_model(toy_reranker, "fp32", cache)


def test_int8_gives_nearly_the_same(toy: EntailmentModel, toy_entailment: Path, cache: Path) -> None:
    quantised = open_entailment_model(toy_entailment, "int8", cache)
    assert quantised.fingerprint != toy.fingerprint
    for premise in PREMISES.values():
        assert quantised.judge(premise, CLAIM) == pytest.approx(toy.judge(premise, CLAIM), abs=0.1)
