"""The counts of the graph benchmark: right, wrong, unjudged, missed."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.research.graph.compare import Score, compare, differences
from benchmarks.research.graph.draw import edges, first, sites
from benchmarks.research.graph.table import page
from benchmarks.research.graph.verdicts import check, entries
from index import open_index
from index.generation.reader import Snapshot

CODE = """\
def one():
    return 1


def two():
    return one()


def three():
    one()
    two()
    return two()
"""
# A tool's possible output: `two` calls `one`, `three` calls `one` and something from elsewhere.
TRUTH = [
    ["calls", "a.py", 6, "one", [["a.py", 1]]],
    ["calls", "a.py", 10, "one", []],
    ["calls", "a.py", 11, "gone", [["b.py", 1]]],
    ["calls", "elsewhere.py", 1, "one", [["a.py", 1]]],
]


@pytest.fixture
def snapshot(tmp_path: Path) -> Snapshot:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "a.py").write_text(CODE)
    return open_index(root, home=tmp_path / "home", model="embedded").snapshot


def test_edges_are_counted_against_the_truth(snapshot: Snapshot) -> None:
    score = compare(snapshot, TRUTH)["calls"]
    # Ours: two -> one (right), three -> one (wrong), three -> two (no answer). Theirs: two -> one, three -> gone.
    assert score == Score(ours=3, right=1, unjudged=1, theirs=2, matches=1)
    assert score.precision == pytest.approx(1 / 3)
    assert score.judged_precision == pytest.approx(1 / 2)
    assert score.recall == pytest.approx(1 / 2)


def test_differences_say_what_is_wrong_and_missed(snapshot: Snapshot) -> None:
    assert differences(snapshot, TRUTH, "calls") == [
        "missed a.py:11 gone -> b.py:1 (no symbol)",
        "no answer a.py:three -> a.py:5 two",
        "wrong a.py:three -> a.py:1 one",
    ]


def test_checked_edges_are_recognised(snapshot: Snapshot) -> None:
    sample = {
        "edges": [
            ["a.py", 6, "one", "a.py", 1, True],
            ["a.py", 10, "one", "a.py", 1, False],
            ["a.py", 12, "gone", "b.py", 1, True],
        ],
        "sites": [
            ["a.py", 6, "one", [["b.py", 1], ["a.py", 1]]],
            ["a.py", 11, "two", [["b.py", 5]]],
            ["a.py", 12, "two", []],
        ],
    }
    found = check(snapshot, "python", sample)
    assert (found.edges, found.edges_present, found.edges_right) == (3, 2, 1)
    assert (found.sites, found.sites_in_tree, found.sites_bound) == (3, 2, 1)


def test_a_draw_is_repeatable_and_keeps_unchanged_edges(snapshot: Snapshot) -> None:
    today = edges(snapshot, "call", "python")
    # One call per name and symbol: the second `two()` in `three` adds nothing.
    assert today == {("a.py", 6, "one", "a.py", 1), ("a.py", 10, "one", "a.py", 1), ("a.py", 11, "two", "a.py", 5)}
    drawn = first(today, 2)
    assert first(sorted(today, reverse=True), 2) == drawn
    assert first(today - {drawn[0]}, 1) == drawn[1:]
    assert sites(snapshot, "python") == {row[:3] for row in today}


def test_every_checked_language_has_sixty_edges() -> None:
    counts: dict[str, int] = {}
    for entry in entries():
        counts[entry["language"]] = counts.get(entry["language"], 0) + len(entry["edges"])
    assert counts
    assert min(counts.values()) >= 60


def test_the_page_shows_whether_marks_are_met() -> None:
    good, bad = Score(100, 95, 0, 100, 80), Score(100, 80, 0, 100, 80)
    assert "| python | calls | 100 | 100 | 0.950 | 0.950 | 0.800 | ≥ 0.90 / 0.70 | yes |" in page(
        {"python": {"calls": good}}, [], "about"
    )
    assert "| 0.800 | 0.800 | 0.800 | ≥ 0.90 / 0.70 | **no** |" in page({"python": {"calls": bad}}, [], "about")
