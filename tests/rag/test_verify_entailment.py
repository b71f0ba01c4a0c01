"""A model of entailment accepts what the terms leave open and refuses what it reads as a contradiction."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag.settings import VerifierSettings
from rag.verify import Verifier
from rag.verify.entailment import open_entailment

ENTAILING = "The keeper of the lighthouse is near the harbour of twelve ships."
CONTRARY = "The keeper of the cliff is near the harbour of twelve ships."
OPEN = "The keeper of the storm is near the harbour of twelve ships."
FAR = "Somebody guards boats close by."
NEAR = "The keeper is near the harbour."


@pytest.fixture(scope="module")
def verifier(toy_entailment: Path, tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    settings = VerifierSettings(nli_path=toy_entailment, nli_precision="fp32")
    entailment = open_entailment(settings, tmp_path_factory.mktemp("nli-cache"))
    assert entailment is not None
    assert entailment.name.startswith("toy/fp32@")
    return Verifier(lambda term: 1.0, entailment=entailment)


def test_without_a_path_there_is_no_model(tmp_path: Path) -> None:
    assert open_entailment(VerifierSettings(), tmp_path) is None


def test_it_accepts_what_the_terms_leave_open(verifier: Verifier) -> None:
    verdict = verifier.verify(FAR, [ENTAILING])
    assert (verdict.supported, verdict.support) == (True, "entailed")
    assert Verifier(lambda term: 1.0).verify(FAR, [ENTAILING]).failed == ("terms",)


def test_what_it_leaves_open_too_is_not_supported(verifier: Verifier) -> None:
    assert verifier.verify(FAR, [OPEN]).failed == ("terms",)


def test_it_refuses_what_it_reads_as_a_contradiction(verifier: Verifier) -> None:
    verdict = verifier.verify(NEAR, [CONTRARY])
    assert (verdict.supported, verdict.failed) == (False, ("entailment",))
    assert verdict.notes == ("a model reads the quotes as saying the contrary",)


def test_what_stands_by_its_terms_stays_so(verifier: Verifier) -> None:
    assert verifier.verify(NEAR, [OPEN]).support == "terms"
    assert verifier.verify(NEAR, [ENTAILING]).support == "terms"


@pytest.mark.parametrize(
    ("claim", "check"),
    [
        ("The keeper of the lighthouse is near the harbour of thirty ships.", "numbers"),
        ("The keeper of the lighthouse is not near the harbour of twelve ships.", "negation"),
    ],
)
def test_it_overrules_no_exact_check(verifier: Verifier, claim: str, check: str) -> None:
    assert verifier.verify(claim, [ENTAILING]).failed == (check,)


def test_a_quote_is_a_quote_whatever_it_says(verifier: Verifier) -> None:
    assert verifier.verify(CONTRARY, [CONTRARY]).support == "quoted"
