"""Uses of a symbol: which code counts, and whether the graph ties it to the symbol."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.research.ties import TYPES, main, table, uses
from index import open_index

CART = "def open_cart(shop):\n    return shop\n\n\ndef other():\n    return open_cart(1)\n"
MAIN = (
    "from cart import open_cart\n\n\ndef run():\n    # open_cart is not called here\n    return 1\n\n\n"
    "def show():\n    return open_cart(2)\n\n\ndef guess(shop):\n    return shop.open_cart(3)\n"
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "tree"
    root.mkdir()
    (root / "cart.py").write_text(CART)
    (root / "main.py").write_text(MAIN)
    return root


def test_code_that_names_a_symbol_is_tied_or_not(tree: Path, tmp_path: Path) -> None:
    index = open_index(tree, home=tmp_path / "home", model="embedded")
    found = list(uses(index, ["function", *TYPES], 10))
    assert {use.symbol for use in found} == {"open_cart"}
    assert {(use.used_at, use.state) for use in found} == {
        ("cart.py:6", "tied"),
        ("main.py:10", "tied"),
        ("main.py:14", "unbound"),
    }
    assert table({"tree": found}).splitlines()[-1] == "| tree | python | function | 3 | 66.7 % | 1 | 0 |"


def test_misses_are_listed(tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(tree), "--index-dir", str(tmp_path / "home"), "--misses", "5"])
    printed = capsys.readouterr().out
    assert "unbound python function open_cart (cart.py:1) at main.py:14: return shop.open_cart(3)" in printed
    assert "main.py:10" not in printed
