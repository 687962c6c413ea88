"""Pasted code finds the place that it was copied from."""

from __future__ import annotations

from pathlib import Path

import pytest

from index import Index, open_index
from tests.index.conftest import WriteTree

CART = """class Cart:
    def total(self):
        prices = [line.price * line.count for line in self.lines]
        discount = self.discount(prices)
        return sum(prices) - discount

    def is_empty(self):
        return not self.lines
"""
FILES = {
    "src/cart.py": CART,
    "src/price.py": "def discount(prices):\n    return 0.1 * sum(prices)\n",
    "tests/test_cart.py": "def test_total():\n    assert Cart().is_empty()\n    prices = [1]\n",
    "README.md": "# Shop\n\nAll prices are net,\nwithout any tax.\n",
    **{f"src/part_{n}.py": "import shop\n\nshop.register(__name__)\nshop.start(__name__)\n" for n in range(9)},
}


@pytest.fixture
def index(write_tree: WriteTree, tmp_path: Path) -> Index:
    return open_index(write_tree(FILES), home=tmp_path / "home", model="embedded")


COPY = "        prices = [line.price * line.count for line in self.lines]\n        discount = self.discount(prices)"


@pytest.mark.parametrize(
    ("text", "file", "lines"),
    [
        (COPY, "src/cart.py", (3, 4)),
        (COPY.replace("        ", ""), "src/cart.py", (3, 4)),
        (COPY.replace("\n", "\r\n"), "src/cart.py", (3, 4)),
        ("3\t" + COPY.replace("\n", "\n4\t"), "src/cart.py", (3, 4)),
        (f"What is this for?\n\n```python\n{COPY}\n```\n", "src/cart.py", (3, 4)),
        (f"{COPY}\n        return sum(prices)  # was changed\n", "src/cart.py", (3, 5)),
        ("prices = [line.price * line.count for line in self.lines]", "src/cart.py", (3, 3)),
        ("return 0.1 * sum(prices)", "src/price.py", (2, 2)),
        ("assert Cart().is_empty()", "tests/test_cart.py", (2, 2)),
        ("All prices are net,\nwithout any tax.", "README.md", (3, 4)),
    ],
)
def test_a_copy_leads_to_its_place(index: Index, text: str, file: str, lines: tuple[int, int]) -> None:
    hit = index.search(text)[0]
    assert (index.chunk(hit.chunk).file, hit.lines) == (file, (lines,))
    assert [why.name for why in hit.why] == ["exact.code"]


@pytest.mark.parametrize(
    "text",
    [
        "shop.register(__name__)\nshop.start(__name__)",  # in too many files to mean one of them
        "prices = [line.price * line.count for line in self.lines]\nfirst()\nsecond()\nthird()",
        "All prices are net,",  # one line of prose counts as words
        "how are prices counted when a line has none?",
        "\n\n",
        "{\n}\n",
    ],
)
def test_other_texts_are_no_copies(index: Index, text: str) -> None:
    assert all(why.name != "exact.code" for hit in index.search(text) for why in hit.why)


def test_what_a_line_of_several_places_names_comes_before_them(write_tree: WriteTree, tmp_path: Path) -> None:
    line = '{{- include "shop.labels" . | nindent 4 }}'
    files = {f"templates/{name}.yaml": f"kind: {name}\nlabels:\n    {line}\n" for name in ("Cart", "Store", "Till")}
    files["templates/_helpers.tpl"] = '{{- define "shop.labels" -}}\napp: shop\n{{- end }}\n'
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    found = [index.chunk(hit.chunk).file for hit in index.search(line, order="pack") if hit.score >= 0.5]
    assert found == ["templates/_helpers.tpl", *(f"templates/{name}.yaml" for name in ("Cart", "Store", "Till"))]


NOTICE = "Cart {} was closed early.\nIts items are lost.\n\nDid you close the till, perhaps?\nPlease open it again.\n"


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("Its items are lost.\n\nDid you close the till, perhaps?\nPlease open it again.", ["NOTICE", "close"]),
        ('NOTICE = """\nCart {} was closed early.\nIts items are lost.', ["NOTICE"]),  # code rather than what it prints
    ],
)
def test_printed_lines_lead_to_their_constant_and_the_code_that_prints_it(
    write_tree: WriteTree, tmp_path: Path, text: str, symbols: list[str]
) -> None:
    files = {
        "till.py": f'def close(cart):\n    warn(NOTICE.format(cart))\n\n\nNOTICE = """\n{NOTICE}"""\n',
        "desk.py": "def lost(items):\n    return [item for item in items if item.is_lost]\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(text, order="pack") if hit.score >= 0.5]
    assert [index.chunk(hit.chunk).symbol for hit in hits] == symbols
