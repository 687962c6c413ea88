"""A repository with a few committed files, for packs of changes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from context_pack.session import Session

PRICES = """\
TAX = 1.19


def gross(net):
    return net * TAX


def rounded(value):
    return round(value, 2)


def discount_of(customer):
    return 0.1 if customer.loyal else 0
"""
CART = """\
from shop.prices import discount_of, gross, rounded


class Cart:
    def total(self):
        return rounded(sum(gross(item.net) for item in self.items))

    def rebate(self, customer):
        return discount_of(customer) * self.total()
"""
TEST = """\
from shop.prices import gross


def test_gross():
    assert gross(100) == 119
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository with a few committed files."""
    root = tmp_path / "shop repo"
    write(root, "shop/prices.py", PRICES)
    write(root, "shop/cart.py", CART)
    write(root, "tests/test_prices.py", TEST)
    write(root, "shop/notes.md", "# Prices\n\nA price is gross or net.\n")
    git(root, "init", "-q", "-b", "main")
    commit(root, "first")
    return root


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text, "utf-8")


def git(root: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(root: Path, message: str) -> str:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)
    return git(root, "rev-parse", "HEAD")


@pytest.fixture
def packed(tmp_path: Path) -> Callable[..., Any]:
    """`packed(root, diff, text)`: the answer, from a new index."""

    def ask(root: Path, diff: str = "HEAD", text: str | None = None, **options: object) -> Any:
        session = Session.open(root, {"index_dir": tmp_path / "index", "model": "embedded"})
        return session.query(text, diff=diff, **options)

    return ask


def symbols(answer: Any, role: str) -> list[str]:
    return [item.symbol or item.file for item in answer.data.items if item.role == role]
