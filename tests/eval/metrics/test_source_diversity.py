"""The Hill number, against an entropy computed elsewhere."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from eval.metrics.source_diversity import METRICS, source_diversity

stats = pytest.importorskip("scipy.stats")


@pytest.mark.parametrize("seed", range(50))
def test_it_is_the_exponential_of_the_entropy(seed: int) -> None:
    draw = random.Random(seed)
    cited = [draw.choice("abcdefgh") for _ in range(draw.randrange(1, 40))]
    entropy = stats.entropy(list(Counter(cited).values()))
    assert source_diversity(cited) == pytest.approx(np.exp(entropy), abs=1e-12)


def test_even_citations_count_their_sources_and_uneven_ones_fewer() -> None:
    assert source_diversity("abc") == pytest.approx(3.0)
    assert source_diversity("aaaa") == pytest.approx(1.0)
    assert 1.0 < source_diversity("aaab") < 2.0


def test_no_citation_is_no_source_and_a_refusal_has_none(desk: Any, ask: Any) -> None:
    table = desk()
    uncited = table.run((ask(), table.answer(("So it is.", []))))
    refused = table.run((ask(), table.refusal()))
    assert METRICS[0].score(uncited.cases[0], uncited) == 0.0
    assert METRICS[0].score(refused.cases[0], refused) is None
