"""The integer product gives cosines, on any processor."""

from __future__ import annotations

import numpy as np
import pytest

from index.stores.scan import IntegerScan
from index.stores.sentence_vectors import quantise, unit


def test_cosines_are_near_the_exact_ones() -> None:
    rng = np.random.default_rng(3)
    rows = quantise(rng.standard_normal((500, 384)).astype(np.float32))
    scan = IntegerScan(rows)
    for query in rng.standard_normal((20, 384)).astype(np.float32):
        query /= np.linalg.norm(query)
        assert scan.cosines(query) == pytest.approx(unit(rows) @ query, abs=0.01)


def test_extreme_numbers_do_not_overflow() -> None:
    """All products of one sign and largest size: what saturates where 16 bits hold two of them."""
    rows = np.full((3, 384), 127, np.int8)
    rows[1] = -127
    rows[2, ::2] = -127
    query = np.full(384, 1 / np.sqrt(384), np.float32)
    assert IntegerScan(rows).cosines(query) == pytest.approx([1.0, -1.0, 0.0], abs=1e-6)


def test_a_zero_row_and_a_zero_question_are_near_to_nothing() -> None:
    rows = np.zeros((2, 8), np.int8)
    rows[1, 0] = 127
    scan = IntegerScan(rows)
    assert scan.cosines(np.eye(8, dtype=np.float32)[0]) == pytest.approx([0.0, 1.0], abs=1e-6)
    assert scan.cosines(np.zeros(8, np.float32)).tolist() == [0.0, 0.0]
