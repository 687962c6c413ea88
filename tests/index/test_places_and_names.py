"""A query that can be read as a place, a frame or a name: the place comes first, then the frame, then the name."""

from __future__ import annotations

from pathlib import Path

import pytest

from index import Index, open_index
from tests.index.conftest import WriteTree

TREE = {
    "shop/cart.py": "class Cart:\n    def total(self):\n        return 1\n\n    def clear(self):\n        return 2\n",
    "shop/py.py": "def cart():\n    return 3\n",
    "src/acme/Till.java": "package acme;\n\nclass Till {\n    int open() {\n        return 1;\n    }\n}\n",
    "docs/hooks.md": "# Hooks\n\nA hook is called.\n\n## after_pay\n\nIt is called after a payment.\n",
    "limits.py": "def check(n):\n    raise ValueError(f'limit must be under {n}')\n\n\ndef ask_rate():\n    return 1\n",
}


@pytest.fixture
def index(write_tree: WriteTree, tmp_path: Path) -> Index:
    return open_index(write_tree(TREE), home=tmp_path / "home", model="embedded")


def exact(index: Index, query: str) -> list[tuple[str, str, tuple[tuple[int, int], ...]]]:
    """(why, file, lines) of the exact hits of a pack."""
    hits = [hit for hit in index.search(query, top_k=9, order="pack") if hit.score >= 0.5]
    return [(hit.why[0].name, index.chunk(hit.chunk).file, hit.lines) for hit in hits]


@pytest.mark.parametrize(
    ("query", "why", "file", "lines"),
    [
        ("cart.py:3", "exact.path", "shop/cart.py", ((3, 3),)),
        ("cart.py(3)", "exact.path", "shop/cart.py", ((3, 3),)),
        ("cart.py", "exact.path", "shop/cart.py", ()),
        ("acme.Till.open(Till.java:5)", "exact.frame", "src/acme/Till.java", ((5, 5),)),
        ("Cart.total", "exact.symbol", "shop/cart.py", ((2, 2),)),
        ("shop/cart/Cart.total", "exact.symbol", "shop/cart.py", ((2, 2),)),
        ("total(12)", "exact.symbol", "shop/cart.py", ((2, 2),)),
        ("where does Cart.total come from", "exact.named", "shop/cart.py", ((2, 2),)),
        ("what does clear do in shop/cart.py?", "exact.named", "shop/cart.py", ((5, 5),)),
        ("in cart.py, what is total for?", "exact.named", "shop/cart.py", ((2, 2),)),
        ("why does cart.py line 3 return one", "exact.frame", "shop/cart.py", ((3, 3),)),
        ("why does `shop/cart.py` at line 3 return one", "exact.frame", "shop/cart.py", ((3, 3),)),
        ("see https://example.org/acme/blob/main/shop/cart.py#L6 again", "exact.frame", "shop/cart.py", ((6, 6),)),
        ("see file:///home/me/acme/shop/cart.py#6 again", "exact.frame", "shop/cart.py", ((6, 6),)),
    ],
)
def test_a_place_is_decided_before_a_frame_and_a_frame_before_a_name(
    index: Index, query: str, why: str, file: str, lines: tuple[tuple[int, int], ...]
) -> None:
    assert exact(index, query)[0] == (why, file, lines)


def test_a_quoted_error_finds_its_code_and_the_names_in_it(index: Index) -> None:
    found = exact(index, "does ask_rate lead to ValueError: limit must be under 7")
    assert found[:2] == [("exact.message", "limits.py", ((2, 2),)), ("exact.named", "limits.py", ((5, 5),))]


@pytest.mark.parametrize(
    ("query", "files"),
    [
        ("AttributeError: 'NoneType' object has no attribute 'total'", ["shop/till.py", "shop/cart.py"]),
        ("TypeError: Cannot read properties of undefined (reading 'total')", ["shop/till.py", "shop/cart.py"]),
        ("Call to a member function clear() on null", ["shop/cart.py"]),
        ("'Lamp' object has no attribute 'total'", ["shop/lamp.py", "shop/till.py", "shop/cart.py"]),
        ("'Lamp' object has no attribute 'off'", ["shop/lamp.py"]),
        ('Cannot invoke "shop.Cart.total()" because "cart" is null', ["shop/till.py", "shop/cart.py"]),
        ("`ask_rate` fails: 'NoneType' object has no attribute 'total'", ["limits.py", "shop/till.py", "shop/cart.py"]),
    ],
)
def test_a_message_about_a_missing_member_leads_to_the_code_that_uses_it(
    query: str, files: list[str], write_tree: WriteTree, tmp_path: Path
) -> None:
    tree = TREE | {
        "shop/till.py": "def pay(cart):\n    return cart.total()\n",
        "shop/lamp.py": "class Lamp:\n    on = True\n",
        "shop/lazy.py": "class Lazy:\n    def __getattr__(self, name):\n"
        "        raise AttributeError(f\"'Lazy' object has no attribute '{name}'\")\n",
    }
    index = open_index(write_tree(tree), home=tmp_path / "home", model="embedded")
    assert [file for _, file, _ in exact(index, query)] == files


def test_a_name_comes_before_words_in_capitals(write_tree: WriteTree, tmp_path: Path) -> None:
    tree = TREE | {"shop/rpc.py": "def answer():\n    return 'JSON-RPC'\n"}
    index = open_index(write_tree(tree), home=tmp_path / "home", model="embedded")
    assert [file for _, file, _ in exact(index, "ask_rate JSON-RPC")] == ["limits.py", "shop/rpc.py"]


def test_a_heading_is_not_a_definition_for_a_question(index: Index) -> None:
    assert exact(index, "when an after_pay hook clears the cart, what happens?") == []
    assert [file for _, file, _ in exact(index, "after_pay")] == ["docs/hooks.md"]


def test_functions_of_other_code_in_a_trace_name_nothing_here(index: Index) -> None:
    trace = 'Traceback (most recent call last):\n  File "/usr/lib/python3/site-packages/a.py", line 3, in ask_rate\n'
    assert exact(index, trace + "KeyError: 'none'\n") == []


@pytest.mark.parametrize("query", ["//", "/", "..", ".", "./", "->", "::", "a::", "#", "()", "<=>", ":1", "(1)", "#L1"])
def test_punctuation_alone_is_neither(index: Index, query: str) -> None:
    assert exact(index, query) == []
    assert index.trace(query) is None


def test_a_file_among_words_comes_first(index: Index) -> None:
    for text in ("explain py.py", "what is https://example.org/acme/blob/main/shop/py.py for?"):
        assert index.chunk(index.search(text)[0].chunk).file == "shop/py.py"


def test_a_file_outside_the_tree_is_no_evidence(index: Index) -> None:
    for text in (
        "explain other/cart.py",
        "what is https://example.org/acme/blob/main/other.py#L3 for?",
        "e.g. Node.js",
    ):
        assert exact(index, text) == []


@pytest.mark.parametrize("query", ["stg_carts", "ref('stg_carts')", "Install-Shop", "install-till", "CartList"])
def test_a_name_that_only_files_have_leads_to_them_before_the_lines_that_contain_it(
    query: str, write_tree: WriteTree, tmp_path: Path
) -> None:
    files = {
        "models/stg_carts.sql": "select * from carts\n",
        "models/stg_carts.yml": "models:\n  - name: stg_carts\n",
        "marts/carts.sql": "select * from {{ ref('stg_carts') }}\n",
        "build/Install-Shop.ps1": "Write-Host 'shop'\n",
        "build/install-till.sh": "echo till\n",
        "web/CartList.razor": "<ul>\n  @Total\n</ul>\n",
        "web/CartList.razor.css": "ul {\n  margin: 0;\n}\n",
        "web/Shop.razor": "<div>\n  <CartList />\n</div>\n",
        "image.py": "SCRIPTS = ['build/Install-Shop.ps1', 'build/install-till.sh']\n",
    }
    index = open_index(write_tree(files), home=tmp_path / "home", model="embedded")
    name = query.removeprefix("ref('").removesuffix("')")
    (why, file, _), *others = exact(index, query)
    assert (why, Path(file).stem) == ("exact.path", name)
    assert others


NAMES_IN_PROSE = {
    "shop/session.py": "class Session:\n    def flush(self):\n        return 1\n\n\nclass Till:\n    size = 2\n",
    "shop/roll.py": "class TILLRoll:\n    pass\n",
    "shop/loading.py": "def joinedload(path):\n    return path\n\n\ndef selectinload(path):\n    return [path]\n",
    "shop/rate.py": "def session():\n    return 3\n\n\ndef Rate():\n    return 4\n",
    "tests/test_till.py": "class Drawer:\n    pass\n\n\ndef test_selectinload_is_joined():\n    assert 1\n",
    **{f"shop/part{number}.py": f"import cartlib\n\nSIZE = {number}\n" for number in range(9)},
    "shop/cartlib.py": "def cartlib():\n    return 5\n",
    **{f"player/list{number}.py": f"SIZE = {number}  # podcasts\n" for number in range(4)},
    "player/state.py": "podcasts = []\n",
    "player/volume.py": "dampvol = 3\n",
}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("difference between joinedload and selectinload", ["joinedload", "selectinload"]),
        ("when does a Session flush?", ["Session"]),
        ("the Session's size, Till and Session", ["Session", "Till"]),
        ("Session vs Till", ["Session", "Till"]),
        ("Session or Till", ["Till"]),
        ("is a TILLRoll safe", ["TILLRoll"]),
        ("How To Flush Session Twice", []),  # a title
        ("are parts and sizes kept after a Session crashes while it loads orders", []),  # it is about something else
        ("is it the Session Till that counts", []),  # words next to each other are another name
        ("how is a session opened", []),  # a usual word
        ("what is the Rate of a session", []),  # no type has this name
        ("who opens the Drawer", []),  # only a test defines it
        ("how are podcasts loaded", []),  # a variable, but four other files contain it
        ("what does dampvol do", ["dampvol"]),  # a variable that only its own file contains
        ("how does cartlib count parts", []),  # nearly every file contains it: it may be the name of the project
    ],
)
def test_words_of_prose_that_may_be_names(write_tree: WriteTree, tmp_path: Path, query: str, names: list[str]) -> None:
    index = open_index(write_tree(NAMES_IN_PROSE), home=tmp_path / "home", model="embedded")
    hits = [hit for hit in index.search(query, top_k=9, order="pack") if hit.why[0].name == "exact.named"]
    assert sorted(str(index.chunk(hit.chunk).symbol) for hit in hits) == names
