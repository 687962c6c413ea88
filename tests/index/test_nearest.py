"""The existing names nearest to a misspelt one."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from index.search.names import NearNames, edits
from index.segment.columns import Strings

NAMES = sorted(
    ["HelpFormatter", "write_usage", "Factory", "get_cart", "get_card", "parseQuery", "MAX_SIZE", "Cart.total"]
)


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ("HelpFormater", "HelpFormatter"),
        ("HlepFormatter", "HelpFormatter"),
        ("helpformatter", "HelpFormatter"),
        ("help_formatter", "HelpFormatter"),
        ("FormatterHelp", "HelpFormatter"),
        ("HelpFormatters", "HelpFormatter"),
        ("usage_write", "write_usage"),
        ("Factories", "Factory"),
        ("parse_querry", "parseQuery"),
        ("MAXSIZES", "MAX_SIZE"),
        ("Cart.totl", "Cart.total"),
    ],
)
def test_the_nearest_name_comes_first(asked: str, first: str) -> None:
    assert NearNames(Strings.of(NAMES)).near(asked, 3)[0].name == first


def test_the_nearest_are_ordered_and_the_far_are_left_out() -> None:
    names = NearNames(Strings.of(NAMES))
    assert [near.name for near in names.near("get_carts", 3)] == ["get_cart", "get_card"]
    assert names.near("something_else", 3) == [] == names.near("ab", 3)
    assert [(near.name, near.distance) for near in names.near("write_usage", 1)] == [("write_usage", 0.0)]


def _plain(one: str, other: str) -> int:
    """The distance by its definition, each cell computed from its neighbours."""
    cell = {(row, 0): row for row in range(len(one) + 1)} | {(0, column): column for column in range(len(other) + 1)}
    for row, column in product(range(1, len(one) + 1), range(1, len(other) + 1)):
        differs = one[row - 1] != other[column - 1]
        ways = [cell[row - 1, column] + 1, cell[row, column - 1] + 1, cell[row - 1, column - 1] + differs]
        if min(row, column) > 1 and one[row - 2 : row] == other[column - 2 : column][::-1]:
            ways.append(cell[row - 2, column - 2] + 1)
        cell[row, column] = min(ways)
    return cell[len(one), len(other)]


@given(st.text("abc", max_size=7), st.text("abc", max_size=7), st.integers(0, 4))
def test_edits_are_those_of_the_plain_definition(one: str, other: str, most: int) -> None:
    assert edits(one, other, most) == min(_plain(one, other), most + 1)


def test_a_name_that_begins_with_the_words_is_nearer_than_a_misspelt_one() -> None:
    names = NearNames(Strings.of(["CartTest", "CartRestView", "cart_rest_page", "XCartRestView", "CartRested"]))
    assert [near.name for near in names.near("CartRest", 2)] == ["CartRestView", "CartTest"]
    assert [near.name for near in names.near("cart_rest", 1)] == ["cart_rest_page"]
    many = NearNames(Strings.of([f"CartRest{letter}Page" for letter in "ABCD"] + ["CartRust"]))
    assert [near.name for near in many.near("CartRest", 3)] == ["CartRust"]
    assert NearNames(Strings.of(["CartRestView"])).near("Cart", 1) == []  # a single word
