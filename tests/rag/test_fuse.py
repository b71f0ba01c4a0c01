"""Fusing lexical and dense scores."""

from __future__ import annotations

import numpy as np

from rag.retrieve import fuse


def test_each_side_is_scaled_to_its_own_range_before_they_are_averaged() -> None:
    scores = fuse(np.array([0, 10, 20], np.float32), np.array([0.9, 0.5, 0.7], np.float32))
    assert np.allclose(scores, [0.5, 0.25, 0.75])


def test_the_scale_of_either_side_does_not_matter() -> None:
    generator = np.random.default_rng(0)
    bm25, cosines = generator.random((2, 50), dtype=np.float32)
    assert np.allclose(fuse(bm25, cosines), fuse(bm25 * 40, cosines * 0.1 + 0.3), atol=1e-5)


def test_equal_scores_rank_nobody_down_and_nothing_gives_nothing() -> None:
    assert np.allclose(fuse(np.zeros(2, np.float32), np.array([0.2, 0.6], np.float32)), [0.5, 1.0])
    assert len(fuse(np.empty(0, np.float32), np.empty(0, np.float32))) == 0
