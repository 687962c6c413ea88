"""The measures, compared with values computed by hand."""

import math

import pytest

from benchmarks.metrics import (
    Place,
    covers,
    first_ranks,
    hit,
    measures,
    ndcg,
    recall_within,
    reciprocal_rank,
    same_path,
)
from benchmarks.suites import Target

A = Place("lib/a.py", 1, 20, 500)
A_BELOW = Place("lib/a.py", 40, 60, 700)
B = Place("lib/b.py", 1, 9, 900)
C = Place("lib/c.py", 1, 9, 4000)


def test_a_path_matches_by_suffix_at_a_folder_boundary_either_way() -> None:
    assert same_path("a.py", "lib/a.py")
    assert same_path("repo/lib/a.py", "lib/a.py")
    assert same_path("a.py", "a.py")
    assert not same_path("aa.py", "a.py")
    assert not same_path("lib/a.py", "src/a.py")


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [(None, None, True), (20, 30, True), (1, 1, True), (21, 30, False), (5, None, True)],
)
def test_lines_must_overlap_where_a_target_has_both(start: int | None, end: int | None, expected: bool) -> None:
    assert covers(A, Target("lib/a.py", start, end)) is expected


def test_the_first_covering_place_counts_for_each_target() -> None:
    targets = [Target("lib/a.py", 50, 55), Target("lib/b.py"), Target("lib/none.py")]
    assert first_ranks([A, B, A_BELOW, B], targets) == [2, 1, None]


def test_ndcg_by_hand() -> None:
    # Two targets, found at ranks 1 and 3 of a list from 1: (1/log2 2 + 1/log2 4) / (1/log2 2 + 1/log2 3).
    assert ndcg([0, 2]) == pytest.approx((1 + 0.5) / (1 + 1 / math.log2(3)))
    assert ndcg([0, 1]) == 1.0
    assert ndcg([None]) == 0.0
    assert ndcg([]) == 0.0
    assert ndcg([10]) == 0.0, "the eleventh place is out"


def test_two_targets_in_one_place_gain_once() -> None:
    assert ndcg([0, 0]) == pytest.approx(1 / (1 + 1 / math.log2(3)))


def test_reciprocal_rank_and_hits_look_at_the_best_target() -> None:
    assert reciprocal_rank([None, 3, 7]) == 0.25
    assert reciprocal_rank([None, 10]) == 0.0
    assert [hit([None, 3], depth) for depth in (1, 3, 4)] == [0.0, 0.0, 1.0]


def test_recall_counts_the_targets_that_end_within_the_budget() -> None:
    targets = [Target("lib/a.py"), Target("lib/b.py"), Target("lib/c.py")]
    places = [A, B, C]
    assert recall_within(places, targets, 499) == 0.0
    assert recall_within(places, targets, 500) == pytest.approx(1 / 3)
    assert recall_within(places, targets, 1400) == pytest.approx(2 / 3)
    assert recall_within(places, targets, 5400) == 1.0


def test_a_place_that_does_not_fit_ends_the_list() -> None:
    small = Place("lib/d.py", 1, 2, 10)
    assert recall_within([C, small], [Target("lib/d.py")], 2000) == 0.0


def test_all_measures_of_one_question() -> None:
    values = measures([A, B], [A, B, C], [Target("lib/b.py")])
    assert values["ndcg@10"] == pytest.approx(1 / math.log2(3))
    assert values["mrr@10"] == 0.5
    assert (values["hit@1"], values["hit@5"]) == (0.0, 1.0)
    assert (values["recall@2000"], values["recall@32000"]) == (1.0, 1.0)
