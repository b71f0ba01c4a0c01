"""A confidence that is what it says has no calibration error, and one that is not has."""

from __future__ import annotations

import pytest

from eval.trials.reliability import calibration_error, report


def test_a_confidence_that_is_right_has_no_error() -> None:
    right = [(0.8, True)] * 8 + [(0.8, False)] * 2
    assert calibration_error(right) == pytest.approx(0)


def test_one_that_is_too_sure_has_the_distance_for_error() -> None:
    pairs = [(0.95, True), (0.95, False), (0.05, False), (0.05, False)]
    assert calibration_error(pairs) == pytest.approx(0.5 * 0.45 + 0.5 * 0.05)
    assert "expected calibration error 0.250" in report(pairs)


def test_certainty_falls_into_the_last_tenth() -> None:
    assert "0.9 – 1.0" in report([(1.0, True)])
