"""Which lines of a change a pack shows, and in which order, if there is room for some."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from shop_project import PRICES, commit, symbols, write

from context_pack.io.changes import changes
from contracts.records import Item

STEP = "    order.notes.append('step {} of the long way to ship an order')\n"


def _shown(items: tuple[Item, ...], file: str) -> set[int]:
    """The lines of a file that items show."""
    own = [item for item in items if item.file == file]
    lines = {line for item in own for line in range(item.start_line, item.end_line + 1)}
    return lines - {line for item in own for first, last in item.elided for line in range(first, last + 1)}


def test_a_function_added_between_others_changes_none_of_them(shop: Path) -> None:
    """Without lines of context, git compares no more than it must, and places the added lines as early as possible."""
    check = "def check_{0}(order):\n    if order.total > {0}:\n        raise ValueError(order)\n    return order\n\n\n"
    before, after = check.format(1), "".join(check.format(number) for number in range(3, 20))
    for length in range(0, 1_000, 50):  # git compares files in blocks from their ends on
        rest = f"{after}# {'x' * length}\n"
        write(shop, "shop/checks.py", before + rest)
        commit(shop, "checks")
        write(shop, "shop/checks.py", before + check.format(2) + rest)
        hunk = changes(shop, "HEAD").files[0].hunks[0]
        assert (hunk.line, hunk.count) == (7, 6), length


def test_changes_at_both_ends_of_a_long_function_are_shown(shop: Path, packed: Any) -> None:
    code = "def ship(order):\n" + "".join(STEP.format(number) for number in range(200))
    write(shop, "shop/ship.py", code)
    commit(shop, "ship")
    write(shop, "shop/ship.py", code.replace("step 3 of", "step 4 of").replace("step 190 of", "step 4 of"))
    for max_chars in (2_000, 6_000):
        assert {5, 192} <= _shown(packed(shop, max_chars=max_chars).data.items, "shop/ship.py")


def test_as_many_changed_lines_as_fit_are_shown(shop: Path, packed: Any) -> None:
    code = "def ship(order):\n" + "".join(STEP.format(number) for number in range(300))
    write(shop, "shop/ship.py", code)
    commit(shop, "ship")
    for number in range(0, 300, 5):
        code = code.replace(f"step {number} of", f"step -{number} of")
    write(shop, "shop/ship.py", code)
    items = packed(shop, max_chars=2_000, fit="cut").data.items
    assert len(_shown(items, "shop/ship.py") & set(range(2, 302, 5))) >= 5


def test_changed_imports_come_after_code_and_tests_and_take_little_room(shop: Path, packed: Any) -> None:
    imports = "".join(f"from warehouse.part_{number} import Part{number}\n" for number in range(60))
    first = "\n\ndef note(order):\n" + "".join(map(STEP.format, range(9)))
    code = f"{first}\n\ndef total_of(parts):\n    return sum(part.price for part in parts)\n"
    write(shop, "shop/parts.py", imports + code)
    test = "from shop.parts import total_of\n\n\ndef test_total():\n    assert total_of([]) == 0\n"
    write(shop, "tests/test_parts.py", test)
    commit(shop, "parts")
    new = imports.replace("part_9 import Part9", "part_9 import Part9, Part99")
    write(shop, "shop/parts.py", new + code.replace("part.price", "part.price or 0"))
    write(shop, "tests/test_parts.py", test.replace("== 0", "is not None"))
    items = packed(shop, max_chars=1_600).data.items
    names = [(item.file, item.symbol) for item in items if item.role == "primary"]
    assert names == [("shop/parts.py", "total_of"), ("tests/test_parts.py", "test_total"), ("shop/parts.py", None)]
    assert 10 in _shown(items, "shop/parts.py")


def test_nothing_reads_a_field_that_the_change_adds(shop: Path, packed: Any) -> None:
    """Whoever names it means the field of another type."""
    types = "".join(
        f"type Box{number} struct {{\n\tActions []string\n}}\n\n"
        f"func (b *Box{number}) Count() int {{\n\treturn len(b.Actions)\n}}\n\n"
        for number in range(3)
    )
    rack = "type Rack struct {\n\tName string\n}\n"
    write(shop, "shop/box.go", f"package shop\n\n{types}{rack}")
    commit(shop, "boxes")
    more = rack.replace("string", "string\n\tActions []string")
    write(shop, "shop/box.go", f"package shop\n\n{types}{more}")
    assert not _readers(packed, shop)


def _readers(packed: Any, root: Path) -> list[str]:
    items = packed(root, explain=True, fit="whole").data.items
    return [item.file for item in items if any(why.name == "value_changed" for why in item.why)]


def test_a_long_caller_is_cut_to_its_call(shop: Path, packed: Any) -> None:
    code = "from shop.prices import rounded\n\n\ndef ship(order):\n" + "".join(map(STEP.format, range(60)))
    code += "    return rounded(order.total)\n"
    write(shop, "shop/ship.py", code)
    commit(shop, "ship")
    write(shop, "shop/prices.py", PRICES.replace("round(value, 2)", "round(value, 3)"))
    items = packed(shop, max_chars=4_000).data.items
    assert "ship" in symbols(packed(shop, max_chars=4_000), "related")
    assert {4, 65} <= _shown(items, "shop/ship.py")
