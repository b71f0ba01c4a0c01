"""Percentiles by hand."""

from __future__ import annotations

import pytest

from eval.percentile import median, percentile


@pytest.mark.parametrize(
    ("share", "expected"), [(0.05, 15), (0.3, 20), (0.4, 20), (0.5, 35), (0.95, 50), (1.0, 50)]
)
def test_a_percentile_is_the_value_at_the_nearest_rank(share: float, expected: float) -> None:
    assert percentile([40, 15, 50, 20, 35], share) == expected


def test_rounding_errors_of_the_share_do_not_move_the_rank() -> None:
    # 0.07 * 100 is 7.000000000000001 in binary.
    assert percentile(range(1, 101), 0.07) == 7


def test_the_median_of_an_even_number_is_a_value_that_was_measured() -> None:
    assert median([4.0, 1.0, 3.0, 2.0]) == 2.0


@pytest.mark.parametrize("share", [0.0, -0.1, 1.1])
def test_a_share_outside_its_range_is_refused(share: float) -> None:
    with pytest.raises(ValueError, match="share"):
        percentile([1.0], share)


def test_no_values_have_no_percentile() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentile([], 0.5)
