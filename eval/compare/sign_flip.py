"""The paired randomisation test by sign flips."""

from __future__ import annotations

import numpy as np

from eval.compare.clusters import Floats

# 2 ** 14 sums take 128 KiB and under a millisecond; beyond, 10,000 random patterns are fewer than all.
EXACT_CLUSTERS = 14

# Patterns whose sums are equal on paper differ by rounding errors, some 1e-16 of the terms for each addition.
# Without slack, the observed pattern itself may not count as extreme as observed.
SLACK = 1e-9

# Signs drawn at once: 2 ** 20 take 8 MiB as floats, which stays near the processor.
_SIGNS_AT_ONCE = 2**20


def sign_flip(differences: Floats, *, seed: int = 0, resamples: int = 10_000) -> float:
    """Return the two-sided p of "the two systems are alike", from paired differences.

    `differences`, shape (clusters,), holds for each cluster the sum of its questions' differences, so that
    the questions of a cluster flip together. Were the systems alike, either sign of each sum would be as
    likely: p is the share of sign patterns whose total lies as far from zero as the observed one, or farther
    (Fisher 1935; for retrieval: Smucker, Allan and Carterette 2007). All patterns are counted where at most
    14 clusters differ; else `resamples` random ones, with p = (1 + extreme) / (1 + resamples), which is never
    zero and keeps the level (Phipson and Smyth 2010). Where nothing differs, p is exactly 1.

    The same arguments give the same p in every process.
    """
    moving = differences[differences != 0]  # flipping the sign of zero changes no total
    if not len(moving):
        return 1.0
    threshold = abs(float(moving.sum())) - SLACK * float(np.abs(moving).sum())
    if len(moving) <= EXACT_CLUSTERS:
        return float(np.mean(np.abs(_all_totals(moving)) >= threshold))
    rng = np.random.default_rng(seed)
    extreme = 0
    at_once = max(_SIGNS_AT_ONCE // len(moving), 1)
    for start in range(0, resamples, at_once):
        totals = _random_totals(moving, min(at_once, resamples - start), rng)
        extreme += int(np.count_nonzero(np.abs(totals) >= threshold))
    return (1 + extreme) / (1 + resamples)


def _all_totals(moving: Floats) -> Floats:
    totals = np.zeros(1)
    for difference in moving:
        totals = np.concatenate((totals + difference, totals - difference))
    return totals


def _random_totals(moving: Floats, patterns: int, rng: np.random.Generator) -> Floats:
    packed = rng.integers(0, 256, (patterns, -(-len(moving) // 8)), np.uint8)
    kept = np.unpackbits(packed, axis=1, count=len(moving))
    # The total of kept minus the total of flipped is twice the kept minus all.
    totals: Floats = 2 * (kept.astype(np.float64) @ moving) - moving.sum()
    return totals
