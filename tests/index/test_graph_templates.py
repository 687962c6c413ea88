"""Templates are tied to the code that they use, to templates that they include, and to the code that shows them."""

from __future__ import annotations

from pathlib import Path

import pytest

from context_pack import api
from index.graph.templates import TemplateFinder
from tests.clock import within
from tests.index.conftest import WriteTree

FILES = {
    # Rails
    "app/helpers/carts_helper.rb": "module CartsHelper\n  def link_to_cart(cart)\n    cart.id\n  end\nend\n",
    "app/models/cart.rb": "class Cart\n  def total\n    1\n  end\nend\n",
    "app/models/order.rb": "class Order\n  def total\n    2\n  end\nend\n",
    "app/controllers/carts_controller.rb": "class CartsController\n  def show\n    @cart = 1\n  end\n\n"
    "  def update\n    @cart = 2\n    render :edit\n  end\nend\n",
    "app/controllers/orders_controller.rb": "class OrdersController\n  def show\n    3\n  end\nend\n",
    "app/views/carts/show.html.erb": "<%= link_to_cart(@cart) %>\n<%= @cart.total %>\n<%= render 'carts/item' %>\n",
    "app/views/carts/_item.html.erb": "<p>Item</p>\n",
    "app/views/carts/edit.html.erb": "<p>Edit</p>\n",
    "app/views/orders/edit.html.erb": "<p>Edit</p>\n",
    # EEx
    "lib/shop/money.ex": "defmodule Shop.Money do\n  def in_euros(cents), do: cents\nend\n",
    "lib/shop/receipt.txt.eex": "Total: <%= in_euros(total) %>\n",
    # Django
    "shop/views.py": "def show_cart(request):\n    return render(request, 'shop/cart.html')\n",
    "shop/tags.py": "def as_money(value):\n    return value\n",
    "shop/templates/base.html": "<html></html>\n",
    "shop/templates/shop/cart.html": '{% extends "base.html" %}\n{{ cart|as_money }}\n',
}


@pytest.fixture
def tree(write_tree: WriteTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CTXPACK_CACHE_DIR", str(tmp_path / "cache"))
    return write_tree(FILES)


def ties(tree: Path, target: str) -> set[tuple[str, str]]:
    """(file, relationship) of the places that the graph ties to a target directly."""
    hits = api.related(target, repo=tree).hits
    return {
        (hit.file, hit.relationship[0])
        for hit in hits
        if len(hit.relationship) == 1 and "resembles" not in hit.relationship
    }


@pytest.mark.parametrize(
    ("target", "file", "relationship"),
    [
        ("link_to_cart", "app/views/carts/show.html.erb", "called_by"),
        ("Cart.total", "app/views/carts/show.html.erb", "called_by"),
        ("as_money", "shop/templates/shop/cart.html", "called_by"),
        ("in_euros", "lib/shop/receipt.txt.eex", "called_by"),
        ("app/views/carts/_item.html.erb", "app/views/carts/show.html.erb", "used_by"),
        ("app/views/carts/show.html.erb", "app/views/carts/_item.html.erb", "uses"),
        ("app/views/carts/show.html.erb", "app/helpers/carts_helper.rb", "calls"),
        ("shop/templates/base.html", "shop/templates/shop/cart.html", "used_by"),
        ("show_cart", "shop/templates/shop/cart.html", "uses"),
        ("CartsController.show", "app/views/carts/show.html.erb", "uses"),
        ("CartsController.update", "app/views/carts/edit.html.erb", "uses"),
    ],
)
def test_what_templates_use_and_what_shows_them(tree: Path, target: str, file: str, relationship: str) -> None:
    assert (file, relationship) in ties(tree, target)


@pytest.mark.parametrize(
    ("target", "file"),
    [
        ("Order.total", "app/views/carts/show.html.erb"),  # another type has a method of this name
        ("app/views/orders/edit.html.erb", "app/controllers/carts_controller.rb"),
        ("OrdersController.show", "app/views/carts/show.html.erb"),
    ],
)
def test_a_template_uses_nothing_else_of_that_name(tree: Path, target: str, file: str) -> None:
    assert file not in {one for one, _ in ties(tree, target)}


def test_a_changed_helper_brings_its_templates(tree: Path) -> None:
    patch = (
        "--- a/shop/tags.py\n+++ b/shop/tags.py\n@@ -1,2 +1,2 @@\n-def as_money(value, unit):\n+def as_money(value):\n"
        "     return value\n"
    )
    pack = api.query(patch, repo=tree)
    assert "shop/templates/shop/cart.html" in [item.file for item in pack.items]


def test_a_refresh_ties_a_template_again(tree: Path) -> None:
    assert ("shop/templates/shop/cart.html", "called_by") in ties(tree, "as_money")
    other = tree / "shop" / "views.py"
    other.write_text(
        f"{other.read_text()}\n\nclass Money:\n    as_money = 1\n\n    def as_money(self):\n        return 1\n"
    )
    assert ("shop/templates/shop/cart.html", "called_by") not in ties(tree, "shop/tags.py:as_money")
    other.write_text(FILES["shop/views.py"])
    assert ("shop/templates/shop/cart.html", "called_by") in ties(tree, "as_money")


def test_many_templates_of_one_name_take_no_time() -> None:
    paths = [f"views/d{number}/cart/_item.html.erb" for number in range(4_000)]
    finder = TemplateFinder([*paths, *(f"app/d{number}/item_controller.rb" for number in range(4_000))])
    with within(3):
        assert all(finder.find("cart/item", number) == number for number in range(4_000))
        assert {finder.find("item", number) for number in range(4_000, 8_000)} == {-1}
