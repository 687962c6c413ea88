"""A name counts as the same in every language's spelling."""

from __future__ import annotations

import pytest

from index.search.spelling import names_in, place_among, symbol_of
from tests.clock import within


@pytest.mark.parametrize(
    ("text", "symbol"),
    [
        ("Cart", "Cart"),
        ("Cart.total", "Cart.total"),
        ("Cart::total", "Cart.total"),
        ("Cart#total()", "Cart.total"),
        ("Cart->total", "Cart.total"),
        ("Shop\\Cart\\Line", "Shop.Cart.Line"),
        ("Shop\\CartController@show", "Shop.CartController.show"),
        ("[dbo].[Cart_Read]", "dbo.Cart_Read"),
        ("someone@host", ""),
        ("/users/:id", ""),
        ("shop/cart.Cart", "shop.cart.Cart"),
        ("shop.cart.Cart.total", "shop.cart.Cart.total"),
        ("obj:method", "obj.method"),
        ("Vec<T>::push()", "Vec.push"),
        ("Map<String, List<int>>", "Map"),
        ("List[str]", "List"),
        ("std::vector<int>::iterator", "std.vector.iterator"),
        (".send", "send"),
        ("::total", "total"),
        ("#total", "total"),
        ("self.total", "total"),
        ("crate::cart::Cart", "cart.Cart"),
        ("total(a, f(b))", "total"),
        ("println!", "println!"),
        ("empty?", "empty?"),
        ("parse/2", "parse"),
        ("&Cart::total", "Cart.total"),
        ("`Cart.total`;", "Cart.total"),
        ("~Cart", "~Cart"),
        ("@cached", "@cached"),
        ("operator==", "operator=="),
        (">>=", ">>="),
        ("/:", "/:"),
        ("how are carts stored", ""),
        ("Cart total", ""),
        ("", ""),
        ("()", ""),
    ],
)
def test_a_name_in_any_spelling(text: str, symbol: str) -> None:
    assert symbol_of(text) == symbol


def test_a_word_of_a_page_takes_no_time() -> None:
    with within(3):
        assert names_in("a_" * 10_000 + "-") == []


def test_names_among_words_are_those_that_only_code_spells_so() -> None:
    text = "Why does HelpFormatter call `wrap` before write_usage() or Cart.total when HTTP is Slow, __exit__ too?"
    assert names_in(text) == ["wrap", "HelpFormatter", "write_usage", "Cart.total", "__exit__"]
    assert names_in("Where is the parser, and how does it read src/parse_query.py?") == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("src/a.py:12:def total(cart):", "src/a.py:12"),
        ("src/a.py:12:    return b.py:3", "src/a.py:12"),
        ("src/a.py:12: def total(self):", "src/a.py:12"),
        ("src/a.py:12:8", "src/a.py:12:8"),
        ("## `src/a.py:3-9,20` method `Cart.total`", "src/a.py:3-9,20"),
        ("a.py:1 b.py:2", "a.py:1 b.py:2"),
        ("Cart.total (src/a.py:12),", "src/a.py:12"),
        ("(shop)/page.tsx:12", "(shop)/page.tsx:12"),
        ("see src/a.py(12,8)", "src/a.py(12,8)"),
    ],
)
def test_the_place_in_a_printed_line_is_read(text: str, place: str) -> None:
    assert place_among(text) == place
