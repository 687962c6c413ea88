"""Counting what no grammar reads."""

from __future__ import annotations

from pathlib import Path

from benchmarks.research.grammars import readings, table


def test_unread_bytes_are_counted_by_file_and_language(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "cart.py").write_text("def total():\n    return 9\n")
    (tmp_path / "shop" / "fish.py").write_text("def pay(:\n    )\n")
    (tmp_path / "shop" / "notes.txt").write_text("No grammar reads this.\n")
    cart, fish = readings([tmp_path])
    assert (cart.path.name, cart.unread) == ("cart.py", 0) and fish.unread > 0
    assert "| python | 2 |" in table([cart, fish])
    assert readings([tmp_path], only="ruby") == []
