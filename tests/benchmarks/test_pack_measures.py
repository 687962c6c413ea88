"""The counts of the pack benchmark, on packs written by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.metrics import Place
from benchmarks.pack import faults, first_come, recall, resolves, shows
from benchmarks.suites import Target
from contracts.records import Budget, Item, Pack

LINES = [f"line {number}" for number in range(1, 11)]
ITEM = Item("a.py:3:8", "primary", "a.py", 3, 8, 1.0, (), "\n".join(LINES[2:8]))
CUT = replace(ITEM, content="line 3\n# ... lines 4-7 left out\nline 8", elided=((4, 7),))


def packed(*items: Item, limit: int = 1000) -> Pack:
    used = sum(len(item.content) + 128 for item in items)
    return Pack("q", "m", "balanced", items, Budget(limit, used, False, 0))


def test_omitted_lines_of_an_item_do_not_count() -> None:
    assert shows(ITEM, Target("a.py", 5, 6)) and not shows(CUT, Target("a.py", 5, 6))
    assert shows(CUT, Target("a.py", 6, 8)) and shows(CUT, Target("a.py")) and not shows(CUT, Target("b.py"))
    assert recall([CUT], [Target("a.py"), Target("a.py", 5, 6)]) == 0.5


def test_the_peers_places_are_added_in_order_while_they_fit() -> None:
    places = [Place("a", 1, 1, 300), Place("b", 1, 1, 900), Place("c", 1, 1, 100)]
    assert [place.path for place in first_come(places, 700)] == ["a", "c"]


def test_faults_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("\n".join(LINES))
    assert faults(packed(ITEM), tmp_path) == faults(packed(CUT), tmp_path) == []
    assert resolves(CUT, tmp_path) and not resolves(replace(CUT, content=ITEM.content), tmp_path)
    other = replace(ITEM, id="a.py:8:9", start_line=8, end_line=9, content="line 8\nline 9")
    assert faults(packed(ITEM, other), tmp_path) == ["a.py:8:9 overlaps a.py:3:8"]
    assert "an item comes twice" in faults(packed(ITEM, ITEM), tmp_path)
    assert faults(packed(ITEM, limit=100), tmp_path) == ["costs 169, says 169 of 100"]
    assert faults(packed(replace(ITEM, content=ITEM.content.replace("5", "6"))), tmp_path) == [
        "a.py:3:8 is not what the file holds"
    ]
