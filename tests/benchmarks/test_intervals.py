"""Bootstrap intervals: means, widths, and equal results on every run."""

import math

import pytest

from benchmarks.intervals import Interval, mean_interval, paired_interval


def test_the_mean_lies_within_and_the_width_follows_the_spread() -> None:
    values = [0.0, 1.0] * 50
    interval = mean_interval(values)
    assert interval.mean == 0.5
    # The normal approximation: 1.96 * 0.5 / sqrt(100) = 0.098 either way.
    assert interval.low == pytest.approx(0.402, abs=0.015)
    assert interval.high == pytest.approx(0.598, abs=0.015)


def test_the_same_values_give_the_same_interval() -> None:
    values = [index / 10 for index in range(11)]
    assert mean_interval(values) == mean_interval(values)


def test_equal_values_leave_no_width() -> None:
    assert mean_interval([0.25] * 8) == Interval(0.25, 0.25, 0.25)


def test_no_values_are_zero_without_bounds() -> None:
    empty = mean_interval([])
    assert empty.mean == 0.0
    assert math.isnan(empty.low)
    assert str(empty) == "0.000"


def test_a_difference_is_weighted_by_questions_and_resampled_by_repository() -> None:
    ours = {"a": [1.0, 1.0, 1.0], "b": [0.0]}
    theirs = {"a": [0.5, 0.5, 0.5], "b": [0.5]}
    difference = paired_interval(ours, theirs)
    assert difference.mean == pytest.approx((3 * 0.5 - 0.5) / 4)
    assert (difference.low, difference.high) == (-0.5, 0.5), "a draw may hold one repository twice"


def test_one_repository_gives_a_mean_without_bounds() -> None:
    difference = paired_interval({"a": [1.0]}, {"a": [0.0]})
    assert str(difference) == "1.000"


def test_runs_that_do_not_pair_up_are_refused() -> None:
    with pytest.raises(ValueError, match="same questions"):
        paired_interval({"a": [1.0]}, {"a": [1.0, 0.0]})
    with pytest.raises(ValueError, match="same questions"):
        paired_interval({"a": [1.0]}, {"b": [1.0]})
