"""The names that the code of a template uses, and the paths of templates that it or other code shows."""

from __future__ import annotations

import pytest

from chunker.api import chunk_file
from chunker.languages.table import LANGUAGES
from chunker.languages.template_syntax import is_template, template_syntax
from tests.clock import within


def names(path: str, text: str) -> tuple[set[tuple[str, str | None]], set[str]]:
    """(name, receiver) of each name in code, and the paths of templates."""
    references = chunk_file(text.encode(), path).references
    embedded = {(one.name, one.receiver) for one in references if one.kind == "embed"}
    return embedded, {one.name for one in references if one.kind == "render" and not one.receiver}


@pytest.mark.parametrize(
    ("path", "text", "embedded", "rendered"),
    [
        (
            "views/carts/show.html.erb",
            "<p class='cart_box'>a_word</p><%# old_helper %>\n<%= link_to_cart @cart.total %> <% if Cart.open? %>\n"
            "<%= render partial: 'carts/item' %><%= render \"line\" %>\n",
            {("link_to_cart", None), ("total", "Cart"), ("Cart", None), ("open?", "Cart")},
            {"carts/item", "line"},
        ),
        (
            "show.blade.php",
            "@extends('layouts.app')\n<x-cart-item :item=\"$cart->first_item()\"/>\n"
            "{{ format_price($cart->total()) }}\n",
            {("CartItem", None), ("first_item", "Cart"), ("total", "Cart"), ("format_price", None)},
            {"layouts/app", "components/cart-item"},
        ),
        (
            "templates/show.html",
            '{% extends "base.html" %}{% include \'cart/item.html\' %}\n'
            '{{ cart.total_price|as_money }} {{ a_variable }}\n',
            {("total_price", "Cart"), ("as_money", None), ("a_variable", None)},
            {"base.html", "cart/item.html"},
        ),
        (
            "Show.cshtml",
            '@model CartViewModel\n@foreach (var x in Carts.AllOf(Model))\n<partial name="_Item" />\n<CartItem />\n',
            {("CartViewModel", None), ("Carts", None), ("AllOf", "Carts"), ("CartItem", None)},
            {"Item", "CartItem"},
        ),
        ("show.hbs", "{{> cart/item}} {{{cart.total}}}\n", {("total", "Cart")}, {"cart/item"}),
        ("show.tmpl", '{{ template "base/head" . }}{{ TimeSince .At }}\n', {("TimeSince", None)}, {"base/head"}),
        ("page.html", "<p>a_word(1) Cart.total</p>\n", set(), set()),
    ],
)  # fmt: skip
def test_names_and_paths_in_templates(
    path: str, text: str, embedded: set[tuple[str, str | None]], rendered: set[str]
) -> None:
    found = names(path, text)
    assert found[0] == embedded
    assert {one.lstrip("_") for one in found[1]} == rendered


@pytest.mark.parametrize(
    ("path", "text", "rendered"),
    [
        ("a.py", "def show(request):\n    return render(request, 'carts/show.html', {})\n", "carts/show.html"),
        ("a.php", "<?php\nfunction show() { return view('carts.show'); }\n", "carts/show"),
        ("a.rb", "def show\n  render :edit, status: 400\nend\n", "edit"),
        ("A.cs", 'class A { object Show() { return View("Edit", model); } }\n', "Edit"),
    ],
)
def test_code_shows_templates(path: str, text: str, rendered: str) -> None:
    references = [one for one in chunk_file(text.encode(), path).references if one.kind == "render"]
    assert [one.name for one in references] == [rendered]
    assert references[0].symbol is not None


def test_templates_are_known_by_the_end_of_their_names() -> None:
    assert template_syntax("a/app.blade.php") and not template_syntax("a/app.php")
    assert is_template("a/_item.html.erb") and not is_template("a/cart.ex")
    hosts = {one for rules in LANGUAGES.values() for one in rules.hosts}
    assert hosts <= {rules.family for rules in LANGUAGES.values() if rules.symbols}


def test_hostile_templates_take_no_time() -> None:
    for path in ("a.html.erb", "a.html", "a.blade.php", "a.cshtml", "a.heex", "a.hbs", "a.ex", "a.py"):
        for unit in ("a", "<%", "{{", "{%", '"', "<A.b", "render", 'include("', 'from "', '~H"""', "a_b."):
            lines = "".join(f"{unit * (80 // len(unit))} {at}\n" for at in range(3_000))
            for text in (lines, unit * 100_000):
                with within(8):
                    chunk_file(text.encode(), path)
