"""Small trees and indexes over them, with the real chunker, the real model and real files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from index.build import Builder
from index.embed.static import StaticEmbedder
from index.generation.reader import Snapshot
from index.generation.store import Store
from index.tree.walk import walk
from index.types import Refreshed

SHOP = {
    "shop/__init__.py": "from shop.cart import Cart\n",
    "shop/cart.py": (
        "from shop.money import Money\n\n\nclass Cart:\n"
        '    """What a customer is about to buy."""\n\n'
        "    def __init__(self):\n        self.lines = []\n\n"
        "    def add(self, item, price):\n        self.lines.append((item, Money(price)))\n\n"
        "    def total(self):\n        return self.sum_up()\n\n"
        "    def sum_up(self):\n        return sum(line[1].amount for line in self.lines)\n"
    ),
    "shop/money.py": (
        '"""Amounts of money."""\n\nROUNDING = 2\n\n\nclass Money:\n    def __init__(self, amount):\n'
        "        self.amount = round(amount, ROUNDING)\n\n\ndef parse_money(text):\n    return Money(float(text))\n"
    ),
    "tests/test_cart.py": "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 0\n",
    "README.md": "# Shop\n\nA cart with money in it.\n\n## Checkout\n\nCall `Cart.total`.\n",
}

WriteTree = Callable[[dict[str, str]], Path]
Indexed = Callable[[Path], Snapshot]


def write_files(root: Path, files: dict[str, str]) -> Path:
    """Write files below a folder and return it."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())
    return root


@pytest.fixture
def write_tree(tmp_path: Path) -> WriteTree:
    """`write_files` below one folder; called again, it adds to the same tree."""
    return partial(write_files, tmp_path / "tree")


@pytest.fixture
def shop(write_tree: WriteTree) -> Path:
    return write_tree(SHOP)


@pytest.fixture(scope="session")
def embedder() -> StaticEmbedder:
    return StaticEmbedder.load()


class Keeper:
    """One index home, refreshed on demand."""

    def __init__(self, home: Path, embedder: StaticEmbedder) -> None:
        self.store = Store(home)
        self.embedder = embedder

    def refresh(self, root: Path, *, full: bool = False) -> tuple[Snapshot, Refreshed]:
        builder = Builder(root, self.store, self.embedder, None)
        return builder.refresh(walk(root), self.store.open(), full=full, wait_s=1.0)


@pytest.fixture
def keeper(tmp_path: Path, embedder: StaticEmbedder) -> Keeper:
    return Keeper(tmp_path / "home", embedder)
