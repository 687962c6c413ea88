"""Packs for changes that move code: what has moved, and who still looks for it where it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from shop_project import commit, write

from context_pack.io.moves import without_moves
from context_pack.io.patches import ChangedFile, Hunk

PARCEL = """def parcel_of(order):
    boxes = [box for box in order.boxes if box.volume]
    weight = sum(box.weight for box in boxes)

    return label_for(order.address, weight, len(boxes))
"""
RATES = f"""from shop.labels import label_for


{PARCEL}

def rate_of(weight):
    return 5 if weight < 10 else 9
"""
REST = RATES.replace(f"{PARCEL}\n\n", "")
SEND = "from shop.rates import parcel_of\n\n\ndef send(order):\n    order.post(parcel_of(order))\n"
TRACE = "from shop import rates\n\n\ndef trace(order):\n    print(rates.parcel_of(order))\n"


def _notes(answer: Any) -> list[str]:
    return [hint.text for hint in answer.hints]


@pytest.fixture
def rates(shop: Path) -> Path:
    write(shop, "shop/rates.py", RATES)
    write(shop, "shop/send.py", SEND)
    write(shop, "shop/trace.py", TRACE)
    commit(shop, "rates")
    return shop


def test_moved_lines_have_not_changed(rates: Path, packed: Any) -> None:
    write(rates, "shop/rates.py", REST.replace("9", "8"))
    write(rates, "shop/parcels.py", f"from shop.labels import label_for\n\n\n{PARCEL}")
    answer = packed(rates, explain=True, related=0)
    first, *others = answer.data.items
    assert (first.file, first.symbol, first.changed) == ("shop/rates.py", "rate_of", ((5, 5),))
    assert [hunk.old for hunk in first.hunks] == ["    return 5 if weight < 10 else 9"]
    parcels = next(item for item in others if item.file == "shop/parcels.py")
    assert parcels.changed == ((1, 1),)
    assert "Moved: shop/rates.py:4 is now shop/parcels.py:4-8." in _notes(answer)


def test_code_that_only_moved_comes_last(rates: Path, packed: Any) -> None:
    write(rates, "shop/rates.py", REST)
    write(rates, "shop/send.py", SEND.replace("post(", "post(5, "))
    write(rates, "shop/parcels.py", PARCEL)
    items = packed(rates, explain=True, related=0).data.items
    assert [item.why[0].name for item in items] == ["changed", "names_moved", "moved"]
    assert items[-1].why[0].detail == "5 lines from shop/rates.py"


def test_a_line_in_place_of_moved_lines_has_changed(rates: Path, packed: Any) -> None:
    """Also in a file to which the change adds only short runs of lines."""
    write(rates, "shop/rates.py", RATES.replace(PARCEL, "from shop.parcels import parcel_of\n"))
    write(rates, "shop/parcels.py", PARCEL)
    answer = packed(rates, related=0)
    assert [item.changed for item in answer.data.items if item.file == "shop/rates.py"] == [((4, 4),)]


def test_lines_around_moved_ones_are_removed_apart(rates: Path, packed: Any) -> None:
    """They were not next to each other."""
    lost = ["FIRST_RATE = 5  # of a light parcel", "LAST_RATE = 9  # of a heavy parcel"]
    write(rates, "shop/rates.py", RATES.replace(PARCEL, f"{lost[0]}\n{PARCEL}{lost[1]}\n"))
    commit(rates, "more")
    write(rates, "shop/rates.py", REST)
    write(rates, "shop/parcels.py", PARCEL)
    items = packed(rates, related=0).data.items
    assert [hunk.old for item in items if item.file == "shop/rates.py" for hunk in item.hunks] == lost


def test_lines_from_two_places_are_two_moves(rates: Path, packed: Any) -> None:
    label = """def label_for(address, weight, boxes):
    parts = [address.street, address.city, address.country]
    return ", ".join([*parts, str(weight), str(boxes)])
"""
    write(rates, "shop/labels.py", f"MARK = 3\n{label}")
    commit(rates, "labels")
    write(rates, "shop/labels.py", "MARK = 3\n")
    write(rates, "shop/rates.py", REST)
    write(rates, "shop/parcels.py", PARCEL + label)
    moved = "shop/rates.py:4 is now shop/parcels.py:1-5, shop/labels.py:2 is now shop/parcels.py:6-8"
    assert f"Moved: {moved}." in _notes(packed(rates))


def test_lines_from_many_places_have_not_moved(shop: Path, packed: Any) -> None:
    """Each of these places is too short to be recognised."""
    lines = [f"    item.one({number})\n    item.two({number})\n    item.six({number})\n" for number in range(10, 20)]
    write(shop, "shop/items.py", "".join(f"def step_{at}(item):\n{text}" for at, text in enumerate(lines)) + PARCEL)
    commit(shop, "items")
    write(shop, "shop/items.py", "".join(f"def step_{at}(item):\n    pass\n" for at in range(len(lines))))
    write(shop, "shop/steps.py", f"def steps(item):\n{''.join(lines)}")
    assert not any("Moved" in note for note in _notes(packed(shop)))


def test_statements_in_another_order_have_changed(shop: Path, packed: Any) -> None:
    steps = "".join(f"    step_{number}(order)\n" for number in range(5))
    close = "    order.lock.release()\n    order.store.commit()\n    order.log.write('the order is closed and paid')\n"
    write(shop, "shop/close.py", f"def close(order):\n{steps}{close}\n\ndef rest(order):\n    pass\n")
    commit(shop, "close")
    write(shop, "shop/close.py", f"def close(order):\n{close}{steps}\n\ndef rest(order):\n    pass\n")
    answer = packed(shop, related=0)
    assert answer.data.items[0].changed and answer.data.items[0].symbol == "close"
    assert not any("Moved" in note for note in _notes(answer))


def test_lines_whose_text_is_not_available_stay() -> None:
    old = tuple(PARCEL.splitlines())
    one = ChangedFile("one.py", "modified", hunks=(Hunk(1, len(old), 1, 2, old),))
    two = ChangedFile("two.py", "modified", hunks=(Hunk(0, 0, 1, len(old)),))
    files, moves = without_moves((one, two), lambda path: PARCEL if path == "two.py" else None, lambda *_: None)
    assert [(hunk.line, hunk.count, hunk.removed) for hunk in files[0].hunks] == [(1, 2, ())]
    assert [(move.path, move.lines, move.was, move.was_line) for move in moves] == [("two.py", (1, 5), "one.py", 1)]


@pytest.mark.parametrize("parcel", [PARCEL, "def parcel_of(order): return order\n"], ids=["function", "line"])
def test_imports_from_the_former_file_come_before_other_code(shop: Path, packed: Any, parcel: str) -> None:
    """A definition of a line is too short to be recognised by its text: its name suffices."""
    write(shop, "shop/rates.py", RATES.replace(PARCEL, parcel))
    write(shop, "shop/send.py", SEND)
    write(shop, "shop/trace.py", TRACE)
    commit(shop, "rates")
    write(shop, "shop/rates.py", REST)
    write(shop, "shop/parcels.py", parcel)
    answer = packed(shop, explain=True, related=0)
    places = {item.file: item.why[0] for item in answer.data.items if item.why[0].name == "names_moved"}
    assert set(places) == {"shop/send.py", "shop/trace.py"}
    assert places["shop/send.py"].detail == "parcel_of, moved from shop/rates.py to shop/parcels.py"
    assert "Moved, but still used where they were: parcel_of." in _notes(answer)


def test_who_follows_the_move_is_not_listed(rates: Path, packed: Any) -> None:
    write(rates, "shop/rates.py", REST)
    write(rates, "shop/parcels.py", PARCEL)
    write(rates, "shop/send.py", "from shop.parcels import parcel_of\n\n\ndef send(order):\n    parcel_of(order)\n")
    write(rates, "shop/trace.py", "from shop import parcels\n\n\ndef trace(order):\n    parcels.parcel_of(order)\n")
    assert not any("still used" in note for note in _notes(packed(rates)))


def test_a_file_that_passes_the_name_on_is_no_former_place(rates: Path, packed: Any) -> None:
    write(rates, "shop/rates.py", f"from shop.parcels import parcel_of\n{REST}")
    write(rates, "shop/parcels.py", PARCEL)
    assert not any("still used" in note for note in _notes(packed(rates)))


def test_members_of_the_former_type_are_listed(shop: Path, packed: Any) -> None:
    static = "    @staticmethod\n    def weigh_all(boxes):\n        return sum(box.weight for box in boxes)\n"
    write(shop, "shop/scales.py", f"class Scale:\n{static}\n\nclass Shelf:\n    pass\n")
    write(shop, "shop/pack.py", "def pack(boxes):\n    return Scale.weigh_all(boxes)\n")
    write(shop, "shop/load.py", "def load(boxes):\n    return Shelf.weigh_all(boxes)\n")
    commit(shop, "scales")
    write(shop, "shop/scales.py", f"class Scale:\n    pass\n\n\nclass Shelf:\n{static}")
    answer = packed(shop, explain=True, related=0)
    uses = [item.file for item in answer.data.items if item.why[0].name == "names_moved"]
    assert uses == ["shop/pack.py"]


def test_lines_that_only_get_another_indentation_have_changed(rates: Path, packed: Any) -> None:
    body = "\n".join(f"    {line}" if line else line for line in PARCEL.splitlines())
    write(rates, "shop/rates.py", RATES.replace(PARCEL, f"if True:\n{body}\n"))
    answer = packed(rates, related=0)
    assert answer.data.items[0].changed == ((4, 7), (9, 9))
    assert not any("Moved" in note for note in _notes(answer))


@pytest.mark.parametrize(
    ("line", "is_former"),
    [("import { parcelOf } from './parcels';", True), ("export { parcelOf } from './parcels';", False)],
)
def test_a_module_that_only_imports_the_name_does_not_pass_it_on(
    shop: Path, packed: Any, line: str, is_former: bool
) -> None:
    """In languages that mark what they export."""
    parcel = "export function parcelOf(order) {\n  return label(order);\n}\n"
    write(shop, "web/rates.ts", f"{parcel}\nexport const RATE = parcelOf;\n")
    write(
        shop, "web/send.ts", "import { parcelOf } from './rates';\n\nexport const send = (o) => o.post(parcelOf(o));\n"
    )
    commit(shop, "web")
    write(shop, "web/rates.ts", f"{line}\n\nexport const RATE = 3;\nconst first = parcelOf(RATE);\n")
    write(shop, "web/parcels.ts", parcel)
    answer = packed(shop, explain=True, related=0)
    uses = [item.file for item in answer.data.items if item.why[0].name == "names_moved"]
    assert uses == (["web/send.ts"] if is_former else [])
