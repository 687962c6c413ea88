"""Names and texts in a long sentence say where to look: which of them, and which member of a type, comes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from index import Index, open_index
from tests.index.conftest import WriteTree

METHODS = {
    "add_item": "Put one more item into the basket of the customer.",
    "drop_expired": "Remove items whose reservation expired, unless the warehouse extends it.",
    "extend_reservation": "Ask the warehouse to keep the items longer before their reservation expired.",
    "count_reserved": "How many items of the warehouse have a reservation.",
    "total_price": "The sum of the prices, with taxes and discounts.",
    "rename_owner": "Give the basket to another customer.",
    "print_receipt": "Write one line for each item, then the sum.",
}
STEPS = "".join(f"        self.log.append(({number}, '{{name}}'))\n" for number in range(12))
BODIES = "".join(
    f'    def {name}(self, item):\n        """{text}"""\n{STEPS.format(name=name)}\n' for name, text in METHODS.items()
)
TREE = {
    "shop/cart.py": f"class ShopCart:\n    log = []\n\n{BODIES}",
    "shop/load.py": "def load_cart(path):\n    return path\n",
    "shop/store.py": 'def save_store(path, retries):\n    """A damaged file is replaced if its checksum failed."""\n'
    + "".join(f"    path.write_text({number})\n" for number in range(12)),
    "shop/report.py": "def accepts():\n    return ['text/csv']\n\n\n"
    + "".join(f"def {name}(report):\n    return report\n\n\n" for name in ("cell", "quotes", "empty_cells", "twice")),
    "shop/export.py": "def export_rows(rows, separator):\n"
    '    """The rows of a report; quotes of a cell are escaped, and the separator is written between cells."""\n'
    "    if not separator:\n        separator = ','\n"
    "    if any('\\'' in cell for row in rows for cell in row):\n        rows = escaped(rows)\n"
    "    return 'text/csv', separator.join(rows)\n",
}


@pytest.fixture
def index(write_tree: WriteTree, tmp_path: Path) -> Index:
    return open_index(write_tree(TREE), home=tmp_path / "home", model="embedded")


def exact(index: Index, query: str) -> list[tuple[str, str | None]]:
    """(why, symbol) of the exact hits of a pack."""
    hits = [hit for hit in index.search(query, top_k=9, order="pack") if hit.score >= 0.5]
    return [(hit.why[0].name, index.chunk(hit.chunk).symbol) for hit in hits]


@pytest.mark.parametrize(
    ("query", "hits"),
    [
        (
            "ShopCart must remove items when their reservation in the warehouse expired",
            [("exact.member", "ShopCart.drop_expired"), ("exact.named", "ShopCart")],
        ),
        (
            "the shop cart is wrong: taxes are missing in the sum of the prices",
            [("exact.member", "ShopCart.total_price"), ("exact.named", "ShopCart")],
        ),
        ("why does ShopCart keep items", [("exact.named", "ShopCart")]),
        (
            "load_cart works, but save_store leaves a damaged file when its checksum failed",
            [("exact.named", "save_store"), ("exact.named", "load_cart")],
        ),
        ("`load_cart` or `save_store`", [("exact.named", "load_cart"), ("exact.named", "save_store")]),
        (
            "a text/csv report escapes the quotes of a cell twice when the separator is empty",
            [("exact.mention", "export_rows"), ("exact.mention", "accepts")],
        ),
    ],
)
def test_what_fits_a_sentence_best_comes_first(index: Index, query: str, hits: list[tuple[str, str]]) -> None:
    assert exact(index, query) == hits
