"""Messages with values in the places of their placeholders, counted if a pack begins with the line that builds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.research import messages
from index import open_index

FILES = {
    "shop/cart.py": """\
def add(item, stock):
    if item not in stock:
        raise KeyError("there is no {item} in stock today")
    # raise KeyError("there were %d old carts left")
    print("the cart is full")
    return f"{stock[item]} of them"


def drop(item):
    raise ValueError("the cart does not hold %s any more" % item)
""",
    "shop/till.py": 'def open_till():\n    raise OSError("the till %s is locked by %s")\n',
    "shop/copies.py": "".join(
        f'def copy_{at}():\n    raise OSError("the disk %s is full now")\n\n\n' for at in range(3)
    ),
    "tests/test_cart.py": 'def test_cart():\n    assert str(error) == "only a test says %s here"\n',
}


def test_a_message_is_a_literal_with_values_on_few_lines_of_code(trees: Path, tmp_path: Path) -> None:
    index = open_index(trees / "shop", home=tmp_path / "home", model="embedded")
    by_message = dict(messages.messages(index, trees / "shop"))
    assert sorted(by_message.values(), key=sorted) == [
        {("shop/cart.py", 3)},
        {("shop/cart.py", 10)},
        {("shop/till.py", 2)},
    ]
    assert not any("{" in message or "%" in message for message in by_message)


def test_each_message_leads_to_its_line(trees: Path, tmp_path: Path) -> None:
    outcomes, misses = messages.run([trees], 60, tmp_path / "scratch")
    assert (outcomes, misses) == ({"shop": [1.0] * 3}, [])
    assert "| 1 | 3 | 3 |" in messages.table({"commit": "0", "machine": "one", "command": "python"}, outcomes)


def test_a_message_that_the_first_items_lack_is_a_miss(
    trees: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "FIRST", 0)
    outcomes, misses = messages.run([trees], 60, tmp_path / "scratch")
    assert outcomes == {"shop": [0.0] * 3} and any("(shop/till.py:2)" in miss for miss in misses)
