"""Packs for changes that add a member to an enumeration: the code that tells its members apart comes with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from shop_project import commit, write

JAVA = "package shop;\n\npublic enum State {\n    OPEN,\n    PAID,\n    SENT,\n}\n"
JAVA_SWITCH = """package web;

class Page {
    String title(State state) {
        switch (state) {
            case OPEN: return "open";
            case PAID: return "paid";
            default: return "";
        }
    }
}
"""
RUST = "pub enum State {\n    Open,\n    Paid,\n    Sent,\n}\n"
RUST_MATCH = """use crate::state::State;

pub fn title(state: State) -> &'static str {
    match state {
        State::Open => "open",
        State::Paid => "paid",
        _ => "",
    }
}
"""
PYTHON = "from enum import Enum\n\n\nclass State(Enum):\n    OPEN = 1\n    PAID = 2\n    SENT = 3\n"
PYTHON_IFS = """def title(state):
    if state is State.OPEN:
        return "open"
    return "paid" if state is State.PAID else ""
"""
GO = "package shop\n\ntype State int\n\nconst (\n\tStateOpen State = iota\n\tStatePaid\n\tStateSent\n)\n"
GO_SWITCH = """package shop

func title(state State) string {
	switch state {
	case StateOpen:
		return "open"
	case StatePaid:
		return "paid"
	}
	return ""
}
"""
SWIFT = "enum State {\n    case open\n    case paid\n    case sent\n}\n"
SWIFT_SWITCH = """func title(_ state: State) -> String {
    switch state {
    case .open: return "open"
    case .paid: return "paid"
    default: return ""
    }
}
"""
CASES = {
    "java": (JAVA, "    SENT,", "    SENT,\n    LOST,", JAVA_SWITCH, "LOST"),
    "rs": (RUST, "    Sent,", "    Sent,\n    Lost,", RUST_MATCH, "Lost"),
    "py": (PYTHON, "SENT = 3", "SENT = 3\n    LOST = 4", PYTHON_IFS, "LOST"),
    "go": (GO, "\tStateSent\n", "\tStateSent\n\tStateLost\n", GO_SWITCH, "StateLost"),
    "swift": (SWIFT, "    case sent", "    case sent\n    case lost", SWIFT_SWITCH, "lost"),
}


@pytest.fixture(params=CASES)
def case(request: Any, shop: Path) -> tuple[Path, str, str, str]:
    """(root, name of the branching file, its text, name of the new member)."""
    suffix = request.param
    enum, line, lines, code, member = CASES[suffix]
    name = {"java": "State"}.get(suffix, "state")
    write(shop, f"src/{name}.{suffix}", enum)
    write(shop, f"src/title.{suffix}", code)
    commit(shop, "states")
    write(shop, f"src/{name}.{suffix}", enum.replace(line, lines))
    return shop, f"src/title.{suffix}", code, member


def test_code_that_tells_members_apart_comes_with_a_new_one(case: tuple[Path, str, str, str], packed: Any) -> None:
    root, file, _, member = case
    first, second, *_ = packed(root, explain=True, related=0).data.items
    assert first.changed and second.file == file
    assert (second.why[0].name, second.why[0].detail.rpartition(", but ")[2]) == ("member_added", f"not {member}")


def test_code_that_handles_the_new_member_is_complete(case: tuple[Path, str, str, str], packed: Any) -> None:
    root, file, code, member = case
    old = next(name for name in ("StatePaid", "PAID", "Paid", "paid") if name in code)
    line = next(line for line in code.splitlines() if old in line)
    write(root, file, code.replace(line, f"{line}\n{line.replace(old, member)}"))
    commit(root, "handled")
    write(root, "src/other.txt", "note\n")
    reasons = [item.why[0].name for item in packed(root, explain=True, related=0, diff="HEAD~1").data.items if item.why]
    assert "member_added" not in reasons


def test_a_changed_value_adds_no_member(shop: Path, packed: Any) -> None:
    write(shop, "src/level.py", "class Level:\n    LOW = 1\n    HIGH = 2\n    TOP = 3\n")
    write(shop, "src/show.py", "def show(level):\n    return level in (Level.LOW, Level.HIGH)\n")
    commit(shop, "levels")
    write(shop, "src/level.py", "class Level:\n    LOW = 1\n    HIGH = 2\n    TOP = 4\n")
    assert all(item.why[0].name != "member_added" for item in packed(shop, explain=True, related=0).data.items)


LIMITS = "MAX_PAGES = 5\nSHOP_NAME = 'x'\n"
USE = "from shop.limits import MAX_PAGES, SHOP_NAME\n\n\ndef head(page):\n    return SHOP_NAME, page < MAX_PAGES\n"
CLASS = "class Level:\n    LOW = 1\n    HIGH = 2\n"
IFS = "def show(level):\n    return level in (Level.LOW, Level.HIGH)\n"
TABLE = "    NAMES = {LOW: 'low', HIGH: 'high'}\n"


@pytest.mark.parametrize(
    ("before", "line", "use"), [(LIMITS, "VAT = 3\n", USE), (CLASS, TABLE, IFS)], ids=["other", "table"]
)
def test_constants_that_are_no_members(shop: Path, packed: Any, before: str, line: str, use: str) -> None:
    """Constants of a module whose names have nothing in common, and a table of members."""
    write(shop, "shop/limits.py", before)
    write(shop, "shop/show.py", use)
    commit(shop, "limits")
    write(shop, "shop/limits.py", before + line)
    assert all(item.why[0].name != "member_added" for item in packed(shop, explain=True, related=0).data.items)


def test_names_with_the_same_letters_but_other_words_do_not_belong_together(shop: Path, packed: Any) -> None:
    code = "package shop\n\nconst (\n\tsockaddr = 16\n\tsocketKind = 2\n\tsocklenMin = 4\n)\n"
    write(shop, "src/net.go", code)
    write(shop, "src/bind.go", "package shop\n\nfunc bind() int {\n\treturn sockaddr + socketKind\n}\n")
    commit(shop, "net")
    write(shop, "src/net.go", code.replace("\tsocklenMin = 4\n", "\tsocklenMin = 4\n\tsocklenMax = 8\n"))
    assert all(item.why[0].name != "member_added" for item in packed(shop, explain=True, related=0).data.items)


def test_imports_of_members_tell_nothing_apart(shop: Path, packed: Any) -> None:
    write(shop, "shop/State.java", JAVA)
    names = "".join(f"import static shop.State.{name};\n" for name in ("OPEN", "PAID", "SENT"))
    body = "".join(f"    int count{number} = {number};\n" for number in range(90))
    write(shop, "web/Page.java", f"package web;\n\n{names}\nclass Page {{\n{body}}}\n")
    commit(shop, "page")
    write(shop, "shop/State.java", JAVA.replace("    SENT,", "    SENT,\n    LOST,"))
    reasons = [item.why[0].name for item in packed(shop, explain=True, related=0).data.items]
    assert reasons == ["changed"]


def test_a_document_that_lists_members_tells_nothing_apart(shop: Path, packed: Any) -> None:
    code = "CART_STATE_OPEN = 1\nCART_STATE_PAID = 2\n"
    write(shop, "shop/states.py", code)
    write(shop, "CHANGES.md", "# 2.0\n\n`CART_STATE_OPEN` and `CART_STATE_PAID` are numbers.\n")
    commit(shop, "states")
    write(shop, "shop/states.py", f"{code}CART_STATE_LOST = 3\n")
    assert all(item.why[0].name != "member_added" for item in packed(shop, explain=True, related=0).data.items)
