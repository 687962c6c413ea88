"""XML and TOON are parsed by independent parsers, and contain the same data as JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
import toon_format
from hypothesis import given, settings
from hypothesis import strategies as st

from context_pack import render
from contracts.records import Budget, Dropped, Item, Pack, Why, as_data

NUMBERS = {
    "version": int, "start_line": int, "end_line": int, "distance": int, "score": float, "signal": float,
    "points": float, "max_chars": int, "used_chars": int, "dropped_items": int, "cost_chars": int, "line": int,
    "max_tokens": int, "used_tokens": int,
}  # fmt: skip
LISTS = {"items", "imports", "relationship", "why", "dropped", "elided", "range"}

anything = st.text(st.characters(codec="utf-8"), max_size=40)
numbers = st.floats(-100, 100, allow_nan=False)
reasons = st.lists(st.builds(Why, anything, numbers, numbers, anything), max_size=2).map(tuple)
items = st.builds(
    Item,
    id=anything.map(lambda name: f"{name}:1:2"), role=st.just("primary"), file=anything, start_line=st.just(1),
    end_line=st.just(2), score=numbers, imports=st.lists(anything, max_size=2).map(tuple), content=anything,
    symbol=st.none() | anything, type=st.none() | anything, why=reasons,
    elided=st.lists(st.tuples(st.integers(1, 99), st.integers(1, 99)), max_size=2).map(tuple),
)  # fmt: skip
related = st.builds(
    lambda item, labels: replace(item, role="related", relationship=labels, distance=len(labels)),
    items, st.lists(anything.filter(bool), min_size=1, max_size=2).map(tuple),
)  # fmt: skip
drops = st.lists(st.builds(Dropped, anything, st.just("no_room"), st.integers(1, 99), numbers), max_size=3).map(tuple)
budgets = st.just(Budget(100_000, 0, False, 3)) | st.just(Budget(100_000, 0, True, 0, 25_000, 0, "chars/4"))
packs = st.builds(
    Pack, anything, anything, anything, st.lists(items | related, max_size=3).map(tuple), budgets, drops
)  # fmt: skip


def printed(name: str, pack: Pack) -> tuple[dict[str, Any], str]:
    layout = render.layout(name)
    finished = layout.finish(pack)
    text = layout.render(finished)
    assert text is not None and len(text.encode()) == finished.budget.used_chars
    return as_data(finished), text


def from_xml(element: ElementTree.Element) -> Any:
    """The data of an element: the attributes and children of an object, the parts of a list, or a text."""
    if element.tag in LISTS:
        return [from_xml(child) for child in element]
    if element.attrib or len(element) or element.tag == "budget":
        parts = {name: value(name, text) for name, text in element.attrib.items()}
        return {**parts, **{child.tag: from_xml(child) for child in element}}
    return value(element.tag, element.text or "")


def value(name: str, text: str) -> Any:
    if name == "truncated":
        return {"true": True, "false": False}[text]
    return NUMBERS.get(name, str)(text)


def holdable(value: Any) -> Any:
    """The part of a value that XML 1.0 can represent, by Python's own rule for documents."""
    if isinstance(value, str):
        return "".join(map(_holdable, value))
    if isinstance(value, dict):
        return {name: holdable(part) for name, part in value.items()}
    return [holdable(part) for part in value] if isinstance(value, list) else value


def _holdable(character: str) -> str:
    legal = character in "\t\n\r" or (character >= " " and not "\ud800" <= character <= "\udfff")
    return character if legal and character not in "\ufffe\uffff" else "\ufffd"


@settings(max_examples=200, deadline=None)
@given(packs)
def test_xml_parses_back_to_the_json(pack: Pack) -> None:
    data, text = printed("xml", pack)
    parsed = from_xml(ElementTree.fromstring(text))
    replaced = int(parsed.pop("replaced_characters", 0))
    assert parsed == holdable(data)
    assert (replaced > 0) == (holdable(data) != data)


@settings(max_examples=200, deadline=None)
@given(packs)
def test_toon_parses_back_to_the_json(pack: Pack) -> None:
    data, text = printed("toon", pack)
    assert toon_format.decode(text) == data


@pytest.mark.parametrize("name", ["xml", "toon"])
def test_items_add_up_with_the_frame(name: str) -> None:
    layout = render.layout(name)
    item = Item("a:1:2", "primary", "a", 1, 2, 0.5, ("import a",), 'x = "<&>"\n', symbol="a.b")
    for count in (0, 1, 2, 9, 10, 11, 100):
        pack = Pack("q", "m", "p", (item,) * count, Budget(90_000, 0, True, 0))
        _, text = printed(name, pack)
        frame = layout.frame_chars(replace(pack, items=()), count)
        assert len(text) <= frame + count * layout.item_chars(item) <= len(text) + 80


@pytest.mark.parametrize("name", ["xml", "toon"])
def test_a_name_that_is_not_unicode_is_escaped(name: str) -> None:
    pack = Pack(
        "q", "m", "p", (Item("a\udcff:1:2", "primary", "a\udcff", 1, 2, 0.5, (), "x"),), Budget(900, 0, True, 0)
    )
    text = render.layout(name).render(pack)
    assert text is not None and text.encode()
